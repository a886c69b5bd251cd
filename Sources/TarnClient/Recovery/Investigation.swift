import TarnModel
import TarnProtocol
import TarnStorage

/// Asks a server what it has of this replica's work, when its memory and the replica's do not fit,
/// and comes to a `Recovery`. It only asks: neither side changes anything meanwhile.
///
/// A chain of hashes makes it exact. Of the transactions that this replica has not seen decided, a
/// copy of it (its folder on another machine, the disk before it was restored) may have sent some;
/// those are in the server's chain, hash by hash, and the rest is not. If the server's last
/// transaction is one of ours, the replica goes on as it is. Otherwise the rest must take another
/// name: one that is derived from what it is, so that two copies that hold the same rest both give
/// it the same name, and the server sees that it is the same.
struct Investigation {
    /// Why the server is asked.
    enum Cause {
        /// The two memories differ.
        case misfit(ProtocolError)
        /// Somebody else goes by this replica's id, though nobody shares its store.
        case shared
    }

    enum Step {
        case ask(ReplicaID, Inquiry)
        case recover(Recovery)
        /// All is well: open as ever.
        case open
        case giveUp(ProtocolError)
    }

    let cause: Cause
    private let replica: Replica
    private let identity: ReplicaIdentity
    private let acknowledged: UInt64
    private let point: ResumePoint
    private var points: [ResumePoint]
    private var chain: OwnChain
    private var renaming = Renaming.none
    /// By the transaction's place among all in question.
    private var receipts: [Int: Receipt] = [:]
    /// How many of the chain are known to be decided, and from which on it is not known.
    private var known = 0
    private var unknown: Int
    /// The last receipts have been asked for.
    private var hasReceipts = false
    /// Where the chain's receipts have been read up to.
    private var receiptsRead: UInt64
    private var askedIndices: [Int] = []
    private var renamings = 0

    /// More would be as many copies of copies.
    private static let renamingsMax = 32

    init(_ replica: Replica, because cause: Cause) throws {
        self.cause = cause
        self.replica = replica
        (identity, point, points, chain) = try replica.inTransaction(.reading) {
            let identity = try replica.reader().identity
            return (
                identity, try replica.store.resumePoint(), try replica.store.points(),
                try OwnChain.undecided(in: replica.store, of: identity.replica)
            )
        }
        acknowledged = chain.before.sequence
        receiptsRead = chain.before.sequence
        unknown = chain.count
    }

    /// The first question.
    mutating func begin() -> Step {
        // A point from before points were kept.
        if point != .zero, points.last != point { points.append(point) }
        return ask(probing: 0..<chain.count)
    }

    private mutating func ask(probing range: Range<Int>) -> Step {
        let probes = chain.probes(in: range)
        askedIndices = probes.map(\.index)
        let inquiry = Inquiry(
            points: points.suffix(ProtocolLimits.pointsMax), probes: probes.map(\.probe),
            receiptsAfter: receiptsRead)
        return .ask(chain.replica, inquiry)
    }

    /// The next question, or what it comes to.
    mutating func hear(
        _ reply: OpenReply, random: inout some RandomNumberGenerator
    ) throws -> Step {
        guard let findings = reply.findings else {
            throw ReplicaError(.misfit, "the server did not answer what it was asked")
        }
        if let realm = identity.realm, realm != reply.realm {
            return .giveUp(.otherRealm(identity.realmName))
        }
        guard points.isEmpty || findings.common == point else {
            return .giveUp(.rewound)
        }
        let head = ChainState.Link(sequence: reply.sequence, hash: reply.hash)
        let isOurs = findings.isForeign ? nil : chain.count(upTo: head)
        if let isOurs {
            (known, unknown) = (isOurs, isOurs)
        } else if findings.isForeign {
            (known, unknown) = (0, 0)
        } else {
            narrow(to: findings.known)
            if known < unknown { return ask(probing: known..<unknown) }
        }
        if known > 0, try !readReceipts(findings) {
            return ask(probing: known - 1..<known)
        }
        return try conclude(isOurs: isOurs != nil, isForeign: findings.isForeign, &random)
    }

    /// Takes in which of the probes the server knows.
    private mutating func narrow(to sequence: UInt64) {
        if let index = askedIndices.last(where: { chain.sequence(of: $0) == sequence }) {
            known = max(known, index + 1)
        }
        unknown = askedIndices.first { $0 >= known } ?? known
    }

    /// Takes in receipts of what is known to be decided.
    /// - Returns: false where there may be more.
    private mutating func readReceipts(_ findings: Findings) throws -> Bool {
        let last = chain.sequence(of: known - 1)
        var isNew = false
        for receipt in findings.receipts
        where receipt.sequence > receiptsRead && receipt.sequence <= last {
            let index = Int(receipt.sequence - chain.before.sequence) - 1
            guard chain.hashes[index] == receipt.hash else {
                throw ReplicaError(.misfit, "the server contradicts itself about what it decided")
            }
            receipts[chain.first + index] = receipt
            receiptsRead = receipt.sequence
            isNew = true
        }
        return receiptsRead == last || (!isNew && findings.known == last)
    }

    private mutating func conclude(
        isOurs: Bool, isForeign: Bool, _ random: inout some RandomNumberGenerator
    ) throws -> Step {
        let isDone = known == chain.count
        // A copy that has sent all that there is under this name may still go by it.
        if isOurs, !isDone || !(isShared || renamings > 0) {
            return isShared && renamings == 0 ? .open : .recover(recovery(as: chain.replica))
        }
        // A name that somebody else has by chance is given up for any other.
        guard !isDone, !isForeign || renamings == 0, renamings < Self.renamingsMax else {
            let after = chain.link(upTo: known).sequence
            let successor = ReplicaID(random.next())
            renaming.append(Renaming.Step(of: chain.replica, after: after, to: successor))
            return .recover(recovery(as: successor))
        }
        try rename()
        return ask(probing: 0..<chain.count)
    }

    private var isShared: Bool { if case .shared = cause { true } else { false } }

    /// The rest under the name that is derived from it.
    private mutating func rename() throws {
        let successor = successor(of: chain.hashes[known])
        renaming.append(
            Renaming.Step(
                of: chain.replica, after: chain.link(upTo: known).sequence, to: successor))
        let (renaming, replica, first) = (renaming, replica, chain.first + known)
        let after = acknowledged + UInt64(first)
        chain = try replica.inTransaction(.reading) {
            try OwnChain.renamed(
                in: replica.store, after: after, first: first, by: renaming, to: successor,
                sha256: replica.sha256)
        }
        (known, unknown, receiptsRead, points) = (0, chain.count, 0, [])
        renamings += 1
    }

    private func successor(of hash: ChainHash) -> ReplicaID {
        let bytes = replica.sha256(
            Array("fork".utf8) + chain.replica.rawValue.bigEndianBytes + hash.bytes)
        return ReplicaID(bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    private func recovery(as successor: ReplicaID) -> Recovery {
        let decided = chain.first + known
        return Recovery(
            replica: identity.replica, acknowledged: acknowledged,
            settled: acknowledged + UInt64(decided),
            receipts: Dictionary(
                uniqueKeysWithValues: receipts.map { (acknowledged + UInt64($0) + 1, $1) }),
            renaming: renaming, successor: successor,
            head: successor == chain.replica ? chain.link(upTo: known) : .zero, point: point)
    }
}
