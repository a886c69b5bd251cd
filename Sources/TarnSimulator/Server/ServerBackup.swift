import TarnModel
import TarnServer
import TarnStorage

/// What a server's disk was at one time, as whoever runs it keeps it elsewhere. A realm's file may
/// be older than the log in it, and is never newer.
struct ServerBackup {
    let log: MemoryCommitLog
    let accounts: MemoryAccountStore
    let realms: [(store: MemoryRealmStore, point: ResumePoint)]

    init(of daemon: Daemon, _ dice: Dice) {
        log = daemon.log.copied()
        accounts = daemon.accounts.copied()
        realms = daemon.realms.map { realm in
            // The log's end is the history's, which is made from it.
            (
                realm.store.crashed(losingTail: dice.roll(0...3)),
                realm.history.latest.applied
            )
        }
    }
}

extension World {
    func backUpServer(_ dice: Dice) {
        let backup = ServerBackup(of: daemon, dice)
        daemon.backups = daemon.backups.suffix(2) + [backup]
        note("the server is backed up at \(backup.realms.map(\.point.version))")
    }

    /// The server stops, and comes up with what it was in one of its backups: mostly the last one,
    /// or, after an older one, in a newer one. What was decided since may be lost where no disk
    /// has it.
    func restoreServer(_ dice: Dice) throws {
        let isLast = dice.roll(0...2) > 0
        guard let backup = isLast ? daemon.backups.last : dice.pick(daemon.backups) else { return }
        crashServer(dice)
        met(.serverIsRestored)
        note("the server becomes what it was at \(backup.realms.map(\.point.version))")
        daemon.put(backup)
        for (realm, kept) in zip(daemon.realms, backup.realms) {
            let works = try realm.restore(kept.store.crashed(losingTail: 0), to: kept.point)
            ledger.lose(Set(works).subtracting(try held(in: realm, butBy: nil)))
        }
    }

    /// What of a realm's work is on any disk, besides one.
    func held(in realm: HostedRealm, butBy other: SimulatedMachine?) throws -> Set<Work> {
        var held: Set<Work> = []
        for machine in machines where machine.realm == realm.place && machine !== other {
            held.formUnion(try self.held(by: machine))
        }
        return held
    }

    func held(by machine: SimulatedMachine) throws -> Set<Work> {
        let sealed = try machine.look { try DiskContents(of: $0).sealed }
        return Set(sealed.compactMap { ledger.wordings[$0.hash]?.work })
    }
}
