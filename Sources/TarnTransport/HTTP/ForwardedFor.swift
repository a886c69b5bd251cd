/// For whom a proxy speaks, by the header `X-Forwarded-For`: a list to which each proxy on the way
/// has added the address that it was asked from. Anybody can begin such a list, so it is believed
/// only as far back as trusted proxies wrote it.
enum ForwardedFor {
    /// The last address of the list that is no trusted proxy's, or its first if all are. Nil if the
    /// peer is no trusted proxy, or has said nothing that can be understood: then the peer itself
    /// is all that is known.
    static func client(
        _ list: [String], of peer: NetworkAddress, trusted: [AddressRange]
    ) -> NetworkAddress? {
        guard trusted.contains(where: { $0.contains(peer) }) else { return nil }
        var client: NetworkAddress?
        for element in list.reversed() {
            guard let address = address(element) else { return nil }
            client = address
            guard trusted.contains(where: { $0.contains(address) }) else { break }
        }
        return client
    }

    /// Reads `192.0.2.1` or `2001:db8::1`; some proxies write a port behind it, and then brackets
    /// around the latter.
    private static func address(_ text: String) -> NetworkAddress? {
        var host = text[...]
        var port: Substring?
        if host.first == "[" {
            guard let end = host.firstIndex(of: "]") else { return nil }
            let rest = host[host.index(after: end)...]
            host = host[..<end].dropFirst()
            guard host.contains(":"), rest.isEmpty || rest.first == ":" else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = host.firstIndex(of: ":"), host.lastIndex(of: ":") == colon {
            port = host[host.index(after: colon)...]
            host = host[..<colon]
        }
        if let port {
            guard !port.isEmpty, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                UInt16(port) != nil
            else { return nil }
        }
        return NetworkAddress(host)
    }
}
