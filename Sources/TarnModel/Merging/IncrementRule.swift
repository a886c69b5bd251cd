/// What was added to an int, and at which version.
package struct Increment: Hashable, Sendable {
    package let version: Version
    package let author: ReplicaID
    package let amount: Int64

    package init(version: Version, author: ReplicaID, amount: Int64) {
        self.version = version
        self.author = author
        self.amount = amount
    }
}

/// Adding commutes with adding, and survives a set that did not know of it. The law: increments and
/// the sets that they meet come to the same number, whichever is committed first.
package enum IncrementRule {
    /// Adds to what stands, in the order of commits: wrapping, so that no order makes a difference.
    /// Nil where nothing stands that could be added to.
    package static func adding(_ amount: Int64, to present: Value) -> Value? {
        if case .int(let value) = present { .int(value &+ amount) } else { nil }
    }

    /// What a value becomes that is set: it replaces what its author had seen, and what others
    /// added after that survives it.
    ///
    /// - Parameters:
    ///   - increments: those of the property that are remembered.
    ///   - base: what the author of the set had integrated; he knows his own, too.
    package static func value(
        setTo value: Value, by author: ReplicaID, base: Version, surviving increments: [Increment]
    ) -> Value {
        guard case .int(let number) = value else { return value }
        let sum = increments.filter { $0.version > base && $0.author != author }
            .reduce(0 as Int64) { $0 &+ $1.amount }
        return .int(number &+ sum)
    }
}
