package import TarnModel
package import TarnStorage

/// How a realm comes up: the store has what it had synced, the log has the rest.
package enum RealmRecovery {
    /// Brings a store up to the log's last version, and answers the version that it held before.
    ///
    /// What came and went in its views meanwhile is not worked out again, and nobody knows what
    /// else a crash has taken: the store notes the versions that its views cannot tell of. Throws
    /// `corrupt` where the log has records that do not follow on what the store has.
    @discardableResult
    package static func replay(
        _ log: any CommitLog, of realm: RealmID, into store: any RealmStore
    ) throws(StorageError) -> Version {
        let held = store.applied.version
        let last = try log.lastVersion(of: realm)
        guard held <= last else {
            throw StorageError(
                .corrupt, while: "opening a realm",
                cause: "it has version \(held), the log ends at \(last)")
        }
        try store.inTransaction { () throws(StorageError) in
            let gap = VersionGap(first: held, last: last)
            if last > .zero, try store.gaps().last != gap { try store.addGap(gap) }
        }
        while store.applied.version < last {
            let records = try log.records(
                of: realm, after: store.applied.version, limit: ServerLimits.replayBatch)
            guard !records.isEmpty else {
                throw StorageError(
                    .corrupt, while: "opening a realm",
                    cause: "the log lacks what follows version \(store.applied.version)")
            }
            try store.inTransaction { () throws(StorageError) in
                for record in records { try apply(record, to: store) }
            }
        }
        return held
    }

    private static func apply(_ record: LogRecord, to store: any RealmStore) throws(StorageError) {
        guard record.point.version == store.applied.version.next else {
            throw StorageError(
                .corrupt, while: "replaying a realm's log",
                cause: "version \(record.point.version) follows \(store.applied.version)")
        }
        try store.append(record.point, origin: record.origin)
        for effect in record.effects { try store.apply(effect) }
        let replica = record.origin.transaction.replica
        var head = try store.head(of: replica) ?? ReplicaHead(user: record.origin.user)
        head.sequence = record.origin.transaction.sequence
        head.hash = record.origin.hash
        head.ticks = record.origin.ticks
        try store.put(head, of: replica)
        try store.put(record.receipt, of: replica)
    }
}
