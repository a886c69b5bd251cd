/// Whether a value may stand that no other object may have. The law: after each transaction, no two
/// objects of a class have the same value of a unique property.
package enum UniqueRule {
    /// - Parameters:
    ///   - value: what the property holds at the end of the transaction.
    ///   - others: how many other objects hold the same.
    package static func refuses(_ value: Value, others: Int) -> Bool {
        // Nothing is not the same as nothing.
        value != .null && others > 0
    }
}
