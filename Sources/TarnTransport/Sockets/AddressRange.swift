/// All addresses that begin with the same bits.
package struct AddressRange: Hashable, Sendable {
    /// Its lowest address.
    package let first: NetworkAddress
    /// Of 128 bits; a range of IPv4 has at least 96.
    package let prefixLength: Int

    /// The range that has the address; a length out of 0 to 128 is our own mistake.
    package init(around address: NetworkAddress, prefixLength: Int) {
        precondition((0...128).contains(prefixLength), "an address has 128 bits")
        self.prefixLength = prefixLength
        first = NetworkAddress(
            high: address.high & Self.mask(prefixLength),
            low: address.low & Self.mask(prefixLength - 64))
    }

    /// As `10.0.0.0/8` or `2001:db8::/32`; an address alone is a range of one.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ NetworkAddress($0) }) else { return nil }
        let outside = address.isIPv4 ? 96 : 0
        switch parts.count {
        case 1:
            self.init(around: address, prefixLength: 128)
        case 2:
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let length = Int(parts[1]), length <= 128 - outside
            else { return nil }
            self.init(around: address, prefixLength: length + outside)
        default: return nil
        }
    }

    package func contains(_ address: NetworkAddress) -> Bool {
        AddressRange(around: address, prefixLength: prefixLength) == self
    }

    /// What reaches no other machine.
    package static let loopback = [
        AddressRange(
            around: NetworkAddress(high: 0, low: 0xFFFF_7F00_0000), prefixLength: 104),
        AddressRange(around: NetworkAddress(high: 0, low: 1), prefixLength: 128),
    ]

    /// With so many leading bits of 64 set.
    private static func mask(_ length: Int) -> UInt64 {
        length <= 0 ? 0 : length >= 64 ? .max : ~(.max >> UInt64(length))
    }
}
