package import TarnModel
package import TarnStorage

/// How a replica stands with its server.
package struct ReplicaStatus: Equatable, Sendable {
    /// Transactions that the server has not decided.
    package let unsentCount: Int
    package let chain: ChainState
    package let resumePoint: ResumePoint
    /// As the leading process knows it.
    package let sync: SyncStatus
}

extension ReplicaReader {
    package func status() throws(ReplicaError) -> ReplicaStatus {
        try stored { () throws(StorageError) in
            ReplicaStatus(
                unsentCount: try store.pendingCount(), chain: try store.chain(),
                resumePoint: try store.resumePoint(), sync: try store.syncStatus())
        }
    }

    /// The receipts that say more than "accepted", oldest first.
    package func keptReceipts() throws(ReplicaError) -> [KeptReceipt] {
        try stored { () throws(StorageError) in try store.keptReceipts() }
    }

    /// The changes of a transaction that was refused, or has not been decided.
    package func changes(of body: [UInt8]) throws(ReplicaError) -> [Change] {
        do throws(FormatError) {
            return try TransactionDecoder.transaction(from: body).changes
        } catch {
            throw ReplicaError(.misfit, error.description)
        }
    }
}

extension Replica {
    /// Tells the other processes what this one, which leads, knows of the connection.
    ///
    /// - Parameter epoch: of the lease under which it leads; where that is another's by now, the
    ///   error `leaseLost`, and nothing is written.
    package func setSyncStatus(
        _ connection: SyncStatus.Connection, problem: String?, epoch: UInt64? = nil
    ) throws(ReplicaError) {
        do {
            try inTransaction(.writing(.relaxed)) {
                try expectLease(epoch)
                var status = try store.syncStatus()
                guard status.connection != connection || status.problem != problem else { return }
                status.connection = connection
                status.problem = problem
                try store.setSyncStatus(status)
            }
        } catch {
            throw ReplicaError(error)
        }
    }
}
