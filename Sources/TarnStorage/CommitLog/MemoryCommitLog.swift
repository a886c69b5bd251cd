package import TarnModel

/// A commit log in memory, which fails when it is told to.
package final class MemoryCommitLog: CommitLog {
    private var realms: [RealmID: RealmRecords] = [:]
    /// Asked before each append: an answer is thrown, and nothing is written.
    package var fault: (_ batch: [LogRecord]) -> StorageError?

    private struct RealmRecords {
        /// Without those that were trimmed; the last one is `last`.
        var kept: [LogRecord] = []
        var last = Version.zero
    }

    package init(fault: @escaping (_ batch: [LogRecord]) -> StorageError? = { _ in nil }) {
        self.fault = fault
    }

    package func append(_ batch: [LogRecord]) throws(StorageError) {
        if let error = fault(batch) { throw error }
        var realms = realms
        for record in batch {
            var records = realms[record.realm] ?? RealmRecords()
            guard record.point.version == records.last.next else {
                throw .gap(before: record.point.version, after: records.last)
            }
            records.kept.append(record)
            records.last = record.point.version
            realms[record.realm] = records
        }
        self.realms = realms
    }

    package func records(
        of realm: RealmID, after version: Version, limit: Int
    ) throws(StorageError) -> [LogRecord] {
        Array((realms[realm]?.kept ?? []).drop { $0.point.version <= version }.prefix(limit))
    }

    package func lastVersion(of realm: RealmID) throws(StorageError) -> Version {
        realms[realm]?.last ?? .zero
    }

    package func trim(_ realm: RealmID, through version: Version) throws(StorageError) {
        realms[realm]?.kept.removeAll { $0.point.version <= version }
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
