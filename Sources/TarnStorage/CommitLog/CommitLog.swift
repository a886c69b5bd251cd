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

    /// The highest version of the realm that was ever appended, trimmed or not; zero for none.
    func lastVersion(of realm: RealmID) throws(StorageError) -> Version

    /// Forgets the realm's records up to a version, which a realm store must hold synced by then.
    func trim(_ realm: RealmID, through version: Version) throws(StorageError)
}
