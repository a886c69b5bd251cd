import TarnModel
import TarnServer
import TarnStorage

/// The server's machine stops, starts, and makes room.
extension World {
    func crashServer(_ dice: Dice) {
        guard daemon.isUp else { return }
        note("the server crashes")
        daemon.isUp = false
        daemon.power.heal()
        daemon.life += 1
        for realm in daemon.realms {
            let before = realm.store.applied.version
            realm.crash(losingTail: dice.once(in: 3) ? 0 : dice.roll(0...12))
            if realm.store.applied.version < before { met(.crashLosesCommits) }
        }
        for number in daemon.sides.keys.sorted() {
            guard let connection = connections[number] else { continue }
            connection.isOpenAtServer = false
            connection.toServer = []
            cut(connection)
            forget(connection)
        }
        daemon.sides = [:]
        plan(.serverStarts, in: dice.roll(100...8_000))
    }

    func startServer() {
        daemon.isUp = true
        daemon.clock.error = Int64(daemon.dice.roll(-3_000...3_000))
        note("the server starts")
    }

    /// Syncs a realm's store, after which the log need not keep what it holds.
    func checkpoint(_ realm: HostedRealm) throws {
        guard realm.engine != nil, realm.underWay == nil else { return }
        if let failure = try StorageError.played(in: { try realm.store.checkpoint() }) {
            met(.checkpointFails)
            return note("realm \(realm.place) is not synced: \(failure)")
        }
        guard !daemon.power.isDead else { return }
        let version = realm.store.applied.version
        try daemon.log.trim(realm.id, through: version)
        note("realm \(realm.place) is synced at \(version)")
    }
}
