package import TarnModel

/// How queries compare values. Numbers are compared as numbers: an int with a double exactly, -0.0
/// as 0.0, and NaN with nothing.
extension Value {
    /// Null equals null; NaN equals nothing, itself included.
    package static func areEqual(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.int, .double), (.double, .int), (.double, .double):
            comparison(left, right) == 0
        default: left == right
        }
    }

    /// Below, at or above zero; nil where there is no order: with null, with NaN, across types
    /// that are not both numbers.
    package static func comparison(_ left: Value, _ right: Value) -> Int? {
        switch (left, right) {
        case (.int(let left), .int(let right)): order(left, right)
        case (.double(let left), .double(let right)): numericOrder(left.value, right.value)
        case (.int(let left), .double(let right)): numericOrder(left, right.value)
        case (.double(let left), .int(let right)): numericOrder(right, left.value).map { -$0 }
        case (.string(let left), .string(let right)): order(left, right)
        case (.date(let left), .date(let right)): order(left, right)
        case (.uuid(let left), .uuid(let right)): order(left, right)
        case (.bool(let left), .bool(let right)): order(left ? 1 : 0, right ? 1 : 0)
        default: nil
        }
    }

    /// Below, at or above zero, for sorting: null, then NaN, then every other value. Values of one
    /// property are of one type; there is no order across types.
    package static func order(_ left: Value, _ right: Value) -> Int {
        let ranks = (left.sortingRank, right.sortingRank)
        return ranks.0 == ranks.1 ? comparison(left, right) ?? 0 : order(ranks.0, ranks.1)
    }

    private var sortingRank: Int {
        switch self {
        case .null: 0
        case .double(let value) where value.value.isNaN: 1
        default: 2
        }
    }

    /// One value for all that are equal to each other, so that a set can be asked for it; nil for
    /// NaN, which equals nothing.
    package var representative: Value? {
        guard case .double(let real) = self else { return self }
        if real.value.isNaN { return nil }
        // Also of -0.0, which thereby becomes 0.
        return Int64(exactly: real.value).map(Value.int) ?? self
    }

    private static func order<Element: Comparable>(_ left: Element, _ right: Element) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    private static func numericOrder(_ left: Double, _ right: Double) -> Int? {
        left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
    }

    /// Without turning the int into a double, which has 53 bits of precision only.
    private static func numericOrder(_ int: Int64, _ double: Double) -> Int? {
        if double.isNaN { return nil }
        let whole = double.rounded(.down)
        guard let floor = Int64(exactly: whole) else { return whole < 0 ? 1 : -1 }
        if int != floor { return int < floor ? -1 : 1 }
        return whole < double ? -1 : 0
    }
}
