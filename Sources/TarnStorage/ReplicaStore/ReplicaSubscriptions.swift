package import TarnModel

/// Where a subscription stands.
package enum SubscriptionState: Hashable, Sendable {
    /// The server has not answered for it yet.
    case pending
    /// True for the replica's resume point whenever the replica is connected; last brought up to
    /// date at that version and time (milliseconds since 1970).
    case complete(Version, at: Int64)
    /// The server cannot answer it; the sentence says why.
    case error(String)
}

/// A named, persisted query of a replica.
package struct StoredSubscription: Hashable, Sendable {
    /// Given once, never reused: names may come back with another query.
    package let number: Int64
    package let name: String
    /// The query's canonical text.
    package var query: String
    package var arguments: [Value]
    package var depth: Int
    package var state: SubscriptionState

    package init(
        number: Int64, name: String, query: String, arguments: [Value], depth: Int,
        state: SubscriptionState
    ) {
        self.number = number
        self.name = name
        self.query = query
        self.arguments = arguments
        self.depth = depth
        self.state = state
    }
}

/// The subscriptions of a replica, and which objects each one holds here.
package protocol ReplicaSubscriptions {
    /// In the order of their numbers.
    func subscriptions() throws(StorageError) -> [StoredSubscription]
    /// Adds one under the next number, pending. The name must not be there.
    func addSubscription(
        name: String, query: String, arguments: [Value], depth: Int
    ) throws(StorageError) -> StoredSubscription
    func setState(_ state: SubscriptionState, of number: Int64) throws(StorageError)
    /// Takes the subscription and its memberships; answers the objects that no other one holds.
    func removeSubscription(_ number: Int64) throws(StorageError) -> [ObjectID]

    /// Says that a subscription holds an object; replaces what was said before.
    func setMember(
        _ object: ObjectID, isRoot: Bool, of subscription: Int64
    ) throws(StorageError)
    func removeMember(_ object: ObjectID, of subscription: Int64) throws(StorageError)
    /// Whether any subscription holds the object.
    func isMember(_ object: ObjectID) throws(StorageError) -> Bool
    /// All that a subscription holds.
    func members(of subscription: Int64) throws(StorageError) -> [ObjectID]
    /// Those that its query itself selected on the server, in no order.
    func roots(of subscription: Int64) throws(StorageError) -> [ObjectID]
}
