import TarnModel
import TarnStorage

/// What happens to the folders that replicas lie in.
extension World {
    func playMishap(_ ordinal: Int) throws {
        let dice = Dice(seed, .act(ordinal))
        guard let kind = dice.pick(profile.mishaps.kinds), let machine = dice.pick(machines) else {
            return
        }
        begin(act: ordinal, "\(kind), machine \(machine.number)")
        switch kind {
        case .copiesReplica: try copy(machine, dice)
        case .backsUpReplica:
            machine.backup = ReplicaBackup(of: machine)
            note("machine \(machine.number) is backed up, with \(machine.works.count) works")
        case .restoresReplica: try restore(machine, dice)
        case .backsUpServer: backUpServer(dice)
        case .restoresServer: try restoreServer(dice)
        }
    }

    /// A computer comes to the world with what is on another one's disk.
    private func copy(_ machine: SimulatedMachine, _ dice: Dice) throws {
        guard machine.replica != nil, machines.count < originalCount + profile.mishaps.copiesMax
        else { return }
        let hostDice = Dice(seed, .machine(machines.count))
        let host = SimulatedHost(power: SimulatedDisk(dice: hostDice))
        host.clock.error = Int64(hostDice.roll(-90_000...90_000))
        let copy = machine.copied(number: machines.count, to: host, dice: hostDice)
        // The password may have been kept elsewhere.
        if dice.once(in: 2) { copy.token = nil }
        machines.append(copy)
        met(.replicaIsCopied)
        note("machine \(copy.number) is a copy of \(machine.number)")
        for _ in 0..<copy.processCount {
            plan(.processStarts(machine: copy.number), in: dice.roll(0...10_000))
        }
    }

    /// A computer's disk becomes what it was when it was backed up. What was written since may be
    /// lost, unless the server has it or another disk.
    private func restore(_ machine: SimulatedMachine, _ dice: Dice) throws {
        guard let backup = machine.backup else { return }
        let realm = daemon.realms[machine.realm]
        for number in machine.processes {
            if let process = processes[number] { kill(process, dice) }
        }
        let elsewhere = try held(in: realm, butBy: machine)
        let wiped = machine.works.subtracting(backup.works).subtracting(elsewhere)
            .filter { realm.history.decision(of: $0) == nil }
        if !wiped.isEmpty { met(.workIsWiped) }
        ledger.lose(wiped)
        machine.restore(backup)
        met(.replicaIsRestored)
        note("machine \(machine.number) becomes what it was, without \(wiped.sorted())")
    }
}

/// What a replica's folder was at one time.
struct ReplicaBackup {
    let disk: MemoryReplica
    let works: Set<Work>
    let forgotten: Set<Work>
    let token: String?
    let replica: ReplicaID?

    init(of machine: SimulatedMachine) {
        disk = machine.disk.copied()
        works = machine.works
        forgotten = machine.forgotten
        token = machine.token
        replica = machine.replica
    }
}
