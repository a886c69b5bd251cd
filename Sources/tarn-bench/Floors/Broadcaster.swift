import Glibc
import TarnTransport

/// The least that a server of this transport can do: it echoes, or sends what it is told to all who
/// subscribed. It has no engine, no storage and no accounts.
///
/// It lives on one loop, on the thread that runs it. That is why it is Sendable without the
/// compiler's proof.
final class Broadcaster: @unchecked Sendable {
    /// The first byte of a message.
    enum Kind: UInt8 {
        case echo = 0x45
        case subscribe = 0x53
        case publish = 0x50
    }

    fileprivate var subscribers: [SecureConnection] = []

    static func message(_ kind: Kind, number: Int, byteCount: Int) -> [UInt8] {
        let head = [kind.rawValue] + Array(String(number).utf8) + [0x20]
        return head + [UInt8](repeating: 0x78, count: max(0, byteCount - head.count))
    }

    /// The part that serves: it says its port, and ends with its input.
    static func run(_ arguments: RoleArguments) throws(BenchError) {
        let run = try LoopRun()
        let broadcaster = Broadcaster()
        let certificate = try arguments.text("certificate")
        let key = try arguments.text("key")
        let listener: Listener
        do throws(TransportError) {
            let credentials = try TLSServerContext(certificatePath: certificate, keyPath: key)
            listener = try Listener(
                on: run.loop, host: "127.0.0.1", port: 0, credentials: credentials
            ) { _ in Listening(to: broadcaster) }
        } catch {
            throw BenchError(error.sentence)
        }
        BenchProgram.say("\(listener.port)")
        let input = try LineInput(on: run.loop) { line in
            if line == nil { run.finish() }
        }
        try run.phase("serving", atMost: .seconds(500)) {}
        withExtendedLifetime(input) { listener.stop() }
    }

    /// One connection of it.
    private final class Listening: ConnectionHandler {
        private let broadcaster: Broadcaster

        init(to broadcaster: Broadcaster) { self.broadcaster = broadcaster }

        func connectionOpened(_ connection: SecureConnection) {}

        func connectionReceived(
            _ payload: RawSpan, as kind: WebSocketMessage.Kind, on connection: SecureConnection
        ) {
            let first = payload.withUnsafeBytes { $0.first }
            switch first.flatMap(Kind.init(rawValue:)) {
            case .echo: connection.send(payload)
            case .subscribe:
                broadcaster.subscribers.append(connection)
                connection.send(payload)
            case .publish:
                for subscriber in broadcaster.subscribers { subscriber.send(payload) }
            case nil: connection.close(.unsupportedData)
            }
        }

        func connectionCaughtUp(_ connection: SecureConnection) {}

        func connectionDrained(_ connection: SecureConnection) {}
        func connectionEnded(_ end: ConnectionEnd) {}
    }
}

/// A broadcaster as a process of its own.
final class BroadcasterProcess {
    let endpoint: Endpoint
    private let child: ChildProcess
    var process: pid_t { child.process }

    init(on stage: Stage) throws(BenchError) {
        child = try ChildProcess(
            stage.program,
            [
                Role.verb, Role.broadcaster.rawValue, "certificate=\(stage.certificate)",
                "key=\(stage.key)",
            ], output: .pipe)
        guard let port = child.readLine().flatMap({ UInt16($0) }) else {
            throw BenchError("The broadcaster did not start.")
        }
        endpoint = Endpoint(host: "127.0.0.1", port: port)
    }
}
