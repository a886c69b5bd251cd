import TarnModel
import TarnServer
import TarnStorage

/// A realm on the simulated server: what its disk holds, and its engine while it is open.
final class HostedRealm {
    let place: Int
    let name: RealmName
    let id: RealmID
    /// What every version of it should be, from the log alone.
    let history: RealmHistory
    /// What it should be, from what people wrote.
    let oracle = Oracle()
    /// The disk.
    private(set) var store = MemoryRealmStore()
    private let power: SimulatedDisk
    /// Nil while it is closed.
    var engine: RealmEngine?
    var isTurnPlanned = false
    /// On their way into the log.
    var underWay: [LogRecord]?
    /// By connection.
    var routes: [RealmSessionID: Int] = [:]

    init(place: Int, name: RealmName, id: RealmID, power: SimulatedDisk) {
        self.place = place
        self.name = name
        self.id = id
        history = RealmHistory(of: id)
        self.power = power
        store.fault = { power.answer($0) }
    }

    /// The disk's machine stops; so many commits go with it.
    func crash(losingTail count: Int) {
        close()
        store = store.crashed(losingTail: count)
        let power = power
        store.fault = { power.answer($0) }
    }

    /// The daemon is gone, and so is what was in its memory.
    func close() {
        engine = nil
        isTurnPlanned = false
        underWay = nil
        routes = [:]
    }
}
