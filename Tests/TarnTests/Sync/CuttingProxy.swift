import Glibc
import Synchronization

/// Stands between a client and a server, and cuts the first connections when so many bytes have
/// come from the client, as a bad line does. It knows nothing of what goes through it.
///
/// Its thread has the sockets; the count is guarded by itself.
final class CuttingProxy: Sendable {
    let port: UInt16
    private let listener: Int32
    private let server: UInt16
    /// Bytes of the client's after which its first, second, … connection is cut.
    private let cuts: [Int]
    private let count = Mutex(0)

    struct NotMade: Error {}

    init(to server: UInt16, cuts: [Int]) throws {
        self.server = server
        self.cuts = cuts
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        var address = Self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isBound else { throw NotMade() }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(listener) }

    /// Connections that there have been.
    var connectionCount: Int { count.withLock { $0 } }

    /// Serves one connection after the other, until `stop`; on a thread of its own.
    func run() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            let number = count.withLock { number in
                number += 1
                return number - 1
            }
            let peer = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = Self.address(port: server)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(peer, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isConnected {
                pass(client, peer, upTo: cuts.indices.contains(number) ? cuts[number] : .max)
            }
            close(client)
            close(peer)
        }
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func pass(_ client: Int32, _ peer: Int32, upTo limit: Int) {
        var left = limit
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while left > 0 {
            var waits = [client, peer].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&waits, 2, 30_000) > 0 else { return }
            for (index, (from, to)) in [(client, peer), (peer, client)].enumerated()
            where waits[index].revents != 0 {
                var length = read(from, &buffer, buffer.count)
                guard length > 0 else { return }
                if from == client {
                    length = min(length, left)
                    left -= length
                }
                var sent = 0
                while sent < length {
                    let more = buffer.withUnsafeBytes {
                        send(
                            to, $0.baseAddress?.advanced(by: sent), length - sent,
                            Int32(MSG_NOSIGNAL))
                    }
                    guard more > 0 else { return }
                    sent += more
                }
            }
        }
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
