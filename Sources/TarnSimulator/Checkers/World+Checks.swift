import TarnClient
import TarnModel
import TarnStorage

/// When which law is looked at.
extension World {
    /// After each integration, and after each crash: the replica is at one version, and remembers
    /// its own work.
    func checkReplica(of machine: SimulatedMachine) throws {
        guard machine.replica != nil else { return }
        try enterNames(of: machine)
        let (picture, contents) = try machine.look { store in
            (try ReplicaPicture(of: store), try DiskContents(of: store))
        }
        let hosted = daemon.realms[machine.realm]
        let version = picture.resumePoint.version
        guard let history = hosted.history(of: picture.resumePoint) else {
            throw Violation(
                .durability,
                "machine \(machine.number) is of version \(picture.resumePoint), "
                    + "which was never in the log")
        }
        try DiskCheck(
            contents: contents, machine: machine, ledger: ledger, history: history,
            isRewound: hosted.timesRestored > 0, isAlone: profile.mishaps.leavesDisks
        ).run()
        guard let store = history.version(version), let realm = try history.picture(of: version)
        else { return }
        try AgreementCheck(
            replica: picture, user: machine.user, store: store, realm: realm, version: version,
            law: .atomicity, place: "machine \(machine.number)"
        ).run()
    }

    /// When all is connected and nothing is under way.
    func checkQuiet() throws {
        for realm in daemon.realms {
            try ledger.checkAllDecided(in: realm.place, realm.history)
            try realm.history.check(realm.store, after: "all")
            try realm.compare()
        }
        for machine in machines { try checkQuiet(machine) }
    }

    private func checkQuiet(_ machine: SimulatedMachine) throws {
        try checkReplica(of: machine)
        let history = daemon.realms[machine.realm].history
        let latest = history.latest
        for work in try held(by: machine).sorted() where history.decision(of: work) == nil {
            throw Violation(.durability, "machine \(machine.number) has \(work), the server not")
        }
        let place = "machine \(machine.number), quiet,"
        let picture = try machine.look { try ReplicaPicture(of: $0) }
        try history.check(picture.resumePoint, whose: place)
        try AgreementCheck(
            replica: picture, user: machine.user, store: latest,
            realm: try RealmPicture(of: latest), version: latest.applied.version,
            law: .agreement, place: place
        ).run()
        guard picture.shadows.isEmpty else {
            throw Violation(
                .agreement, "\(place) has shadows though nothing is pending",
                "\(picture.shadows.sorted())")
        }
        for (name, visible) in picture.visible.sorted(by: { $0.key < $1.key })
        where picture.confirmed[name] != visible {
            throw Violation(
                .agreement, "\(place) shows \(name) otherwise than the server said it",
                (picture.confirmed[name] ?? ObjectPicture()).difference(to: visible))
        }
        for name in picture.confirmed.keys.sorted() where picture.visible[name] == nil {
            throw Violation(.agreement, "\(place) does not show \(name)")
        }
        try checkResults(of: machine, latest)
    }

    /// Each complete subscription's rows, in their order, through the very door that programs use.
    private func checkResults(of machine: SimulatedMachine, _ latest: MemoryRealmStore) throws {
        guard let process = machine.processes.compactMap({ processes[$0] }).first else { return }
        try process.replica.read { reader in
            for subscription in try reader.subscriptions() {
                guard case .complete = subscription.state,
                    let wanted = try Selection(of: subscription, by: machine.user, in: latest)
                else {
                    try checkIncomplete(subscription, of: machine)
                    continue
                }
                let rows = try reader.results(of: subscription).objects.map { object in
                    PlainName(
                        className: try reader.classSchema(of: object).name,
                        key: try reader.key(of: object))
                }
                let isSame =
                    wanted.isSortable ? rows == wanted.roots : Set(rows) == Set(wanted.roots)
                guard isSame else {
                    throw Violation(
                        .agreement,
                        "machine \(machine.number) shows other rows of "
                            + subscription.query, "replica: \(rows)", "server: \(wanted.roots)")
                }
            }
        }
    }

    private func checkIncomplete(
        _ subscription: StoredSubscription, of machine: SimulatedMachine
    ) throws {
        // A query that made no sense when it was asked may wait for a class to come.
        if case .error = subscription.state { return }
        throw Violation(
            .progress, "machine \(machine.number) waits for \(subscription.query)",
            "\(subscription.state)")
    }
}
