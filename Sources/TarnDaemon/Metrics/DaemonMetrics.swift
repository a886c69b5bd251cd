import Synchronization

/// What the daemon's own parts count, since its start. Any thread may; nobody waits.
final class DaemonMetrics: Sendable {
    let loginsAccepted = Atomic(0)
    let loginsRefused = Atomic(0)
    /// Transactions that became durable.
    let commits = Atomic(0)
    /// From what a realm's turn decided to its durability.
    let commitTime = Histogram()
    /// Of one batch of records of all realms.
    let logSyncTime = Histogram()
}
