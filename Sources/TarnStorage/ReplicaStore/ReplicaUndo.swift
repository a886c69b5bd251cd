/// What it takes to set one transaction of this replica back.
package struct UndoEntry: Hashable, Sendable {
    package enum State: UInt64, Sendable {
        case done = 0
        /// Another transaction has set it back.
        case undone = 1
        /// It set another one back itself.
        case undoing = 2
    }

    package let sequence: UInt64
    package var state: State
    /// In a form of the engine's. Empty for one that is too large to be set back.
    package let record: [UInt8]

    package init(sequence: UInt64, state: State, record: [UInt8]) {
        self.sequence = sequence
        self.state = state
        self.record = record
    }
}

/// The last transactions that were written here, to be taken back by whoever wrote them. What the
/// server has decided of them makes no difference.
package protocol ReplicaUndo {
    /// Keeps an entry, and drops the oldest beyond `ReplicaLimits.undoMax`. One of that sequence is
    /// replaced.
    func keepUndo(_ entry: UndoEntry) throws(StorageError)
    func undoEntry(_ sequence: UInt64) throws(StorageError) -> UndoEntry?
    /// The newest that is done and not undone.
    func lastDone() throws(StorageError) -> UndoEntry?
    /// Forgets one; not an error where it is not there.
    func dropUndo(_ sequence: UInt64) throws(StorageError)
    /// Forgets all.
    func dropUndo() throws(StorageError)
}
