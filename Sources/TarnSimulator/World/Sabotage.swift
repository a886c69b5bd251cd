/// A fault that a test plants, to see that the checkers see it.
package enum Sabotage: CaseIterable, Sendable {
    /// The server publishes what is not in the log yet.
    case publishesEarly
    /// A connection does not keep the order of what it carries.
    case reordersMessages
    /// A realm's store has another value than the log.
    case changesServerValue
    /// A replica loses what the server last said of an object that pending work touches.
    case dropsShadow
    /// A replica loses an element of what a subscription holds.
    case dropsMember
    /// A replica's disk loses a write that has returned.
    case losesWrite
}
