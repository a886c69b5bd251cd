import CLinux
import Glibc
import TarnTransport

/// A `tarnd` of its own with an empty folder.
final class DaemonProcess {
    let endpoint: Endpoint
    let dataFolder: String
    private let child: ChildProcess
    var process: pid_t { child.process }

    init(on stage: Stage, name: String) throws(BenchError) {
        dataFolder = stage.dataFolder(name)
        let log = stage.path + "/\(name).log"
        // It is started by a part of this program, which sees to it that it ends with the run.
        child = try ChildProcess(
            stage.program,
            [
                Role.verb, Role.daemon.rawValue, stage.daemon, "serve", "--data", dataFolder,
                "--listen", "127.0.0.1:0", "--certificate", stage.certificate, "--key", stage.key,
                "--allow-nicknames", "--log-level", "info", "--config", "/dev/null",
                "--connections", Self.connectionsMax, "--strangers", Self.connectionsMax,
            ], output: .file(log))
        endpoint = Endpoint(host: "127.0.0.1", port: try Self.port(from: log, of: child))
    }

    /// Ends it as a person would.
    func stop() { child.end(by: SIGTERM) }

    /// A load is no flood, and may have many who never log in.
    private static let connectionsMax = "100000"

    private static let startTimeout: Int64 = 20_000_000_000

    private static func port(from log: String, of child: ChildProcess) throws(BenchError) -> UInt16
    {
        let deadline = tarn_monotonic_nanoseconds() + startTimeout
        var text = ""
        while tarn_monotonic_nanoseconds() < deadline {
            text = TextFile.read(log) ?? ""
            for line in text.split(separator: "\n") where line.contains(" listening ") {
                guard let place = line.firstRange(of: "address=") else { continue }
                let address = line[place.upperBound...].prefix { $0 != " " }
                if let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) {
                    return port
                }
            }
            usleep(5_000)
        }
        let last = text.split(separator: "\n").last.map(String.init) ?? "it said nothing"
        throw BenchError("The daemon did not start: \(last).")
    }
}
