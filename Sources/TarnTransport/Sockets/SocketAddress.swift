internal import CLinux

/// Where a socket is: an address of IPv4 or IPv6, and a port.
package struct SocketAddress: Sendable {
    var storage: sockaddr_storage
    var byteCount: socklen_t

    init(storage: sockaddr_storage, byteCount: socklen_t) {
        self.storage = storage
        self.byteCount = byteCount
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// Without brackets, and without the port.
    package var host: String { texts.host }

    package var port: UInt16 { UInt16(texts.port) ?? 0 }

    private var texts: (host: String, port: String) {
        var storage = self.storage
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let result = tarn_address_text(
            &storage, byteCount, &host, socklen_t(host.count), &port, socklen_t(port.count))
        guard result == 0 else { return ("?", "0") }
        return (Self.string(host), Self.string(port))
    }

    private static func string(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The address that a socket is bound to.
    static func local(of socket: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var byteCount = socklen_t(MemoryLayout<sockaddr_storage>.size)
        guard tarn_local_address(socket, &storage, &byteCount) == 0 else { return nil }
        return SocketAddress(storage: storage, byteCount: byteCount)
    }
}

extension SocketAddress: CustomStringConvertible {
    package var description: String {
        let (host, port) = texts
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
