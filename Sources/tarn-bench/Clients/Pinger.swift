import CLinux
import Glibc
import TarnTransport

/// The part that has a session, and asks at a steady pace whether anybody is there, by the pings of
/// WebSocket. Its socket blocks and it has no loop, so that what it measures is the server.
final class Pinger {
    private let descriptor: Int32
    private let session: TLSSession
    private var webSocket = WebSocketConnection(role: .client)
    private var output = ByteQueue()
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 8)

    /// Between two pings.
    private static let pace: Int64 = 5_000_000

    /// Told `ping COUNT`, it answers with as many times in nanoseconds, and `done`.
    static func run(_ arguments: RoleArguments) throws(BenchError) {
        let pinger = try Pinger(
            port: UInt16(clamping: try arguments.number("port")),
            trust: try LoopRun.trust(arguments.text("authority")))
        BenchProgram.say("ready")
        while let line = readLine() {
            guard let count = line.split(separator: " ").last.flatMap({ Int($0) }) else { continue }
            let times = try pinger.ping(count)
            BenchProgram.say(times.map { "\($0)\n" }.joined() + "done")
        }
    }

    private init(port: UInt16, trust: TLSClientContext) throws(BenchError) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = descriptor
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw BenchError("The pinger cannot connect.") }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
        do throws(TransportError) {
            session = try TLSSession(client: trust, host: "127.0.0.1", port: port)
        } catch {
            throw BenchError(error.sentence)
        }
        try open(port)
    }

    deinit {
        close(descriptor)
        scratch.deallocate()
    }

    private func open(_ port: UInt16) throws(BenchError) {
        var random = SystemRandomNumberGenerator()
        var upgrade = ClientUpgrade(
            host: "127.0.0.1", port: port, path: "/sync", subprotocols: ["tarn.1"],
            key: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
        var state = try take([]) { _ in }
        while state == .handshaking { state = try take(try read()) { _ in } }
        output.append(upgrade.request)
        try flush()
        var isOpen = false
        while !isOpen {
            var problem: TransportError?
            _ = try take(try read()) { plain in
                do throws(TransportError) {
                    if try upgrade.receive(plain.bytes) != nil { isOpen = true }
                } catch {
                    problem = error
                }
            }
            if let problem { throw BenchError(problem.sentence) }
        }
    }

    /// Each time is from when the ping was due if the one before was still under way by then: who
    /// comes late because others took long has waited for them as well.
    private func ping(_ count: Int) throws(BenchError) -> [Int64] {
        var times: [Int64] = []
        var due = tarn_monotonic_nanoseconds()
        var returned = due
        for _ in 0..<count {
            due += Self.pace
            let wait = due - tarn_monotonic_nanoseconds()
            if wait > 0 { usleep(UInt32(wait / 1000)) }
            let begin = returned > due ? due : tarn_monotonic_nanoseconds()
            webSocket.sendPing(to: &output)
            try flush()
            try awaitPong()
            returned = tarn_monotonic_nanoseconds()
            times.append(returned - begin)
        }
        return times
    }

    private func awaitPong() throws(BenchError) {
        var isBack = false
        while !isBack {
            _ = try take(try read()) { [self] plain in
                var events: [WebSocketEvent] = []
                webSocket.receive(plain.bytes, events: &events, output: &output)
                if events.contains(.pong([])) { isBack = true }
            }
            // The server asks as well.
            if !output.isEmpty { try flush() }
        }
    }

    // MARK: - Bytes

    private func read() throws(BenchError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { throw BenchError("The server hung up on the pinger.") }
        return Array(bytes[..<count])
    }

    private func take(
        _ bytes: [UInt8], deliver: (UnsafeRawBufferPointer) -> Void
    ) throws(BenchError) -> TLSSession.State {
        do {
            let state = try bytes.withUnsafeBytes { bytes in
                try session.receive(bytes, scratch: scratch) { deliver(UnsafeRawBufferPointer($0)) }
            }
            session.takeOutput { write($0) }
            return state
        } catch {
            throw BenchError("The pinger failed: \(error)")
        }
    }

    private func flush() throws(BenchError) {
        let bytes = output.takeAll()
        do {
            try bytes.withUnsafeBytes { bytes in
                try session.send(bytes, scratch: scratch) { write($0) }
            }
        } catch {
            throw BenchError("The pinger failed: \(error)")
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        max(Glibc.write(descriptor, bytes.baseAddress, bytes.count), 0)
    }
}
