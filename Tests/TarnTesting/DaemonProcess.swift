package import Glibc

/// A real `tarnd` as a process of its own, which a test may kill.
package final class DaemonProcess {
    /// What a start came to.
    package struct StartFailed: Error { package let output: String }

    package let port: UInt16
    /// Where figures are told, where `options` ask for that.
    package private(set) var metricsPort: UInt16?
    package private(set) var process: pid_t
    /// What it said until it listened.
    package private(set) var startLog = ""
    private let output: Int32

    /// Starts it and waits until it listens.
    /// - Parameters:
    ///   - port: 0 for one that the system chooses.
    ///   - fileSizeMax: kilobytes that no file of its may outgrow, as on a disk that fills up.
    ///   - preload: a library that takes the place of calls of the system's.
    package init(
        data: String, certificates: TestCertificates, port: UInt16 = 0, options: [String] = [],
        fileSizeMax: Int? = nil, preload: String? = nil
    ) throws {
        let arguments =
            [
                "serve", "--data", data, "--listen", "localhost:\(port)", "--certificate",
                certificates.certificate, "--key", certificates.key, "--allow-nicknames",
            ] + options
        let program = BuiltProgram.path("tarnd")
        let preparations = [
            fileSizeMax.map { "ulimit -f \($0)" }, preload.map { "export LD_PRELOAD='\($0)'" },
        ].compactMap { $0 }
        if !preparations.isEmpty {
            let script = (preparations + ["exec \"$0\" \"$@\""]).joined(separator: " && ")
            (process, output) = try Self.spawn(
                "/bin/bash", ["-c", script, program] + arguments)
        } else {
            (process, output) = try Self.spawn(program, arguments)
        }
        var text = ""
        var found: UInt16?
        while found == nil {
            guard let line = Self.readLine(output) else {
                throw StartFailed(output: text)
            }
            text += line + "\n"
            guard let colon = line.firstRange(of: "address=") else { continue }
            let address = line[colon.upperBound...].prefix { $0 != " " }
            let number = address.split(separator: ":").last.flatMap { UInt16($0) }
            if line.contains(" metrics-listening ") { metricsPort = number }
            if line.contains(" listening ") { found = number }
        }
        self.port = found ?? 0
        startLog = text
    }

    deinit {
        if process > 0 { kill() }
        close(output)
    }

    /// Has it read its certificate again.
    package func reload() { Glibc.kill(process, SIGHUP) }

    /// Waits until its log has a line with all of these words; nil where none comes.
    package func logged(_ words: String..., seconds: Int = 20) -> String? {
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(
            output, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let deadline = Deadline(seconds: seconds)
        while !deadline.hasPassed, let line = Self.readLine(output) {
            if words.allSatisfy({ line.contains($0) }) { return line }
        }
        return nil
    }

    /// As a power cut would, but for what the kernel still writes.
    package func kill() { end(by: SIGKILL) }

    /// - Returns: the status that it exits with.
    @discardableResult
    package func terminate() -> Int32 { end(by: SIGTERM) }

    @discardableResult
    private func end(by signal: Int32) -> Int32 {
        guard process > 0 else { return -1 }
        Glibc.kill(process, signal)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        process = 0
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    private static func spawn(
        _ path: String, _ arguments: [String]
    ) throws -> (pid_t, Int32) {
        var ends: [Int32] = [0, 0]
        // Closed in children from the first: another test's child that had inherited the end would
        // keep this one from ever reading to it.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw StartFailed(output: "no socket pair")
        }
        var attributes = SpawnAttributes()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, path, &actions, &attributes.value, &words, environ)
        close(ends[1])
        guard result == 0 else {
            close(ends[0])
            throw StartFailed(output: "\(path): \(String(cString: strerror(result)))")
        }
        return (process, ends[0])
    }

    private static func readLine(_ descriptor: Int32) -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }
}

/// The programs that were built beside the tests.
package enum BuiltProgram {
    package static func path(_ name: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(decoding: buffer.prefix(max(count, 0)).map(UInt8.init), as: UTF8.self)
        // Swift's own runner loads the tests from the build folder, which it is told of.
        let bundle =
            CommandLine.arguments.first { $0.hasSuffix(".xctest") && $0.contains("/") } ?? own
        let folder = bundle[..<(bundle.lastIndex(of: "/") ?? bundle.startIndex)]
        return "\(folder)/\(name)"
    }
}

/// An authority and a server certificate, made once for all tests of this process.
package struct TestCertificates {
    package let folder: TemporaryFolder
    package var authority: String { folder.file("ca.pem") }
    package var certificate: String { folder.file("server.pem") }
    package var key: String { folder.file("server.key") }

    package static let shared = TestCertificates()

    init(folder: TemporaryFolder) { self.folder = folder }

    private init() {
        folder = TemporaryFolder("tarn-certificates")
        let parts = #filePath.split(separator: "/").dropLast(3)
        let script = "/" + parts.joined(separator: "/") + "/certs/make-certificates.sh"
        let status = system("'\(script)' '\(folder.path)' >/dev/null")
        precondition(status == 0, "the certificates could not be made by \(script)")
    }
}
