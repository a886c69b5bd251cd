import TarnModel
import TarnProtocol
import TarnStorage

/// The hashes of a replica's transactions that a server may lack, under one name.
struct OwnChain {
    let replica: ReplicaID
    /// Which of all the transactions in question the first one is.
    let first: Int
    /// The link before that one.
    let before: ChainState.Link
    let hashes: [ChainHash]

    var count: Int { hashes.count }
    var isEmpty: Bool { hashes.isEmpty }

    func sequence(of index: Int) -> UInt64 { before.sequence + UInt64(index) + 1 }

    /// How many of the transactions a server has whose last one that is; nil where it is not of
    /// this chain.
    func count(upTo head: ChainState.Link) -> Int? {
        if head == before { return 0 }
        guard head.sequence > before.sequence,
            head.sequence - before.sequence <= UInt64(count)
        else { return nil }
        let count = Int(head.sequence - before.sequence)
        return hashes[count - 1] == head.hash ? count : nil
    }

    func link(upTo count: Int) -> ChainState.Link {
        count == 0
            ? before : ChainState.Link(sequence: sequence(of: count - 1), hash: hashes[count - 1])
    }

    /// As many of some transactions as may be asked for at once, evenly, the last among them.
    func probes(in range: Range<Int>) -> [(index: Int, probe: Inquiry.Probe)] {
        let count = min(range.count, ProtocolLimits.probesMax)
        return (0..<count).map { number in
            let index = range.lowerBound + (number + 1) * range.count / count - 1
            return (index, Inquiry.Probe(sequence: sequence(of: index), hash: hashes[index]))
        }
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
}

extension OwnChain {
    /// The replica's undecided transactions, as they are called.
    static func undecided(in store: any ReplicaStore, of replica: ReplicaID) throws -> OwnChain {
        let chain = try store.chain()
        var hashes: [ChainHash] = []
        try store.forEachPending(after: chain.acknowledgedSequence) {
            hashes.append($0.sealed.hash)
        }
        return OwnChain(
            replica: replica, first: 0,
            before: ChainState.Link(
                sequence: chain.acknowledgedSequence, hash: chain.acknowledgedHash),
            hashes: hashes)
    }

    /// The transactions of the outbox from one on, as they would be called.
    static func renamed(
        in store: any ReplicaStore, after sequence: UInt64, first: Int, by renaming: Renaming,
        to successor: ReplicaID, sha256: (_ bytes: [UInt8]) -> [UInt8]
    ) throws -> OwnChain {
        var hashes: [ChainHash] = []
        var hash = ChainHash.zero
        try store.forEachPending(after: sequence) {
            hash = hash.extended(by: try renaming.body(of: $0), sha256: sha256)
            hashes.append(hash)
        }
        return OwnChain(replica: successor, first: first, before: .zero, hashes: hashes)
    }
}

extension Renaming {
    /// The body of a transaction under its other name.
    func body(of entry: OutboxEntry) throws -> [UInt8] {
        do throws(FormatError) {
            let transaction = try TransactionDecoder.transaction(from: entry.sealed.body)
            return self(transaction.id) == transaction.id
                ? entry.sealed.body : TransactionEncoder.body(of: self(transaction))
        } catch {
            throw StorageError(.corrupt, while: "reading the outbox", cause: error.description)
        }
    }
}
