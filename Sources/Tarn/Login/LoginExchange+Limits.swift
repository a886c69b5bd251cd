import TarnClient
import TarnProtocol

extension LoginExchange.Goal {
    /// Throws where a part is longer than the protocol allows: the server would just hang up.
    func expectFitting() throws(TarnError) {
        switch self {
        case .login(.password(let name, let password, _)):
            try Self.expect(name, "a user's name", .nameInvalid)
            try Self.expect(password, "a password", .requestInvalid)
        case .login(.nickname(let name)):
            try Self.expect(name, "a user's name", .nameInvalid)
        case .login(.token(let token)), .logout(let token):
            try Self.expect(token, "a token", .requestInvalid)
        }
    }

    private static func expect(
        _ text: String, _ what: String, _ code: TarnError.Code
    ) throws(TarnError) {
        let count = text.utf8.count
        guard count <= ProtocolLimits.credentialBytesMax else {
            // What is too long is not repeated: it may be secret.
            throw TarnError(
                code,
                "\(what) has at most \(ProtocolLimits.credentialBytesMax) bytes; this one has "
                    + "\(count).")
        }
    }
}
