package import TarnModel

/// A commit log in memory, which fails when it is told to.
package final class MemoryCommitLog: CommitLog {
    private var realms: [RealmID: RealmRecords] = [:]
    /// Asked before each append: an answer is thrown, and nothing is written.
    package var fault: (_ batch: [LogRecord]) -> StorageError?

    private struct RealmRecords {
        /// Without those that were trimmed; the last one is `last`.
        var kept: [LogRecord] = []
        /// The encoded size of each of them.
        var sizes: [Int] = []
        var bytes = 0
        var versions: [TransactionID: Version] = [:]
        var last = Version.zero

        var trimmed: Version { Version(last.number - UInt64(kept.count)) }

        mutating func append(_ record: LogRecord) {
            let size = record.encoded.count
            kept.append(record)
            sizes.append(size)
            bytes += size
            versions[record.origin.transaction] = record.point.version
            last = record.point.version
        }

        mutating func removeFirst(_ count: Int) {
            for record in kept.prefix(count) { versions[record.origin.transaction] = nil }
            bytes -= sizes.prefix(count).reduce(0, +)
            kept.removeFirst(count)
            sizes.removeFirst(count)
        }
    }

    package init(fault: @escaping (_ batch: [LogRecord]) -> StorageError? = { _ in nil }) {
        self.fault = fault
    }

    /// Another one with what is in this one, as a backup has it. It never fails.
    package func copied() -> MemoryCommitLog {
        let copy = MemoryCommitLog()
        copy.realms = realms
        return copy
    }

    package func append(_ batch: [LogRecord]) throws(StorageError) {
        if let error = fault(batch) { throw error }
        var lasts: [RealmID: Version] = [:]
        for record in batch {
            let last = lasts[record.realm] ?? realms[record.realm]?.last ?? .zero
            guard record.point.version == last.next else {
                throw .gap(before: record.point.version, after: last)
            }
            lasts[record.realm] = record.point.version
        }
        for record in batch { realms[record.realm, default: RealmRecords()].append(record) }
    }

    package func records(
        of realm: RealmID, after version: Version, limit: Int
    ) throws(StorageError) -> [LogRecord] {
        guard let records = realms[realm], version < records.last else { return [] }
        let passed = version.number - min(version.number, records.trimmed.number)
        return Array(records.kept.dropFirst(Int(passed)).prefix(limit))
    }

    package func record(
        of transaction: TransactionID, in realm: RealmID
    ) throws(StorageError) -> LogRecord? {
        guard let records = realms[realm], let version = records.versions[transaction] else {
            return nil
        }
        return records.kept[Int(version.number - records.trimmed.number) - 1]
    }

    package func lastVersion(of realm: RealmID) throws(StorageError) -> Version {
        realms[realm]?.last ?? .zero
    }

    package func extent(of realm: RealmID) throws(StorageError) -> LogExtent {
        guard let records = realms[realm] else { return .empty }
        return LogExtent(trimmed: records.trimmed, last: records.last, bytes: records.bytes)
    }

    package func trim(
        _ realm: RealmID, by rule: LogTrim, limit: Int
    ) throws(StorageError) -> Bool {
        guard let records = realms[realm] else { return false }
        var count = 0
        var bytes = records.bytes
        for (record, size) in zip(records.kept, records.sizes) {
            guard count < limit, rule.forgets(record.point.version, ofBytes: bytes) else { break }
            count += 1
            bytes -= size
        }
        realms[realm]?.removeFirst(count)
        return count == limit
    }
}

extension StorageError {
    /// A version that does not follow the realm's last: somebody else has written meanwhile, or
    /// the log is not the one that it was.
    package static func gap(before version: Version, after last: Version) -> StorageError {
        StorageError(
            .corrupt, while: "writing to the commit log",
            cause: "version \(version) cannot follow version \(last)")
    }
}
