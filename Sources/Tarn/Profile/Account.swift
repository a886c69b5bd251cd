package import TarnTransport

/// Who uses a profile, of which server, and why that server is believed.
package struct Account: Equatable, Sendable {
    package let server: Endpoint
    package let user: String
    /// What the server gave for the password; whoever has it is the user.
    package var token: String
    package let trust: TLSClientContext.Trust

    package init(
        server: Endpoint, user: String, token: String, trust: TLSClientContext.Trust
    ) {
        self.server = server
        self.user = user
        self.token = token
        self.trust = trust
    }
}

/// The account file:
///
///     tarn-account 1
///     server localhost:8276
///     path /sync
///     user alice
///     token 5f2c…
///     trust system | authority PATH | pinned FINGERPRINT
extension Account {
    static let bytesMax = 16_384
    private static let head = "tarn-account 1"

    var text: String {
        let trust =
            switch trust {
            case .system: "system"
            case .authority(let path): "authority \(path)"
            case .pinned(let fingerprint): "pinned \(fingerprint)"
            }
        return """
            \(Self.head)
            server \(server)
            path \(server.path)
            user \(user)
            token \(token)
            trust \(trust)

            """
    }

    /// Whether every part keeps to its line, and the whole to its limit.
    var isWritable: Bool {
        let path = if case .authority(let path) = trust { path } else { "" }
        return [user, token, server.path, path].allSatisfy { !$0.utf8.contains(0x0A) }
            && !user.isEmpty && !token.isEmpty && text.utf8.count <= Self.bytesMax
    }

    /// Throws a sentence that says what is wrong with the text.
    init(text: String) throws(TarnError) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard let first = lines.popFirst() else { throw Self.corrupt("it is empty") }
        guard first == Self.head else {
            throw Self.corrupt(
                first.hasPrefix("tarn-account ")
                    ? "a newer program has written it" : "it does not begin as one")
        }
        // The end of the last line shows that the file is whole.
        guard lines.popLast() == "" else { throw Self.corrupt("it ends in the middle of a line") }
        var fields: [String: String] = [:]
        for line in lines {
            let parts = line.split(
                separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[1].isEmpty,
                fields.updateValue(String(parts[1]), forKey: String(parts[0])) == nil
            else { throw Self.corrupt("a line of it makes no sense") }
        }
        guard let address = fields["server"], let path = fields["path"], path.hasPrefix("/"),
            let server = Endpoint(address, defaultPort: Server.defaultPort, defaultPath: path)
        else { throw Self.corrupt("it names no server") }
        guard let user = fields["user"] else { throw Self.corrupt("it names no user") }
        guard let token = fields["token"] else { throw Self.corrupt("it holds no token") }
        guard let trust = fields["trust"].flatMap(Self.trust) else {
            throw Self.corrupt("it does not say which certificate to trust")
        }
        self.init(server: server, user: user, token: token, trust: trust)
    }

    private static func trust(_ text: String) -> TLSClientContext.Trust? {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch parts.first {
        case "system" where parts.count == 1: return .system
        case "authority" where parts.count == 2: return .authority(parts[1])
        case "pinned" where parts.count == 2:
            return CertificateFingerprint(parts[1]).map { .pinned($0) }
        default: return nil
        }
    }

    private static func corrupt(_ why: String) -> TarnError {
        TarnError(
            .accountCorrupt, "the account file cannot be understood: \(why).",
            advice: "Move it away and log in again; no work is lost by that.")
    }
}

/// Where a server is, when only its host is said.
package enum Server {
    /// T-A-R-N on a telephone.
    package static let defaultPort: UInt16 = 8276

    package static func endpoint(_ text: String) throws(TarnError) -> Endpoint {
        guard let endpoint = Endpoint(text, defaultPort: defaultPort) else {
            throw TarnError(
                .serverInvalid, "\"\(text)\" is no server.",
                advice: "A server is written HOST or HOST:PORT.")
        }
        return endpoint
    }
}
