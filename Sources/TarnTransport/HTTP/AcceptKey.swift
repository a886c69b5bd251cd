internal import COpenSSL

/// How a WebSocket server shows that it has read the client's key (RFC 6455, section 4.2.2).
enum AcceptKey {
    static func answer(to key: String) -> String {
        let input = Array(key.utf8) + Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        let done = EVP_Digest(input, input.count, &digest, nil, EVP_sha1(), nil)
        precondition(done == 1, "this libcrypto has no SHA-1")
        return base64(digest)
    }

    static func base64(_ bytes: [UInt8]) -> String {
        precondition(bytes.count <= 1024, "keys and digests are short")
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text.prefix(Int(count)), as: UTF8.self)
    }

    /// Whether it is sixteen bytes in base64: 22 digits, the last of which has four bits of zeros.
    static func isKey(_ text: String) -> Bool {
        let characters = Array(text.utf8)
        guard characters.count == 24, characters.suffix(2) == [0x3D, 0x3D] else { return false }
        guard "AQgw".utf8.contains(characters[21]) else { return false }
        return characters.prefix(21).allSatisfy { byte in
            switch UnicodeScalar(byte) {
            case "A"..."Z", "a"..."z", "0"..."9", "+", "/": true
            default: false
            }
        }
    }
}
