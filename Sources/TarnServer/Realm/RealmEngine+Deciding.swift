import TarnModel
import TarnProtocol
import TarnStorage

/// Where transactions are decided: verified, judged by the merge rules, recorded.
extension RealmEngine {
    /// Decides waiting uploads: a turn of small ones, and then, if any waits, one large one alone.
    func decideUploads(now: Int64) throws(StorageError) -> DecidedTurn {
        var turn = DecidedTurn(since: store.applied.version, schema: store.schema)
        if isLargesTurn { try decideLarge(&turn, now: now) }
        isLargesTurn = false
        if turn.records.isEmpty {
            try decideSmall(&turn, now: now)
            isLargesTurn = !turn.records.isEmpty
        }
        // Where nothing small was decided, the realm is a large one's.
        if turn.records.isEmpty { try decideLarge(&turn, now: now) }
        return turn
    }

    /// A transaction of each session after the other. Who is not served before the turn is full
    /// comes first in the next one; whose next one is large waits for its own.
    private func decideSmall(_ turn: inout DecidedTurn, now: Int64) throws(StorageError) {
        var rota = writers
        var late: [RealmSessionID] = []
        var served = 0
        while served < rota.count, !turn.isFull {
            let id = rota[served]
            served += 1
            guard let session = sessions[id], let bytes = session.uploads.nextByteCount else {
                continue
            }
            guard bytes <= ServerLimits.smallBodyBytesMax else {
                late.append(id)
                continue
            }
            try decideNext(of: session, in: &turn, now: now)
            if !session.uploads.isEmpty { rota.append(id) }
        }
        writers = late + rota[served...]
    }

    /// The first large one in the order of the sessions, which goes behind the others then.
    private func decideLarge(_ turn: inout DecidedTurn, now: Int64) throws(StorageError) {
        while turn.records.isEmpty,
            let place = writers.firstIndex(where: { id in
                (sessions[id]?.uploads.nextByteCount ?? 0) > ServerLimits.smallBodyBytesMax
            })
        {
            let id = writers.remove(at: place)
            guard let session = sessions[id] else { continue }
            try decideNext(of: session, in: &turn, now: now)
            if !session.uploads.isEmpty { writers.append(id) }
        }
    }

    private func decideNext(
        of session: RealmSession, in turn: inout DecidedTurn, now: Int64
    ) throws(StorageError) {
        guard let upload = session.uploads.next() else { return }
        do throws(SessionStop) {
            if let verdict = try decide(upload, of: session, now: now) { turn.add(verdict) }
        } catch {
            switch error {
            case .storage(let failure): throw failure
            case .fault(let fault):
                session.uploads.drop()
                turn.faults.append((session, fault))
            }
        }
    }

    /// - Returns: nil for a transaction that was decided before.
    private func decide(
        _ upload: Upload, of session: RealmSession, now: Int64
    ) throws(SessionStop) -> TransactionJudge.Verdict? {
        let sealed = upload.sealed
        let transaction: Transaction
        do throws(FormatError) {
            transaction = try TransactionDecoder.transaction(from: sealed.body)
        } catch {
            throw .fault(
                ProtocolError(.protocolViolation, "A transaction cannot be read: \(error)."))
        }
        guard transaction.id.sequence == upload.sequence else {
            throw .fault(
                ProtocolError(
                    .protocolViolation,
                    "Transaction \(transaction.id.sequence) was sent as \(upload.sequence)."))
        }
        guard let base = try verify(sealed, transaction, of: session) else { return nil }
        let based = Transaction(id: transaction.id, base: base, changes: transaction.changes)
        return try stopping { () throws(StorageError) in
            try judge(sealed, based, of: session, now: now)
        }
    }

