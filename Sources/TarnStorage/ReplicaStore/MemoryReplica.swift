import Synchronization

/// One replica in memory: what several `MemoryReplicaStore`s have in common, as processes have a
/// file. It outlives them, and can lose its power.
package final class MemoryReplica: Sendable {
    private struct Contents {
        var committed = MemoryReplicaState()
        /// What a crash of the machine leaves.
        var durable = MemoryReplicaState()
        var writer: ObjectIdentifier?
        /// Counts the machine's starts: a transaction from before a crash is no more.
        var boots = 0
    }

    /// The only shared state. Each call holds the lock for a copy of a few references, and calls
    /// nobody meanwhile.
    private let contents = Mutex(Contents())

    package init() {}

    /// The machine stops and starts again: every open transaction is gone, and so is what was
    /// committed as relaxed after the last full commit.
    package func crash() {
        contents.withLock {
            $0.committed = $0.durable
            $0.writer = nil
            $0.boots += 1
        }
    }

    /// Another one with what is committed in this one, as a copied folder has it.
    package func copied() -> MemoryReplica {
        let copy = MemoryReplica()
        let state = contents.withLock { $0.committed }
        copy.contents.withLock { ($0.committed, $0.durable) = (state, state) }
        return copy
    }

    /// The committed state, and the boot that it is of.
    func read() -> (state: MemoryReplicaState, boot: Int) {
        contents.withLock { ($0.committed, $0.boots) }
    }

    /// The same for one who will write; nil while somebody else does.
    func lock(for writer: ObjectIdentifier) -> (state: MemoryReplicaState, boot: Int)? {
        contents.withLock {
            guard $0.writer == nil else { return nil }
            $0.writer = writer
            return ($0.committed, $0.boots)
        }
    }

    /// False where the machine has crashed since.
    func commit(_ state: MemoryReplicaState, _ durability: Durability, of boot: Int) -> Bool {
        contents.withLock {
            guard $0.boots == boot else { return false }
            $0.committed = state
            if durability == .full { $0.durable = state }
            $0.writer = nil
            return true
        }
    }

    func unlock(of boot: Int) {
        contents.withLock { if $0.boots == boot { $0.writer = nil } }
    }
}
