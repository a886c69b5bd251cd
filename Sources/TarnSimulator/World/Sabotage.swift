/// A fault that a test plants, to see that the checkers see it.
package enum Sabotage: Sendable {
    /// The server publishes what is not in the log yet.
    case publishesEarly
    /// The log forgets a batch that it has confirmed.
    case forgetsBatch
    /// A realm's store loses a value that the log has.
    case changesServerValue
    /// A replica loses what the server last said of an object that pending work touches.
    case dropsShadow
    /// A replica loses an element of what a subscription holds.
    case dropsMember
    /// A replica's disk loses a write that has returned.
    case losesWrite
}
