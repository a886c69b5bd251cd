internal import CLinux
internal import Glibc

/// Finds the addresses of a name. The system's call blocks, so it has a thread of its own.
enum Resolver {
    /// Answers on the loop's thread; at once if the host is an address.
    static func resolve(
        _ endpoint: Endpoint, on loop: EventLoop,
        then: @escaping @Sendable (Result<[SocketAddress], TransportError>) -> Void
    ) {
        if let addresses = try? addresses(of: endpoint.host, endpoint.port, flags: AI_NUMERICHOST) {
            return then(.success(addresses))
        }
        let lookup = Unmanaged.passRetained(Lookup(endpoint: endpoint, loop: loop, then: then))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Lookup>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, lookup.toOpaque())
        guard result == 0 else {
            lookup.release()
            return then(
                .failure(SystemError.numbered(result, "Names cannot be looked up")))
        }
        pthread_detach(thread)
    }

    private final class Lookup: Sendable {
        let endpoint: Endpoint
        let loop: EventLoop
        let then: @Sendable (Result<[SocketAddress], TransportError>) -> Void

        init(
            endpoint: Endpoint, loop: EventLoop,
            then: @escaping @Sendable (Result<[SocketAddress], TransportError>) -> Void
        ) {
            self.endpoint = endpoint
            self.loop = loop
            self.then = then
        }

        func run() {
            let result = Result { () throws(TransportError) in
                try addresses(of: endpoint.host, endpoint.port, flags: AI_ADDRCONFIG)
            }
            loop.execute { [then] in then(result) }
        }
    }

    /// In the order in which the system would try them. Blocks if the host is a name.
    static func addresses(
        of host: String?, _ port: UInt16, flags: Int32
    ) throws(TransportError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_flags = flags | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, String(port), &hints, &list)
        guard result == 0 else {
            let reason = gai_strerror(result).map { String(cString: $0) } ?? "error \(result)"
            throw TransportError(
                .nameNotFound, "The host \(host ?? "") cannot be found: \(reason).")
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let address = entry.ai_addr else { continue }
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) { target in
                let count = min(Int(entry.ai_addrlen), target.count)
                target.copyMemory(from: UnsafeRawBufferPointer(start: address, count: count))
            }
            addresses.append(SocketAddress(storage: storage, byteCount: entry.ai_addrlen))
        }
        guard !addresses.isEmpty else {
            throw TransportError(.nameNotFound, "The host \(host ?? "") has no address.")
        }
        return addresses
    }
}
