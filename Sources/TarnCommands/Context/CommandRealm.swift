package import TarnClient
package import TarnModel
package import TarnStorage

/// The realm that a command works on: a replica, and whoever keeps it in step with the server.
/// For one thread.
package protocol CommandRealm: AnyObject {
    var replica: Replica { get }

    /// Writes one transaction, and wakes whoever leads the synchronisation.
    func write<Answer>(_ body: (inout WriteTransaction) throws -> Answer) throws -> Answer

    func subscribe(
        to query: String, name: String, arguments: [Value], depth: Int?, update: Bool
    ) throws -> StoredSubscription

    /// Answers whether there was one.
    func unsubscribe(named name: String) throws -> Bool

    /// What is known of the connection, and whether any process works on it.
    func connection() throws -> RealmConnection

    /// Works on the synchronisation until the test holds, which is asked again whenever something
    /// has changed; not longer than that, and no longer than there is hope.
    func synchronise(
        milliseconds: Int, until isEnough: @escaping () throws -> Bool
    ) throws -> SyncResult

    /// The same until nothing is unsent and every subscription is complete and fresh.
    func synchroniseAll(milliseconds: Int) throws -> SyncResult

    /// Works on the synchronisation, and calls back whenever something may have changed: until a
    /// signal asks for the end, or the callback throws.
    func follow(_ changed: @escaping () throws -> Void) throws
}

/// How far a wish to be in step with the server came.
package enum SyncResult: Equatable, Sendable {
    case done
    /// There is no connection; the sentence says why.
    case offline(String)
    case timedOut
}

/// How a realm's connection stands.
package struct RealmConnection: Equatable, Sendable {
    /// The process that works on it; nil where none does.
    package let leader: Int64?
    package let status: SyncStatus

    package init(leader: Int64?, status: SyncStatus) {
        self.leader = leader
        self.status = status
    }
}
