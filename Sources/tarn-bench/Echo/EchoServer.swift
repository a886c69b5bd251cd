import Glibc
import TarnTransport

/// `tarn-bench echo-server`: the transport's server with nothing behind it, for whoever wants to
/// hold it against others or against a test suite. It takes every path and every subprotocol.
enum EchoServer {
    static let verb = "echo-server"

    private struct Arguments {
        var host = "127.0.0.1"
        var port: UInt16 = 0
        var certificate: String?
        var key: String?

        init(_ words: [String]) throws(BenchError) {
            var rest = words[...]
            while let word = rest.popFirst() {
                guard let value = rest.popFirst(), !value.isEmpty else {
                    throw .usage("\(word) is no option of echo-server, or needs a value.")
                }
                switch word {
                case "--host": host = value
                case "--port": port = try Self.port(value)
                case "--certificate": certificate = value
                case "--key": key = value
                default: throw .usage("There is no option \"\(word)\"; see tarn-bench --help.")
                }
            }
        }

        private static func port(_ text: String) throws(BenchError) -> UInt16 {
            guard let port = UInt16(text) else {
                throw .usage("--port is a number up to 65535, and \"\(text)\" is none.")
            }
            return port
        }
    }

    /// Says where it listens, and serves until it is told to end by SIGTERM or SIGINT.
    static func run(_ words: [String]) throws(BenchError) {
        let arguments = try Arguments(words)
        switch (arguments.certificate, arguments.key) {
        case (let certificate?, let key?):
            try serve(arguments, certificate: certificate, key: key)
        case (nil, nil):
            let stage = try Stage(folder: nil, daemon: nil)
            defer { stage.remove() }
            try serve(arguments, certificate: stage.certificate, key: stage.key)
        default:
            throw .usage("--certificate and --key are given together.")
        }
    }

    private static func serve(
        _ arguments: Arguments, certificate: String, key: String
    ) throws(BenchError) {
        let run = try LoopRun()
        let signals = try SignalInput([SIGTERM, SIGINT], on: run.loop) { run.loop.stop() }
        let listener: Listener
        do throws(TransportError) {
            let credentials = try TLSServerContext(certificatePath: certificate, keyPath: key)
            listener = try Listener(
                on: run.loop, host: arguments.host, port: arguments.port, credentials: credentials,
                policy: UpgradePolicy(path: nil, subprotocols: nil), limits: EchoHandler.limits
            ) { _ in EchoHandler() }
        } catch {
            throw BenchError(error.sentence)
        }
        BenchProgram.say("listening on wss://\(listener.address)/")
        withExtendedLifetime(signals) { run.loop.runOnCurrentThread() }
        listener.stop()
    }
}
