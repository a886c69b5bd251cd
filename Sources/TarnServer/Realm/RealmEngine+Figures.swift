import TarnModel
import TarnStorage

/// How much there is of what, for whoever runs the server.
extension RealmEngine {
    /// Versions up to here are forgotten.
    package var forgotten: UInt64 { store.floor.number }
    /// Versions above that.
    package var remembered: UInt64 { store.applied.version.number - min(forgotten, latest) }
    private var latest: UInt64 { store.applied.version.number }

    package var sessionCount: Int { sessions.count }

    /// Of all sessions; a query that two subscribe to counts twice.
    package var subscriptionCount: Int { sessions.values.reduce(0) { $0 + $1.subscriptions.count } }
}
