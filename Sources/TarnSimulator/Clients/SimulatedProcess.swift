import TarnClient
import TarnModel
import TarnStorage

/// A process that uses a replica, and syncs it while it leads.
final class SimulatedProcess {
    let number: Int
    let machine: Int
    let holder: LeaseHolder
    let replica: Replica
    /// While it leads.
    var engine: SyncEngine?
    var epoch: UInt64?
    var connection: Int?
    /// What was asked for earlier is not answered any more.
    var attempt = 0
    var wakeGeneration = 0
    /// It is stopped until then, and knows nothing of it.
    var pausedUntil: Int64 = 0
    var watcher: ResultWatcher?

    init(number: Int, machine: Int, holder: LeaseHolder, replica: Replica) {
        self.number = number
        self.machine = machine
        self.holder = holder
        self.replica = replica
    }
}
