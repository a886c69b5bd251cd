internal import Synchronization

/// A number that one thread changes and any may read, a moment late: on the changing side it costs
/// a load and a store, and no lock.
package struct Tally: ~Copyable, Sendable {
    private let value = Atomic(0)

    package init() {}

    package var count: Int { value.load(ordering: .relaxed) }

    /// On the one thread that changes it.
    package func add(_ difference: Int) {
        value.store(value.load(ordering: .relaxed) &+ difference, ordering: .relaxed)
    }
}
