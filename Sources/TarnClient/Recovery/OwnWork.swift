import TarnModel
import TarnStorage

/// The transactions of its own that a server may lack, in the order in which they were written.
struct OwnWork {
    struct Item {
        let id: TransactionID
        let hash: ChainHash
        /// From the archive: a server has decided it once. Otherwise it is in the outbox.
        let isArchived: Bool
    }

    private(set) var items: [Item] = []
    /// One for each id that the replica has had, the present one last.
    private(set) var chains: [OwnChain] = []

    /// - Parameter version: what the server has is above it nothing that is known here; nil where
    ///   it has all that it ever told.
    init(
        of identity: ReplicaIdentity, in store: any ReplicaStore, lostAbove version: Version?
    ) throws {
        let state = try store.chain()
        var before = ChainState.Link(
            sequence: state.acknowledgedSequence, hash: state.acknowledgedHash)
        var first = 0
        var last: TransactionID?
        for id in try version.map({ try store.archivedIDs(after: $0) }) ?? [] {
            guard let archived = try store.archived(id) else { continue }
            if last?.replica != id.replica || last?.sequence != id.sequence - 1 {
                close(from: first, before)
                first = items.count
                before = ChainState.Link(sequence: id.sequence - 1, hash: archived.previous)
            }
            items.append(Item(id: id, hash: archived.sealed.hash, isArchived: true))
            last = id
        }
        let present = TransactionID(
            replica: identity.replica, sequence: state.acknowledgedSequence)
        if last != present {
            close(from: first, before)
            first = items.count
            before = ChainState.Link(
                sequence: state.acknowledgedSequence, hash: state.acknowledgedHash)
        }
        try store.forEachPending(after: state.acknowledgedSequence) { entry in
            let id = TransactionID(replica: identity.replica, sequence: entry.sequence)
            items.append(Item(id: id, hash: entry.sealed.hash, isArchived: false))
        }
        let rest = first..<items.count
        chains.append(
            OwnChain(
                replica: identity.replica, before: before, hashes: items[rest].map(\.hash),
                items: Array(rest)))
    }

    private mutating func close(from first: Int, _ before: ChainState.Link) {
        guard first < items.count else { return }
        let range = first..<items.count
        chains.append(
            OwnChain(
                replica: items[first].id.replica, before: before,
                hashes: items[range].map(\.hash), items: Array(range)))
    }

    /// Some of the items as they would be called.
    func chain(
        of indices: [Int], by renaming: Renaming, to successor: ReplicaID,
        in store: any ReplicaStore, sha256: (_ bytes: [UInt8]) -> [UInt8]
    ) throws -> OwnChain {
        var hash = ChainHash.zero
        let hashes = try indices.map { index in
            let body = try renaming.body(of: try store.sealed(items[index]).body)
            hash = hash.extended(by: body, sha256: sha256)
            return hash
        }
        return OwnChain(replica: successor, before: .zero, hashes: hashes, items: indices)
    }
}

extension ReplicaStore {
    /// The undecided transactions above a sequence, one after the other.
    func forEachPending(
        after sequence: UInt64, _ body: (OutboxEntry) throws -> Void
    ) throws {
        var last = sequence
        while true {
            let entries = try pending(after: last, limit: 64)
            guard let end = entries.last?.sequence else { return }
            for entry in entries { try body(entry) }
            last = end
        }
    }

    func sealed(_ item: OwnWork.Item) throws -> SealedTransaction {
        let sealed =
            item.isArchived
            ? try archived(item.id)?.sealed : try pending(item.id.sequence)?.sealed
        guard let sealed else {
            throw ReplicaError(.misfit, "the replica is not any more what the server was asked of")
        }
        return sealed
    }
}

extension Renaming {
    /// The body of a transaction under its other name.
    func body(of body: [UInt8]) throws -> [UInt8] {
        do throws(FormatError) {
            let transaction = try TransactionDecoder.transaction(from: body)
            let renamed = self(transaction)
            return renamed == transaction ? body : TransactionEncoder.body(of: renamed)
        } catch {
            throw StorageError(.corrupt, while: "reading the outbox", cause: error.description)
        }
    }
}
