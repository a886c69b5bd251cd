package import TarnModel

/// A predicate over numbers, with all constants in place.
package indirect enum BoundPredicate: Hashable, Sendable {
    case always(Bool)
    case all([BoundPredicate])
    case any([BoundPredicate])
    case not(BoundPredicate)
    case test(BoundTest)
}

/// One comparison: what is looked at, and what has to hold for it.
package struct BoundTest: Hashable, Sendable {
    package let subject: BoundOperand
    /// Says something only where the subject leads to many values; `any` elsewhere.
    package let quantifier: Quantifier
    package let condition: Condition
}

package enum BoundOperand: Hashable, Sendable {
    case path(BoundPath)
    /// How many values the path leads to.
    case count(BoundPath)
    case constant(Value)

    package var isMany: Bool { if case .path(let path) = self { path.isMany } else { false } }
}

/// What has to hold for a value. What it is compared with never leads to many values.
package enum Condition: Hashable, Sendable {
    /// One of the comparators that are for numbers, too. With `folds`, a constant is folded
    /// already.
    case compares(Comparator, with: BoundOperand, folds: Bool)
    /// With `subjectIsPart`, the other side is the text in which the subject is looked for.
    case contains(TextOperator, BoundOperand, folds: Bool, subjectIsPart: Bool)
    /// With `folds`, the pattern is folded already.
    case isLike(Text, folds: Bool)
    /// With `folds`, the values are folded already. A whole number stands as an int, whatever it is
    /// looked for in; NaN, which equals nothing, is left out, so that there may be no values.
    case isAmong(Set<Value>, folds: Bool)
    /// Both included; neither is null. Either may be NaN, and then nothing is between them.
    case isBetween(Value, Value)
    /// For links only.
    case leads(to: LinkEnd, isNegated: Bool)
    /// For links only: `@state`. The subject is the link.
    case hasState(Set<LinkState>)
}

package enum LinkEnd: Hashable, Sendable {
    case null
    /// An object of the link's class.
    case key(PrimaryKey)
    /// Where another link leads.
    case path(BoundPath)
}
