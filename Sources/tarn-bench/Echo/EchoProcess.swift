import Glibc
import TarnTransport

/// An echo server as a process of its own: ours, or the floor in C.
final class EchoProcess {
    enum Kind: String, CaseIterable {
        case tarn
        /// In C, with OpenSSL's memory BIOs.
        case floorMemory = "floor-memory"
        /// In C, OpenSSL reading and writing the socket.
        case floorDescriptor = "floor-descriptor"
    }

    let kind: Kind
    let endpoint: Endpoint
    private let child: ChildProcess
    var process: pid_t { child.process }

    init(_ kind: Kind, on stage: Stage) throws(BenchError) {
        self.kind = kind
        child =
            switch kind {
            case .tarn:
                try ChildProcess(
                    stage.program,
                    [
                        Role.verb, Role.daemon.rawValue, stage.program, EchoServer.verb,
                        "--certificate", stage.certificate, "--key", stage.key,
                    ], output: .pipe)
            case .floorMemory, .floorDescriptor:
                try ChildProcess(
                    stage.echoFloor,
                    [
                        stage.certificate, stage.key,
                        kind == .floorMemory ? "memory" : "descriptor",
                    ], output: .pipe)
            }
        let digits = child.readLine().flatMap { line in
            line.split(separator: ":").last?.prefix { $0.isNumber }
        }
        guard let port = digits.flatMap({ UInt16($0) }) else {
            throw BenchError("The echo server \(kind.rawValue) did not start.")
        }
        endpoint = Endpoint(host: "127.0.0.1", port: port)
    }

    deinit { child.end(by: SIGTERM) }
}
