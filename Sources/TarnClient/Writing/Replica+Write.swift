import TarnModel
import TarnStorage

extension Replica {
    /// Writes one transaction: everything that the body does to it, or nothing where it throws.
    ///
    /// When it has returned, the changes are seen by everybody and survive the loss of power. A
    /// write that made no change writes nothing.
    ///
    /// - Parameter clockTicks: the time of writing, by `Stamp.ticks(milliseconds:)`.
    package func write<Answer>(
        clockTicks: UInt64, _ body: (inout WriteTransaction) throws -> Answer
    ) throws -> Answer {
        do {
            try store.begin(.writing(.full))
        } catch {
            throw ReplicaError(error)
        }
        do {
            let chain = try store.chain()
            let reader = try reader()
            let id = TransactionID(
                replica: reader.identity.replica, sequence: chain.sequence + 1)
            var transaction = WriteTransaction(id: id, reader: reader)
            let answer = try body(&transaction)
            try transaction.settle()
            if transaction.changes.isEmpty {
                store.rollback()
                return answer
            }
            try seal(transaction, onto: chain, clockTicks: clockTicks)
            try keepUndo(of: transaction)
            try store.noteChanges(transaction.touched.sorted())
            try store.commit()
            return answer
        } catch {
            store.rollback()
            throw error is StorageError ? ReplicaError(error) : error
        }
    }

    private func keepUndo(of transaction: WriteTransaction) throws {
        let sequence = transaction.id.sequence
        let state = transaction.isUndoing ? UndoEntry.State.undoing : .done
        guard transaction.recorder.isComplete else {
            return try keepUndoMark(of: sequence, state)
        }
        let steps = try transaction.recorder.finished(in: transaction.reader)
        guard !steps.isEmpty else { return }
        let record = UndoCoding.encode(steps)
        let weight = TransactionLimits.weight(changes: steps.count, bytes: record.count)
        // What is deleted weighs little, and a lot where it comes back.
        guard weight <= TransactionLimits.weightMax else {
            return try keepUndoMark(of: sequence, state)
        }
        try store.keepUndo(UndoEntry(sequence: sequence, state: state, record: record))
    }

    /// What is too large to be set back is kept all the same, or what was written before it would
    /// be taken for the last; of an import just the end, or nothing else would be remembered.
    private func keepUndoMark(of sequence: UInt64, _ state: UndoEntry.State) throws {
        if state == .done, let last = try store.lastDone(), last.record.isEmpty {
            try store.dropUndo(last.sequence)
        }
        try store.keepUndo(UndoEntry(sequence: sequence, state: state, record: []))
    }

    /// Closes the transaction's bytes, and puts it into the outbox as the chain's next link.
    private func seal(
        _ written: WriteTransaction, onto chain: ChainState, clockTicks: UInt64
    ) throws {
        let transaction = Transaction(
            id: written.id, base: try store.resumePoint(), changes: written.changes)
        let body = TransactionEncoder.body(of: transaction)
        let weight = TransactionLimits.weight(of: written.changes, bodyBytes: body.count)
        guard weight <= TransactionLimits.weightMax else {
            throw ReplicaError(
                .limitExceeded,
                TransactionLimits.sentence(changes: written.changes.count, bytes: body.count))
        }
        var next = chain
        next.sequence = written.id.sequence
        next.hash = chain.hash.extended(by: body, sha256: sha256)
        next.ticks = max(clockTicks, chain.ticks == .max ? .max : chain.ticks + 1)
        if written.reader.identity.isLocal {
            try confirm(written.touched)
            next.acknowledgedSequence = next.sequence
            next.acknowledgedHash = next.hash
        } else {
            let sealed = SealedTransaction(body: body, hash: next.hash, clockTicks: next.ticks)
            try store.append(
                OutboxEntry(sequence: next.sequence, sealed: sealed),
                touching: written.touched.sorted())
        }
        try store.setChain(next)
    }

    /// A local realm has no other authority: what the user sees is so.
    private func confirm(_ objects: Set<ObjectID>) throws(StorageError) {
        for object in objects.sorted() {
            guard var row = try store.row(of: object),
                let schema = store.schema.schema(number: object.classNumber)
            else { continue }
            guard row.isVisible else {
                try store.removeRow(object)
                continue
            }
            row.isConfirmed = true
            try store.update(row)
            for (number, property) in schema.properties.enumerated() where !property.isCell {
                let list = ListID(object: object, property: number)
                guard property.isList else {
                    for var entry in try store.entries(in: list) {
                        guard entry.confirmed != entry.visible else { continue }
                        entry.confirmed = entry.visible
                        try store.put(entry, in: list)
                    }
                    continue
                }
                for slot in try store.slots(in: list) where slot.isConfirmed != slot.isVisible {
                    try store.setFlags(
                        of: slot.slot, isConfirmed: slot.isVisible, isVisible: slot.isVisible,
                        in: list)
                }
            }
        }
    }
}
