package import TarnModel

extension MemoryReplicaStore {
    package func chain() throws(StorageError) -> ChainState { state.chain }

    package func setChain(_ chain: ChainState) throws(StorageError) {
        try check(.write)
        state.chain = chain
    }

    package func append(
        _ entry: OutboxEntry, touching objects: [ObjectID]
    ) throws(StorageError) {
        try check(.write)
        state.pending.removeAll { $0.sequence == entry.sequence }
        let index = state.pending.firstIndex { $0.sequence > entry.sequence }
        state.pending.insert(entry, at: index ?? state.pending.count)
        for object in objects { try addTouch(object, by: entry.sequence) }
    }

    package func addTouch(_ object: ObjectID, by sequence: UInt64) throws(StorageError) {
        try check(.write)
        state.touched[sequence, default: []].insert(object)
        state.touching[object, default: []].insert(sequence)
    }

    package func pending(
        after sequence: UInt64, limit: Int
    ) throws(StorageError) -> [OutboxEntry] {
        Array(state.pending.drop { $0.sequence <= sequence }.prefix(max(limit, 0)))
    }

    package func pending(_ sequence: UInt64) throws(StorageError) -> OutboxEntry? {
        state.pending.first { $0.sequence == sequence }
    }

    package func pendingCount() throws(StorageError) -> Int { state.pending.count }

    package func sequences(touching object: ObjectID) throws(StorageError) -> [UInt64] {
        state.touching[object, default: []].sorted()
    }

    package func objects(touchedBy sequence: UInt64) throws(StorageError) -> [ObjectID] {
        state.touched[sequence, default: []].sorted()
    }

    package func removePending(_ sequence: UInt64) throws(StorageError) {
        try check(.write)
        state.pending.removeAll { $0.sequence == sequence }
        for object in state.touched.removeValue(forKey: sequence) ?? [] {
            state.touching[object]?.remove(sequence)
            if state.touching[object]?.isEmpty == true { state.touching[object] = nil }
            state.loosened.insert(object)
        }
    }

    package func replacePending(
        _ sequence: UInt64, by entry: OutboxEntry
    ) throws(StorageError) {
        let touched = try objects(touchedBy: sequence)
        try removePending(sequence)
        try append(entry, touching: touched)
    }

    package func keep(_ receipt: KeptReceipt) throws(StorageError) {
        try check(.write)
        try dropReceipt(receipt.receipt)
        let index = state.receipts.firstIndex {
            $0.receipt.sequence > receipt.receipt.sequence
        }
        state.receipts.insert(receipt, at: index ?? state.receipts.count)
    }

    package func dropReceipt(_ receipt: Receipt) throws(StorageError) {
        state.receipts.removeAll {
            $0.receipt.sequence == receipt.sequence && $0.receipt.hash == receipt.hash
        }
    }

    package func keptReceipts() throws(StorageError) -> [KeptReceipt] { state.receipts }
}
