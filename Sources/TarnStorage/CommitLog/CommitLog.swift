package import TarnModel

/// The truth of all realms of a daemon: what is in it was committed, and what is not was not.
///
/// Guarantees: a batch is in it whole or not at all, and when `append` has returned it survives the
/// loss of power. The versions of one realm are without gaps. Called from one thread at a time.
package protocol CommitLog: AnyObject {
    /// Makes a batch of records, of any realms, durable before it returns.
    func append(_ batch: [LogRecord]) throws(StorageError)

    /// The realm's records above a version, in order, at most so many.
    func records(
        of realm: RealmID, after version: Version, limit: Int
    ) throws(StorageError) -> [LogRecord]

    /// What became of one transaction in the realm; nil where it never came, or was forgotten.
    func record(of transaction: TransactionID, in realm: RealmID) throws(StorageError) -> LogRecord?

    /// The highest version of the realm that was ever appended, trimmed or not; zero for none.
    func lastVersion(of realm: RealmID) throws(StorageError) -> Version

    /// What is kept of the realm.
    func extent(of realm: RealmID) throws(StorageError) -> LogExtent

    /// Forgets the realm's oldest records by a rule, at most `limit` of them, so that nobody waits
    /// for long.
    /// - Returns: whether there may be more to forget.
    func trim(
        _ realm: RealmID, by rule: LogTrim, limit: Int
    ) throws(StorageError) -> Bool
}

extension CommitLog {
    /// Forgets all of the realm's records up to a version.
    package func trim(_ realm: RealmID, through version: Version) throws(StorageError) {
        let rule = LogTrim(synced: version, floor: version)
        while try trim(realm, by: rule, limit: 1_000) {}
    }
}

/// Which records of a realm a log forgets.
package struct LogTrim: Hashable, Sendable {
    /// The last version that a realm store holds synced: it may ask for all that is above.
    package let synced: Version
    /// What is at or below is not kept.
    package let floor: Version
    /// Of the rest, the oldest are not kept that are more than so many bytes together.
    package let bytesMax: Int

    package init(synced: Version, floor: Version, bytesMax: Int = .max) {
        self.synced = synced
        self.floor = floor
        self.bytesMax = bytesMax
    }

    /// Whether the oldest record is to go.
    package func forgets(_ version: Version, ofBytes bytes: Int) -> Bool {
        version <= synced && (version <= floor || bytes > bytesMax)
    }
}

/// How much of a realm a log keeps.
package struct LogExtent: Hashable, Sendable {
    package static let empty = LogExtent(trimmed: .zero, last: .zero, bytes: 0)
    /// Records up to this version were forgotten.
    package let trimmed: Version
    package let last: Version
    /// Of the records that are kept, as they are encoded.
    package let bytes: Int

    package init(trimmed: Version, last: Version, bytes: Int) {
        self.trimmed = trimmed
        self.last = last
        self.bytes = bytes
    }

    package var records: Int { Int(clamping: last.number - min(trimmed.number, last.number)) }
}
