package import TarnModel

extension MemoryRealmStore {
    package func head(of replica: ReplicaID) throws(StorageError) -> ReplicaHead? {
        state.heads[replica]
    }

    package func put(_ head: ReplicaHead, of replica: ReplicaID) throws(StorageError) {
        try write { (state) throws(StorageError) in state.heads[replica] = head }
    }

    package func receipts(
        of replica: ReplicaID, after sequence: UInt64
    ) throws(StorageError) -> [Receipt] {
        (state.receipts[replica] ?? [:]).values.filter { $0.sequence > sequence }
            .sorted { $0.sequence < $1.sequence }
    }

    package func put(_ receipt: Receipt, of replica: ReplicaID) throws(StorageError) {
        try write { (state) throws(StorageError) in
            state.receipts[replica, default: [:]][receipt.sequence] = receipt
        }
    }

    package func dropReceipts(
        of replica: ReplicaID, through sequence: UInt64
    ) throws(StorageError) {
        try write { (state) throws(StorageError) in
            state.receipts[replica] = state.receipts[replica]?.filter { $0.key > sequence }
        }
    }
}
