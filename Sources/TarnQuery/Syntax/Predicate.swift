package import TarnModel

/// What a query asks of an object.
package indirect enum Predicate: Hashable, Sendable {
    /// TRUEPREDICATE or FALSEPREDICATE.
    case always(Bool)
    /// AND, of two or more, none of which is an AND itself.
    case all([Predicate])
    /// OR, of two or more, none of which is an OR itself.
    case any([Predicate])
    case not(Predicate)
    case comparison(Comparison)
    /// `subject IN {…}`
    case membership(Membership)
    /// `subject BETWEEN {lower, upper}`, both included.
    case range(Operand, lower: Literal, upper: Literal)
}

package struct Comparison: Hashable, Sendable {
    package let left: Operand
    package let comparator: Comparator
    /// `[c]`: upper and lower case are the same.
    package let folds: Bool
    /// A literal stands on this side, if the comparator has a mirror image.
    package let right: Operand
}

package struct Membership: Hashable, Sendable {
    package let subject: Operand
    package let folds: Bool
    package let values: [Literal]
}

package enum Operand: Hashable, Sendable {
    case path(PropertyPath, Quantifier?)
    /// `path.@count`
    case count(PropertyPath)
    /// `path.@state`
    case state(PropertyPath, Quantifier?)
    case literal(Literal)
}

package struct Literal: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case value(Value)
        /// `$user`
        case user
        /// `$0` and so on
        case argument(Int)
    }

    package let content: Content
    let position: TextPosition
}

/// Of how many of a collection's elements something has to hold.
package enum Quantifier: String, Hashable, Sendable {
    /// At least one: what a path through a collection means where nothing is said.
    case any = "ANY"
    /// Each; so it holds for an empty collection.
    case all = "ALL"
    case none = "NONE"
}

package enum Comparator: String, Hashable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"

    /// What says the same with the sides exchanged; nil where nothing does.
    var mirrored: Comparator? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .beginsWith, .endsWith, .contains, .like: nil
        }
    }

    /// Whether it is for strings alone.
    var isTextual: Bool { mirrored == nil }

    var mayFold: Bool { isTextual || self == .equal || self == .notEqual }
}

extension Operand {
    var position: TextPosition {
        switch self {
        case .path(let path, _), .count(let path), .state(let path, _): path.position
        case .literal(let literal): literal.position
        }
    }

    var isLiteral: Bool { if case .literal = self { true } else { false } }
}
