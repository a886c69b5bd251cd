/// The SHA-256 of a certificate: what a person compares, and what a client may pin.
package struct CertificateFingerprint: Equatable, Hashable, Sendable {
    package let bytes: [UInt8]

    package static let byteCount = 32

    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Reads 64 hexadecimal digits; colons and spaces between them do not matter.
    package init?(_ text: String) {
        var digits: [UInt8] = []
        for character in text where character != ":" && character != " " {
            guard let digit = character.hexDigitValue else { return nil }
            digits.append(UInt8(digit))
        }
        guard digits.count == Self.byteCount * 2 else { return nil }
        bytes = (0..<Self.byteCount).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
    }
}

extension CertificateFingerprint: CustomStringConvertible {
    /// As `openssl x509 -fingerprint` prints it.
    package var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
            .joined(separator: ":")
    }
}
