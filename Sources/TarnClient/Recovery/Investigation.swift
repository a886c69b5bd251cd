import TarnModel
import TarnProtocol
import TarnStorage

/// Asks a server what it has of this replica's work, when its memory and the replica's do not fit,
/// and comes to a `Recovery`. It only asks: neither side changes anything meanwhile.
///
/// A chain of hashes makes it exact. Of the transactions that this replica has not seen decided, a
/// copy of it (its folder on another machine, the disk before it was restored) may have sent some;
/// those are in the server's chain, hash by hash, and the rest is not. A server that was restored
/// lacks decided ones as well, of which the replica keeps an archive. If the server's last
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
    private let resumePoint: ResumePoint
    private let points: [ResumePoint]
    private var work: OwnWork
    /// The server was restored to this point; nil where it was not.
    private var common: ResumePoint?
    private var hasPoint = false
    /// What is known of each of the work's chains, the last one under way.
    private var told: [ChainProgress] = []
    private var progress: ChainProgress
    private var renaming = Renaming.none
    private var renamings = 0

    /// More would be as many copies of copies.
    private static let renamingsMax = 32

    init(_ replica: Replica, because cause: Cause) throws {
        self.cause = cause
        self.replica = replica
        let store = replica.store
        (identity, resumePoint, points, work, acknowledged) = try replica.inTransaction(.reading) {
            let identity = try replica.reader().identity
            return (
                identity, try store.resumePoint(), try store.points(),
                try OwnWork(of: identity, in: store, lostAbove: nil),
                try store.chain().acknowledgedSequence
            )
        }
        progress = ChainProgress(work.chains[0])
    }

    private var isShared: Bool { if case .shared = cause { true } else { false } }

    /// The first question.
    mutating func begin() -> Step {
        // A point from before points were kept is none of them.
        var points = points
        if resumePoint != .zero, points.last != resumePoint { points.append(resumePoint) }
        return .ask(
            progress.chain.replica,
            progress.inquiry(points: Array(points.suffix(ProtocolLimits.pointsMax))))
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
        if !hasPoint {
            hasPoint = true
            if findings.common != resumePoint { return try lookBack(to: findings.common) }
        }
        if let inquiry = try progress.hear(reply, findings) {
            return .ask(progress.chain.replica, inquiry)
        }
        told.append(progress)
        if renamings == 0, told.count < work.chains.count { return askNext() }
        return try conclude(&random)
    }

    /// The server was restored: what it decided above that point may be lost.
    private mutating func lookBack(to point: ResumePoint) throws -> Step {
        common = point
        let (replica, identity) = (replica, identity)
        work = try replica.inTransaction(.reading) {
            try OwnWork(of: identity, in: replica.store, lostAbove: point.version)
        }
        return askNext()
    }

    private mutating func askNext() -> Step {
        progress = ChainProgress(work.chains[told.count])
        return .ask(progress.chain.replica, progress.inquiry(points: []))
    }

    // MARK: - What it comes to

    private mutating func conclude(_ random: inout some RandomNumberGenerator) throws -> Step {
        let last = progress
        // Work under a former id that the server cannot take under it has to go first, and by
        // another name; what was written on top of it names it, and so moves with it.
        let strays = renamings == 0 ? told.dropLast().contains { !$0.isOurs && !$0.isDone } : false
        // A copy that has sent all that there is under this name may still go by it.
        let isLeft = last.isDone && (isShared || renamings > 0)
        if last.isOurs, !strays, !isLeft {
            let isAsEver = isShared && renamings == 0 && common == nil
            return isAsEver ? .open : .recover(recovery(as: last.chain.replica))
        }
        // A name that somebody else has by chance is given up for any other.
        let isBadLuck = last.isForeign && renamings > 0
        guard strays || !last.isDone, !isBadLuck, renamings < Self.renamingsMax else {
            let successor = ReplicaID(random.next())
            append(stepTo: successor)
            return .recover(recovery(as: successor))
        }
        return try rename()
    }

    /// The rest under the name that is derived from it.
    private mutating func rename() throws -> Step {
        let rest = restItems
        let successor = successor(of: rest[0])
        append(stepTo: successor)
        let (replica, work, renaming) = (replica, work, renaming)
        let chain = try replica.inTransaction(.reading) {
            try work.chain(
                of: rest, by: renaming, to: successor, in: replica.store, sha256: replica.sha256)
        }
        renamings += 1
        progress = ChainProgress(chain)
        return .ask(successor, progress.inquiry(points: []))
    }

    /// The chains whose rest moves: strays of former ids, and the last one.
    private var moving: [ChainProgress] {
        if renamings > 0 { return [progress] }
        return told.dropLast().filter { !$0.isOurs && !$0.isDone } + told.suffix(1)
    }

    private var restItems: [Int] {
        moving.flatMap { $0.chain.items[$0.known...] }
    }

    private mutating func append(stepTo successor: ReplicaID) {
        var base: UInt64 = 0
        for moved in moving {
            renaming.append(
                Renaming.Step(
                    of: moved.chain.replica, after: moved.head.sequence, to: successor,
                    behind: base))
            base += UInt64(moved.chain.count - moved.known)
        }
    }

    private func successor(of item: Int) -> ReplicaID {
        let moved = moving.first { $0.chain.items.contains(item) }
        let hash = moved.flatMap { moved in
            moved.chain.items.firstIndex(of: item).map { moved.chain.hashes[$0] }
        }
        let bytes = replica.sha256(
            Array("fork".utf8) + (moved?.chain.replica.rawValue.bigEndianBytes ?? [])
                + (hash?.bytes ?? []))
        return ReplicaID(bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    private func recovery(as successor: ReplicaID) -> Recovery {
        var decided: Set<Int> = []
        var receipts: [Int: Receipt] = [:]
        for progress in told {
            decided.formUnion(progress.chain.items[..<progress.known])
            receipts.merge(progress.receipts) { $1 }
        }
        let errands = told.prefix(work.chains.count).dropLast().filter { $0.isOurs && !$0.isDone }
        for errand in errands { decided.formUnion(errand.chain.items) }
        return Recovery(
            replica: identity.replica, acknowledged: acknowledged,
            items: work.items.enumerated().map { index, item in
                Recovery.Item(
                    id: item.id, isArchived: item.isArchived, isDecided: decided.contains(index),
                    receipt: receipts[index])
            }, renaming: renaming, successor: successor,
            head: successor == progress.chain.replica ? progress.head : .zero,
            point: common ?? resumePoint, isRewound: common != nil,
            errands: errands.map { errand in
                Recovery.Errand(
                    replica: errand.chain.replica, head: errand.head,
                    ids: errand.chain.items[errand.known...].map { work.items[$0].id })
            }, gap: gap)
    }

    /// What is between the server's last transaction of a chain and the first that is kept.
    private var gap: Recovery.Gap? {
        guard common != nil else { return nil }
        for progress in told where !progress.isOurs && !progress.isForeign && progress.known == 0 {
            let head = progress.serverHead
            if head < progress.chain.before.sequence, progress.chain.before.sequence > 0 {
                return Recovery.Gap(first: head + 1, last: progress.chain.before.sequence)
            }
        }
        return nil
    }
}
