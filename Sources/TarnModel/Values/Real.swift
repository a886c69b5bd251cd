/// A double as it was given, to the bit: two are the same when their bits are, so that a NaN is
/// itself and −0.0 is not 0.0, wherever it has been stored or sent meanwhile. How queries compare
/// numbers is another matter.
package struct Real: Hashable, Sendable {
    package let bits: UInt64

    package init(bits: UInt64) { self.bits = bits }

    package init(_ value: Double) { bits = value.bitPattern }

    package var value: Double { Double(bitPattern: bits) }
}

extension Real: Comparable {
    /// A total order: that of the numbers, −0.0 before 0.0, NaNs at the ends by their sign.
    package static func < (left: Real, right: Real) -> Bool { left.rank < right.rank }

    /// Larger for larger numbers: negative ones have all their bits turned round.
    package var rank: UInt64 { bits >> 63 == 1 ? ~bits : bits | 1 << 63 }
}

extension Real: ExpressibleByFloatLiteral, CustomStringConvertible {
    package init(floatLiteral value: Double) { self.init(value) }

    /// The shortest digits that name this number and no other.
    package var description: String { value.description }
}
