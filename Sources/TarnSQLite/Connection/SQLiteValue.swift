/// What a column holds. There are no floating-point numbers: no layout has them.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case int(Int64)
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

    package static func flag(_ value: Bool) -> SQLiteValue { .int(value ? 1 : 0) }

    /// An unsigned number by its bits: exact, and in its own order up to `Int64.max`.
    package static func bits(_ value: UInt64) -> SQLiteValue { .int(Int64(bitPattern: value)) }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
    package init(integerLiteral value: Int64) { self = .int(value) }
    package init(nilLiteral: ()) { self = .null }
}
