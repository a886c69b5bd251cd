import TarnClient
import TarnModel
import TarnStorage

/// What users do at their machines.
extension World {
    func userActs(on machine: SimulatedMachine, _ ordinal: Int) throws {
        let dice = Dice(seed, .act(ordinal))
        guard
            let process = dice.pick(
                machine.processes.compactMap { processes[$0] }.filter { $0.pausedUntil <= now })
        else { return }
        begin(act: ordinal, "user of machine \(machine.number), process \(process.number)")
        let acts = UserActs(
            dice: dice, user: machine.user, isOld: machine.hasOldPrograms)
        try use(process) { try act(process, machine, acts) }
    }

    private func act(
        _ process: SimulatedProcess, _ machine: SimulatedMachine, _ acts: UserActs
    ) throws {
        switch acts.dice.roll(0...99) {
        case 0...5: try subscribe(process, machine, acts)
        case 6...8: try unsubscribe(process, machine, acts)
        case 9...11: try changeMind(process, machine, acts)
        case 12...20: try look(process)
        case 21, 22:
            try write(on: machine) {
                try ForgedWrite(
                    replica: process.replica, dice: acts.dice, clockTicks: ticks(of: machine),
                    mark: nextMark() ?? 1
                ).run()
            }
        default:
            let mark = nextMark()
            try write(on: machine) {
                try process.replica.write(clockTicks: ticks(of: machine)) { transaction in
                    try acts.write(&transaction)
                    guard transaction.changeCount > 0 else { return }
                    try mark.map { try UserActs.put($0, in: &transaction) }
                }
            }
        }
    }

    func ticks(of machine: SimulatedMachine) -> UInt64 {
        Stamp.ticks(milliseconds: wall(of: machine))
    }

    /// A write that fails leaves nothing; one that does not is in the outbox, even where the power
    /// goes before anybody is told.
    private func write(on machine: SimulatedMachine, _ body: () throws -> Void) throws {
        let before =
            machine.power.isWell ? nil : try machine.look { try ReplicaPicture(of: $0).visible }
        let failure: (any Error)?
        do {
            failure = try StorageError.played(in: body)
        } catch let error as ReplicaError where error.code.isOfUnlucky {
            return note("machine \(machine.number) may not write: \(error)")
        }
        if let failure {
            met(.writeFails)
            let after = try machine.look { try ReplicaPicture(of: $0).visible }
            guard before == after else {
                throw Violation(
                    .atomicity, "a write that failed left something on \(machine.number)")
            }
            throw failure
        }
        try enterWork(of: machine)
    }

    /// What was written is in the outbox, and goes into the ledger.
    @discardableResult
    func enterWork(of machine: SimulatedMachine) throws -> Work? {
        guard machine.replica != nil else { return nil }
        let entries = try machine.look { try $0.pending(after: 0, limit: .max) }
        guard let entry = entries.last, ledger.wordings[entry.sealed.hash] == nil else {
            return nil
        }
        let transaction = try TransactionDecoder.transaction(from: entry.sealed.body)
        let work = try ledger.enter(
            transaction, hash: entry.sealed.hash, in: daemon.realms[machine.realm],
            isWritten: true)
        machine.works.insert(work)
        note(
            "machine \(machine.number) writes \(entry.sequence), \(work), on "
                + "\(transaction.base.version): "
                + transaction.changes.map(\.summary).joined(separator: "; "))
        plan(.localChange(machine: machine.number), in: machine.dice.roll(0...20))
        return work
    }

    /// What a replica has given other names goes into the ledger by them.
    func enterNames(of machine: SimulatedMachine) throws {
        let contents = try machine.look { try DiskContents(of: $0) }
        for sealed in contents.sealed where ledger.wordings[sealed.hash] == nil {
            let transaction = try TransactionDecoder.transaction(from: sealed.body)
            let work = try ledger.enter(
                transaction, hash: sealed.hash, in: daemon.realms[machine.realm],
                isWritten: false)
            note("machine \(machine.number) calls \(work) \(transaction.id)")
        }
        guard let identity = contents.identity, identity.replica != machine.replica else { return }
        if identity.formerReplicas.last == machine.replica { met(.replicaIsRenamed) }
        machine.replica = identity.replica
    }

    /// What the next write is known by, where names change.
    func nextMark() -> Int64? {
        guard !profile.mishaps.kinds.isEmpty else { return nil }
        markCount += 1
        return markCount
    }

    /// A write that throws leaves nothing.
    private func changeMind(
        _ process: SimulatedProcess, _ machine: SimulatedMachine, _ acts: UserActs
    ) throws {
        let before = try machine.look { try ReplicaPicture(of: $0).visible }
        do {
            try process.replica.write(clockTicks: ticks(of: machine)) { transaction in
                try acts.write(&transaction)
                throw UserActs.ChangeOfMind()
            }
        } catch is UserActs.ChangeOfMind {}
        let after = try machine.look { try ReplicaPicture(of: $0).visible }
        guard before == after else {
            throw Violation(.atomicity, "a write that threw left something on \(machine.number)")
        }
    }

    private func subscribe(
        _ process: SimulatedProcess, _ machine: SimulatedMachine, _ acts: UserActs
    ) throws {
        let question = acts.question()
        machine.subscriptionCount += 1
        // Some names come again.
        let name = "s\(machine.subscriptionCount % 6)"
        let subscription = try process.replica.subscribe(
            to: question.query, name: name, arguments: question.arguments,
            depth: acts.dice.roll(0...3), update: true)
        note(
            "machine \(machine.number) asks \(subscription.number): \(subscription.query) "
                + "depth \(subscription.depth)")
        process.watcher = process.watcher ?? ResultWatcher(.subscription(name))
        plan(.localChange(machine: machine.number), in: machine.dice.roll(0...20))
    }

    private func unsubscribe(
        _ process: SimulatedProcess, _ machine: SimulatedMachine, _ acts: UserActs
    ) throws {
        let names = try process.replica.read { try $0.subscriptions().map(\.name) }
        guard names.count > 1, let name = acts.dice.pick(names) else { return }
        _ = try process.replica.unsubscribe(named: name)
        note("machine \(machine.number) gives up \(name)")
        plan(.localChange(machine: machine.number), in: machine.dice.roll(0...20))
    }

    private func look(_ process: SimulatedProcess) throws {
        try process.replica.read { try process.watcher?.look(in: $0) }
    }
}

extension ReplicaError.Code {
    /// What a user cannot do as things stand, and finds out when he tries.
    fileprivate var isOfUnlucky: Bool { self == .notUnique || self == .heldTwice }
}
