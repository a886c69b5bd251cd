package import TarnModel

/// What a column holds.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case int(Int64)
    /// Never a NaN, which SQLite would write as null: `number(_:)` makes a blob of it.
    case real(Real)
    case text(String)
    case blob([UInt8])

    package init(_ value: Int64?) {
        self = if let value { .int(value) } else { .null }
    }

    package init(_ value: String?) {
        self = if let value { .text(value) } else { .null }
    }

    package init(_ value: [UInt8]?) {
        self = if let value { .blob(value) } else { .null }
    }

    /// A double to the bit: as a REAL, and a NaN as the eight bytes of it, the highest first. It
    /// must stand in a column without an affinity, which would make an int of 1.0 and lose the sign
    /// of -0.0.
    package static func number(_ value: Real) -> SQLiteValue {
        value.value.isNaN ? .blob(value.bits.bigEndianBytes) : .real(value)
    }

    package static func flag(_ value: Bool) -> SQLiteValue { .int(value ? 1 : 0) }

    /// An unsigned number by its bits: exact, and in its own order up to `Int64.max`.
    package static func bits(_ value: UInt64) -> SQLiteValue { .int(Int64(bitPattern: value)) }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(nilLiteral: ()) { self = .null }
}
