import TarnModel
import TarnProtocol
import TarnStorage

/// A user's machine: one replica on its disk, a clock that may be wrong, and one or two processes.
final class SimulatedMachine {
    let number: Int
    let user: String
    let realm: Int
    let realmName: RealmName
    let processCount: Int
    /// Always the same object; a variable, since generators are handed on to be changed.
    var dice: Dice
    let disk = MemoryReplica()
    var isUp = true
    var isOnline = true
    /// Counts its starts.
    var boot = 1
    var bootedAt: Int64 = 0
    /// Milliseconds that its clock is wrong by.
    var clockError: Int64 = 0
    /// Kept from the first login.
    var token: String?
    /// Known once it was opened.
    var replica: ReplicaID?
    /// How many connections it has had.
    var connectionCount = 0
    /// So many attempts to connect are still to fail.
    var connectsToFail = 0
    /// The numbers of the processes that run.
    var processes: [Int] = []
    /// How many subscriptions it has made, for their names.
    var subscriptionCount = 0

    init(
        number: Int, user: String, realm: Int, realmName: RealmName, processCount: Int, dice: Dice
    ) {
        self.number = number
        self.user = user
        self.realm = realm
        self.realmName = realmName
        self.processCount = processCount
        self.dice = dice
    }

    var credentials: Credentials { token.map { .token($0) } ?? .nickname(user) }

    /// Looks at the replica from outside, as it is committed.
    func look<Answer>(_ body: (MemoryReplicaStore) throws -> Answer) throws -> Answer {
        let store = MemoryReplicaStore(on: disk)
        try store.begin(.reading)
        defer { store.rollback() }
        return try body(store)
    }
}
