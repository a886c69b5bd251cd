import TarnModel
import TarnProtocol
import TarnStorage

/// The hashes of own transactions that a server may lack, under one replica's id.
struct OwnChain {
    let replica: ReplicaID
    /// The link before the first.
    let before: ChainState.Link
    let hashes: [ChainHash]
    /// Which of all transactions in question they are.
    let items: [Int]

    var count: Int { hashes.count }

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

/// What the server has of one chain, as its answers tell it.
struct ChainProgress {
    let chain: OwnChain
    /// So many from the first are known to be decided.
    private(set) var known = 0
    /// From there on it is known that they are not.
    private var unknown: Int
    /// The server's last transaction is one of these, or the one before.
    private(set) var isOurs = false
    private(set) var isForeign = false
    /// The server's last transaction of that replica, of this chain or not.
    private(set) var serverHead: UInt64 = 0
    /// By item.
    private(set) var receipts: [Int: Receipt] = [:]
    private var receiptsRead: UInt64
    private var asked: [Int] = []

    init(_ chain: OwnChain) {
        self.chain = chain
        unknown = chain.count
        receiptsRead = chain.before.sequence
    }

    var isDone: Bool { known == chain.count }
    var head: ChainState.Link { chain.link(upTo: known) }

    mutating func inquiry(points: [ResumePoint], probing range: Range<Int>? = nil) -> Inquiry {
        let probes = chain.probes(in: range ?? 0..<chain.count)
        asked = probes.map(\.index)
        return Inquiry(points: points, probes: probes.map(\.probe), receiptsAfter: receiptsRead)
    }

    /// - Returns: what has to be asked yet; nil where all is known.
    mutating func hear(_ reply: OpenReply, _ findings: Findings) throws -> Inquiry? {
        isForeign = findings.isForeign
        serverHead = reply.sequence
        let ours = chain.count(upTo: ChainState.Link(sequence: reply.sequence, hash: reply.hash))
        if isForeign {
            (known, unknown, isOurs) = (0, 0, false)
        } else if let ours {
            (known, unknown, isOurs) = (ours, ours, true)
        } else {
            isOurs = false
            narrow(to: findings.known)
            if known < unknown { return inquiry(points: [], probing: known..<unknown) }
        }
        if known > 0, try !readReceipts(findings) {
            return inquiry(points: [], probing: known - 1..<known)
        }
        return nil
    }

    /// Takes in which of the probes the server knows.
    private mutating func narrow(to sequence: UInt64) {
        if let index = asked.last(where: { chain.sequence(of: $0) == sequence }) {
            known = max(known, index + 1)
        }
        unknown = asked.first { $0 >= known } ?? known
    }

    /// Takes in receipts of what is known to be decided.
    /// - Returns: false where there may be more.
    private mutating func readReceipts(_ findings: Findings) throws -> Bool {
        let last = head.sequence
        var isNew = false
        for receipt in findings.receipts
        where receipt.sequence > receiptsRead && receipt.sequence <= last {
            let index = Int(receipt.sequence - chain.before.sequence) - 1
            guard chain.hashes[index] == receipt.hash else {
                throw ReplicaError(.misfit, "the server contradicts itself about what it decided")
            }
            receipts[chain.items[index]] = receipt
            receiptsRead = receipt.sequence
            isNew = true
        }
        return receiptsRead == last || (!isNew && findings.known == last)
    }
}
