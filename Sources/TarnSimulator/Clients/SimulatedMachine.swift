import TarnModel
import TarnProtocol
import TarnStorage

/// One replica on a user's computer, and the one or two processes that use it.
final class SimulatedMachine {
    let number: Int
    let host: SimulatedHost
    let user: String
    let realm: Int
    let realmName: RealmName
    let processCount: Int
    let hasOldPrograms: Bool
    /// Always the same object; a variable, since generators are handed on to be changed.
    var dice: Dice
    private(set) var disk = MemoryReplica()
    /// What a `write` returned for on this disk, or on the one that it is a copy of.
    var works: Set<Work> = []
    /// Of them, those that were decided so long ago that the archive has them no more.
    var forgotten: Set<Work> = []
    var backup: ReplicaBackup?
    var isUp = true
    var isOnline = true
    /// Counts its starts.
    var boot = 1
    var bootedAt: Int64 = 0
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
        number: Int, on host: SimulatedHost, user: String, realm: Int, realmName: RealmName,
        processCount: Int, dice: Dice
    ) {
        self.number = number
        self.host = host
        self.user = user
        self.realm = realm
        self.realmName = realmName
        self.processCount = processCount
        hasOldPrograms = dice.once(in: 4)
        self.dice = dice
    }

    /// Another computer with this one's folder.
    func copied(number: Int, to host: SimulatedHost, dice: Dice) -> SimulatedMachine {
        let copy = SimulatedMachine(
            number: number, on: host, user: user, realm: realm, realmName: realmName,
            processCount: processCount, dice: dice)
        copy.subscriptionCount = subscriptionCount
        copy.restore(ReplicaBackup(of: self))
        return copy
    }

    /// The folder becomes another one; nobody uses it.
    func restore(_ backup: ReplicaBackup) {
        disk = backup.disk.copied()
        (works, forgotten) = (backup.works, backup.forgotten)
        (token, replica) = (backup.token, backup.replica)
    }

    var power: SimulatedDisk { host.power }
    var credentials: Credentials { token.map { .token($0) } ?? .nickname(user) }

    /// Looks at the replica from outside, as it is committed.
    func look<Answer>(_ body: (MemoryReplicaStore) throws -> Answer) throws -> Answer {
        let store = MemoryReplicaStore(on: disk)
        try store.begin(.reading)
        defer { store.rollback() }
        return try body(store)
    }
}
