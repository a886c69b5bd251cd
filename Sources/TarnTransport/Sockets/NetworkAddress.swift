internal import Glibc

/// An address of IPv6, or one of IPv4 in the form that IPv6 has for it (`::ffff:192.0.2.1`), so
/// that the same peer is the same on whichever socket it came.
package struct NetworkAddress: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    private static let mappedIPv4: UInt64 = 0xFFFF << 32

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Nil for what is neither IPv4 nor IPv6.
    package init?(_ address: SocketAddress) {
        let bytes = withUnsafeBytes(of: address.storage) { Array($0.prefix(24)) }
        switch address.family {
        case AF_INET: self.init(ipv4: bytes[4..<8])
        case AF_INET6: self.init(ipv6: bytes[8..<24])
        default: return nil
        }
    }

    /// As `192.0.2.1` or `2001:db8::1`: no name, no brackets, no port, no zone.
    package init?(_ text: some StringProtocol) {
        var bytes = [UInt8](repeating: 0, count: 16)
        // A zero would end the text for the system before it ends here.
        guard !text.utf8.contains(0) else { return nil }
        if inet_pton(AF_INET, String(text), &bytes) == 1 {
            self.init(ipv4: bytes[0..<4])
        } else if inet_pton(AF_INET6, String(text), &bytes) == 1 {
            self.init(ipv6: bytes[0..<16])
        } else {
            return nil
        }
    }

    private init(ipv4 bytes: ArraySlice<UInt8>) {
        self.init(high: 0, low: Self.mappedIPv4 | Self.number(bytes))
    }

    private init(ipv6 bytes: ArraySlice<UInt8>) {
        self.init(high: Self.number(bytes.prefix(8)), low: Self.number(bytes.suffix(8)))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private var bytes: [UInt8] {
        [high, low].flatMap { part in
            (0..<8).map { UInt8(truncatingIfNeeded: part >> (56 - 8 * UInt64($0))) }
        }
    }

    package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// What one subscriber of a network usually has for himself: one address of IPv4, and 2^64 of
    /// IPv6 (RFC 6177), which he may change at will.
    package var subscriberRange: AddressRange {
        AddressRange(around: self, prefixLength: isIPv4 ? 128 : 64)
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// Without brackets; one of IPv4 in its own form.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let bytes = isIPv4 ? Array(self.bytes[12...]) : self.bytes
        inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(
            decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
