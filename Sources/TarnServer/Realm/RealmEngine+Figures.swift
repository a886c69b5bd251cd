/// How much there is of what, for whoever runs the server.
extension RealmEngine {
    package var sessionCount: Int { sessions.count }

    /// Of all sessions; a query that two subscribe to counts twice.
    package var subscriptionCount: Int { sessions.values.reduce(0) { $0 + $1.subscriptions.count } }
}