    /// Whether a transaction is the next of its replica's chain.
    /// - Returns: the base that it counts as written on; nil for one that was decided before.
    private func verify(
        _ sealed: SealedTransaction, _ transaction: Transaction, of session: RealmSession
    ) throws(SessionStop) -> ResumePoint? {
        let sequence = transaction.id.sequence
        guard transaction.id.replica == session.replica else {
            throw .fault(
                ProtocolError(.protocolViolation, "A transaction of another replica was sent."))
        }
        if sequence <= session.head.sequence {
            try verifyRepeated(sealed, sequence, of: session)
            return nil
        }
        guard sequence == session.head.sequence + 1 else {
            throw .fault(
                ProtocolError(
                    .sequenceGap,
                    "Transaction \(sequence) came after \(session.head.sequence): some are missing."
                ))
        }
        let hash = session.head.hash.extended(by: sealed.body, sha256: environment.sha256)
        guard hash == sealed.hash else {
            throw .fault(
                .forked("Transaction \(sequence) does not continue the replica's history."))
        }
        let isKnown = try stopping { () throws(StorageError) in
            try isOfHistory(transaction.base)
        }
        if isKnown { return transaction.base }
        // Written before the server was restored: its author had seen what both have in common.
        guard let common = session.common else {
            throw .fault(
                ProtocolError(
                    .rewound,
                    "Transaction \(sequence) was written on version \(transaction.base.version), "
                        + "which is not of this server's history.",
                    advice: "The server was restored from an older backup. Nothing here is lost."))
        }
        return common
    }

    /// Each receipt goes out once in a session, from where the replica said that it stands: so it
    /// has been sent already, or is about to be.
    private func verifyRepeated(
        _ sealed: SealedTransaction, _ sequence: UInt64, of session: RealmSession
    ) throws(SessionStop) {
        let receipts = try stopping { () throws(StorageError) in
            try store.receipts(of: session.replica, after: sequence - 1)
        }
        var known = receipts.first.flatMap { $0.sequence == sequence ? $0.hash : nil }
        if sequence == session.head.confirmedSequence { known = session.head.confirmedHash }
        if sequence == session.head.sequence { known = session.head.hash }
        guard known == sealed.hash else {
            throw .fault(.forked("Transaction \(sequence) was sent before, and was another one."))
        }
        markDue(session)
    }

    private func judge(
        _ sealed: SealedTransaction, _ transaction: Transaction, of session: RealmSession,
        now: Int64
    ) throws(StorageError) -> TransactionJudge.Verdict {
        let base = transaction.base.version
        if base > session.lastBase {
            session.lastBase = base
            if !session.refused.isEmpty {
                session.refused = session.refused.filter { $0.value > base }
            }
        }
        let ticks = StampRule.fixedTicks(
            clock: sealed.clockTicks,
            // Ticks that a server has fixed are of a server's clock.
            offset: sealed.standing == .new ? session.visitor.clockOffset : 0,
            now: Stamp.ticks(milliseconds: now), previous: session.head.ticks,
            visible: try store.highestTicks(through: base))
        let origin = Origin(
            transaction: transaction.id, hash: sealed.hash, ticks: ticks,
            user: session.visitor.user)
        let point = ResumePoint(
            version: store.applied.version.next, salt: Salt(environment.nextRandom()))
        var judge = TransactionJudge(
            store: store, transaction: transaction, bodyBytes: sealed.body.count, origin: origin,
            point: point, refused: session.refused, parked: session.parked)
        let verdict =
            sealed.standing == .undone
            ? try judge.refuseAgain(in: id) : try judge.decide(in: id)
        let receipt = verdict.record.receipt
        if receipt.outcome.isUndone { session.refused[receipt.sequence] = receipt.version }
        if case .parked(let parking) = receipt.outcome {
            session.parked[receipt.sequence] = parking
        }
        session.head.sequence = receipt.sequence
        session.head.hash = receipt.hash
        session.head.ticks = ticks
        try store.put(session.head, of: session.replica)
        try store.put(receipt, of: session.replica)
        markDue(session)
        return verdict
    }
}
