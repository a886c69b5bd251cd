/// Where a server is, as a person writes it.
package struct Endpoint: Equatable, Hashable, Sendable {
    package let host: String
    package let port: UInt16
    package let path: String

    package init(host: String, port: UInt16, path: String = "/sync") {
        self.host = host
        self.port = port
        self.path = path
    }

    /// Reads `host`, `host:port`, `[::1]:port` or `wss://host:port/path`. Nil if it is none.
    package init?(_ text: String, defaultPort: UInt16, defaultPath: String = "/sync") {
        var rest = Substring(text)
        if let range = rest.firstRange(of: "://") {
            guard rest[..<range.lowerBound] == "wss" else { return nil }
            rest = rest[range.upperBound...]
        }
        path = Self.takePath(from: &rest) ?? defaultPath
        guard Self.isPath(path) else { return nil }

        var host = rest
        var port: Substring?
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[rest.index(after: rest.startIndex)..<end]
            let after = rest[rest.index(after: end)...]
            guard after.isEmpty || after.first == ":" else { return nil }
            port = after.isEmpty ? nil : after.dropFirst()
        } else if let colon = rest.firstIndex(of: ":"), rest.lastIndex(of: ":") == colon {
            host = rest[..<colon]
            port = rest[rest.index(after: colon)...]
        }
        guard Self.isHost(host) else { return nil }
        self.host = String(host)
        guard let port else {
            self.port = defaultPort
            return
        }
        guard let number = UInt16(port), number > 0 else { return nil }
        self.port = number
    }

    private static func takePath(from text: inout Substring) -> String? {
        guard let slash = text.firstIndex(of: "/") else { return nil }
        let path = text[slash...]
        text = text[..<slash]
        return path == "/" ? nil : String(path)
    }

    /// Whether it can stand in a request; one that was read always can.
    var isWellFormed: Bool { Self.isHost(host[...]) && Self.isPath(path) && port > 0 }

    private static func isHost(_ host: Substring) -> Bool {
        !host.isEmpty && host.utf8.allSatisfy(isHostByte)
    }

    private static func isPath(_ path: String) -> Bool {
        path.first == "/" && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch UnicodeScalar(byte) {
        case "A"..."Z", "a"..."z", "0"..."9", ".", "-", "_", ":", "%": true
        default: false
        }
    }
}

extension Endpoint: CustomStringConvertible {
    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
