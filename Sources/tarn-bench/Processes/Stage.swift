import CLinux
import Glibc

/// A temporary folder on the disk that is measured, with certificates; gone with the run.
final class Stage {
    let path: String
    let program: String
    let daemon: String
    /// The floor in C, beside this program.
    let echoFloor: String
    var authority: String { path + "/certificates/ca.pem" }
    var certificate: String { path + "/certificates/server.pem" }
    var key: String { path + "/certificates/server.key" }

    /// For a load, which measures a daemon that must be there.
    convenience init(_ options: Options) throws(BenchError) {
        try self.init(folder: options.folder, daemon: options.daemon)
        guard access(daemon, X_OK) == 0 else {
            remove()
            throw BenchError("There is no daemon at \(daemon); build it, or name it by --tarnd.")
        }
    }

    /// Nil for the folder of this program, and for the daemon beside it.
    init(folder: String?, daemon: String?) throws(BenchError) {
        program = try Self.ownPath()
        let home = Self.folder(of: program)
        self.daemon = daemon ?? home + "/tarnd"
        echoFloor = home + "/tarn-echo-floor"
        let script = try Self.certificateScript(above: home)
        var template = Array("\(folder ?? home)/tarn-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BenchError("No folder can be made in \(folder ?? home).")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        do throws(BenchError) {
            let making = try ChildProcess(
                "/bin/sh", [script, path + "/certificates"], output: .file(path + "/making"))
            guard making.waitForEnd() == 0 else {
                throw BenchError("The certificates could not be made by \(script).")
            }
        } catch {
            remove()
            throw error
        }
    }

    /// A data folder of its own for each daemon.
    func dataFolder(_ name: String) -> String { path + "/" + name }

    func remove() {
        let removing = try? ChildProcess("/bin/rm", ["-rf", path], output: .nowhere)
        _ = removing?.waitForEnd()
    }

    private static func ownPath() throws(BenchError) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw BenchError("The program does not know where it is.") }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func certificateScript(above home: String) throws(BenchError) -> String {
        var folder = home
        while !folder.isEmpty {
            let script = folder + "/certs/make-certificates.sh"
            if access(script, R_OK) == 0 { return script }
            folder = Self.folder(of: folder)
        }
        throw BenchError("certs/make-certificates.sh is in no folder above \(home).")
    }
}
