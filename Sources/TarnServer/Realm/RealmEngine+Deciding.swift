import TarnModel
import TarnProtocol
import TarnStorage

/// Where transactions are decided: verified, judged by the merge rules, recorded.
extension RealmEngine {
    /// Decides waiting uploads, a transaction of each session in turn.
    func decideUploads(now: Int64) throws(StorageError) -> [LogRecord] {
        let before = store.applied.version
        let classesBefore = store.schema
        var records: [LogRecord] = []
        var touched: Set<ObjectID> = []
        var changes = 0
        var writers = sessions.values.filter { !$0.uploads.isEmpty }
            .sorted {
                ($0.id.connection, $0.id.channel.number) < ($1.id.connection, $1.id.channel.number)
            }
        while !writers.isEmpty, records.count < ServerLimits.transactionsATurnMax,
            changes < ServerLimits.changesATurnMax
        {
            for session in writers where sessions[session.id] != nil {
                let upload = session.uploads.removeFirst()
                session.creditOwed += upload.credit
                do throws(SessionStop) {
                    guard let verdict = try decide(upload, of: session, now: now) else { continue }
                    changes += verdict.record.effects.count
                    records.append(verdict.record)
                    touched.formUnion(verdict.touched)
                } catch {
                    switch error {
                    case .storage(let failure): throw failure
                    case .fault(let fault): try end(session, telling: fault)
                    }
                }
            }
            writers.removeAll { $0.uploads.isEmpty || sessions[$0.id] == nil }
        }
        guard !records.isEmpty else { return [] }
        if store.schema != classesBefore { try reconnectFaulted() }
        for view in try views.maintain(touched: touched, since: before) {
            for listener in view.listeners {
                if let session = sessions[listener] { markDue(session) }
            }
        }
        return records
    }

    /// The schema has grown: queries that made no sense may make sense now.
    private func reconnectFaulted() throws(StorageError) {
        for session in sessions.values {
            for (number, subscription) in session.subscriptions where subscription.view == nil {
                var again = subscription
                try connect(&again, of: session)
                guard again.view != nil else { continue }
                again.needsFull = true
                session.subscriptions[number] = again
                markDue(session)
            }
        }
    }

    /// - Returns: nil for a transaction that was decided before; its receipt is sent again.
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
        guard try verify(sealed, transaction, of: session) else { return nil }
        return try stopping { () throws(StorageError) in
            try judge(sealed, transaction, of: session, now: now)
        }
    }

    /// Whether a transaction is the next of its replica's chain.
    /// - Returns: false for one that was decided before.
    private func verify(
        _ sealed: SealedTransaction, _ transaction: Transaction, of session: RealmSession
    ) throws(SessionStop) -> Bool {
        let sequence = transaction.id.sequence
        guard transaction.id.replica == session.replica else {
            throw .fault(
                ProtocolError(.protocolViolation, "A transaction of another replica was sent."))
        }
        if sequence <= session.head.sequence {
            return try verifyRepeated(sealed, sequence, of: session)
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
        let salt = try stopping { () throws(StorageError) in
            try store.salt(of: transaction.base.version)
        }
        guard salt == transaction.base.salt else {
            throw .fault(
                ProtocolError(
                    .rewound,
                    "Transaction \(sequence) was written on version \(transaction.base.version), "
                        + "which is not of this server's history.",
                    advice: "The server was restored from an older backup. Nothing here is lost."))
        }
        return true
    }

    private func verifyRepeated(
        _ sealed: SealedTransaction, _ sequence: UInt64, of session: RealmSession
    ) throws(SessionStop) -> Bool {
        let receipts = try stopping { () throws(StorageError) in
            try store.receipts(of: session.replica, after: sequence - 1)
        }
        var known = receipts.first.flatMap { $0.sequence == sequence ? $0.hash : nil }
        if sequence == session.head.confirmedSequence { known = session.head.confirmedHash }
        if sequence == session.head.sequence { known = session.head.hash }
        guard known == sealed.hash else {
            throw .fault(.forked("Transaction \(sequence) was sent before, and was another one."))
        }
        session.receiptsSent = min(session.receiptsSent, sequence - 1)
        session.receiptsSent = max(session.receiptsSent, session.head.confirmedSequence)
        markDue(session)
        return false
    }

    private func judge(
        _ sealed: SealedTransaction, _ transaction: Transaction, of session: RealmSession,
        now: Int64
    ) throws(StorageError) -> TransactionJudge.Verdict {
        let base = transaction.base.version
        session.refused = session.refused.filter { $0.value > base }
        let ticks = StampRule.fixedTicks(
            clock: sealed.clockTicks, offset: session.visitor.clockOffset,
            now: Stamp.ticks(milliseconds: now), previous: session.head.ticks,
            visible: try store.highestTicks(through: base))
        let origin = Origin(
            transaction: transaction.id, hash: sealed.hash, ticks: ticks,
            user: session.visitor.user)
        let point = ResumePoint(
            version: store.applied.version.next, salt: Salt(environment.nextRandom()))
        var judge = TransactionJudge(
            store: store, transaction: transaction, origin: origin, point: point,
            refused: Set(session.refused.keys))
        let verdict = try judge.decide(in: id)
        let receipt = verdict.record.receipt
        if case .refused = receipt.outcome { session.refused[receipt.sequence] = receipt.version }
        session.head.sequence = receipt.sequence
        session.head.hash = receipt.hash
        session.head.ticks = ticks
        try store.put(session.head, of: session.replica)
        try store.put(receipt, of: session.replica)
        markDue(session)
        return verdict
    }
}
