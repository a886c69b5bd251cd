/// A link of a replica's hash chain: the first 16 bytes of SHA-256 over the previous link and the
/// transaction's body as it was first sent. The chain begins with 16 zero bytes.
package struct ChainHash: Hashable, Sendable {
    package static let byteCount = 16
    package static let zero = ChainHash(high: 0, low: 0)
    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Takes the first 16 bytes; nil where there are fewer.
    package init?(prefixOf bytes: [UInt8]) {
        guard bytes.count >= Self.byteCount else { return nil }
        high = bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    package var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

    /// The next link, by the SHA-256 that is handed in.
    package func extended(by body: [UInt8], sha256: (_ bytes: [UInt8]) -> [UInt8]) -> ChainHash {
        let digest = sha256(bytes + body)
        guard let next = ChainHash(prefixOf: digest) else {
            preconditionFailure("SHA-256 has 32 bytes")
        }
        return next
    }
}

extension ChainHash: CustomStringConvertible {
    package var description: String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 2 ? digits : "0" + digits
        }.joined()
    }
}
