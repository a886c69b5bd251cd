import TarnClient
import TarnModel
import TarnProtocol
import TarnStorage

/// Joins the client's engine to the network, the clocks and its machine, as a program does.
extension World {
    func startProcess(on machine: SimulatedMachine) throws {
        guard machine.isUp, machine.processes.count < machine.processCount else { return }
        processCount += 1
        guard let replica = try openReplica(of: machine) else {
            return plan(.processStarts(machine: machine.number), in: machine.dice.roll(50...2_000))
        }
        if machine.replica == nil { machine.replica = replica.identity.replica }
        try enterNames(of: machine)
        let process = SimulatedProcess(
            number: processCount, machine: machine.number,
            holder: LeaseHolder(
                process: Int64(processCount), started: UInt64(now),
                boot: "boot \(machine.number).\(machine.boot)"),
            replica: replica)
        processes[process.number] = process
        machine.processes.append(process.number)
        note("process \(process.number) starts on machine \(machine.number)")
        plan(.tick(process: process.number), in: machine.dice.roll(0...100))
    }

    /// Nil where its disk does not let it.
    private func openReplica(of machine: SimulatedMachine) throws -> Replica? {
        let store = MemoryReplicaStore(on: machine.disk)
        let power = machine.power
        store.fault = { power.answer($0) }
        var replica: Replica?
        let failure = try StorageError.played {
            replica = try Replica.open(
                store, of: machine.realmName, user: machine.user, random: &machine.dice,
                sha256: Digest.digest)
        }
        if let failure {
            met(.replicaFailsToOpen)
            note("machine \(machine.number) cannot open its replica: \(failure)")
        }
        return power.isDead ? nil : replica
    }

    private func moment(of machine: SimulatedMachine) -> Moment {
        Moment(wall: wall(of: machine), steady: now - machine.bootedAt)
    }

    func wall(of machine: SimulatedMachine) -> Int64 {
        machine.host.clock.time(at: Self.epoch + now)
    }

    // MARK: Leading

    func tick(_ process: SimulatedProcess) throws {
        let machine = machines[process.machine]
        let now = moment(of: machine).steady
        plan(.tick(process: process.number), in: machine.dice.roll(900...1_300))
        let verdict = try claim(process, of: machine, now)
        guard !machine.power.isDead else { return }
        switch verdict {
        case .acquire(let lease):
            note("process \(process.number) leads in epoch \(lease.epoch)")
            process.epoch = lease.epoch
            var engine = SyncEngine(
                process.replica, credentials: machine.credentials, program: "simulation")
            engine.epoch = lease.epoch
            process.engine = engine
            try tell(.started, to: process)
        case .lost: stopLeading(process)
        case .wait, .lead: break
        }
    }

    private func claim(
        _ process: SimulatedProcess, of machine: SimulatedMachine, _ now: Int64
    ) throws -> LeaseRule.Verdict {
        let running = Set(machine.processes.compactMap { processes[$0]?.holder })
        do {
            return try process.replica.claimLease(
                by: process.holder, holding: process.epoch, now: now, isAlive: running.contains)
        } catch {
            if StorageError.isPlayed(error) { met(.leaseFails) }
            throw error
        }
    }

    func stopLeading(_ process: SimulatedProcess) {
        guard process.engine != nil || process.epoch != nil else { return }
        note("process \(process.number) leads no more")
        process.engine = nil
        process.epoch = nil
        disconnect(process)
    }

    private func disconnect(_ process: SimulatedProcess) {
        process.attempt += 1
        guard let number = process.connection else { return }
        process.connection = nil
        if let connection = connections[number] { endFromClient(connection) }
    }

    // MARK: Events

    func connectAnswered(_ process: SimulatedProcess, _ attempt: Int) throws {
        guard process.attempt == attempt, process.engine != nil else { return }
        let machine = machines[process.machine]
        let isLucky = machine.connectsToFail == 0
        machine.connectsToFail = max(0, machine.connectsToFail - 1)
        guard daemon.isUp, machine.isOnline, isLucky else {
            if daemon.isUp, machine.isOnline { acceptForNothing(process) }
            return try tell(.disconnected("nobody answers"), to: process)
        }
        let connection = connect(process)
        process.connection = connection.number
        note("process \(process.number) is connected by \(connection.number)")
        try tell(.connected, to: process)
    }

    func deliverToClient(_ connection: Connection) throws {
        guard connection.isOpenAtClient, !connection.toClient.isEmpty,
            let process = processes[connection.process]
        else { return }
        guard connection.readsAt <= now else {
            met(.readerStalls)
            return plan(.deliverToClient(connection.number), in: Int(connection.readsAt - now))
        }
        let isFirst = sabotage != .reordersMessages
        let (bytes, room) =
            isFirst ? connection.toClient.removeFirst() : connection.toClient.removeLast()
        giveBack(room, of: connection)
        note("process \(process.number) receives \(Self.name(ofServerMessage: bytes))")
        try tell(.received(bytes), to: process)
        maybeCut(connection)
    }

    func clientNoticesEnd(_ connection: Connection) throws {
        guard connection.isOpenAtClient else { return }
        connection.isOpenAtClient = false
        forget(connection)
        guard let process = processes[connection.process],
            process.connection == connection.number
        else { return }
        note("process \(process.number) notices the end of \(connection.number)")
        process.connection = nil
        try tell(.disconnected("the connection ended"), to: process)
    }

    func localChange(on machine: SimulatedMachine) throws {
        for number in machine.processes {
            guard let process = processes[number], process.engine != nil else { continue }
            guard process.pausedUntil <= now else {
                // It finds the wake-up when it goes on.
                plan(
                    .localChange(machine: machine.number), in: Int(process.pausedUntil - now))
                continue
            }
            try use(process) { try tell(.localChange, to: process) }
        }
    }

    func tell(_ event: SyncEvent, to process: SimulatedProcess) throws {
        guard var engine = process.engine else { return }
        // Moved out, so that it is not copied while it changes.
        process.engine = nil
        let machine = machines[process.machine]
        let actions = engine.handle(event, at: moment(of: machine), random: &machine.dice)
        process.engine = engine
        guard !machine.power.isDead else { return }
        for action in actions { try perform(action, of: process) }
    }

    private func perform(_ action: SyncAction, of process: SimulatedProcess) throws {
        let machine = machines[process.machine]
        switch action {
        case .connect:
            process.attempt += 1
            plan(
                .connectAnswered(process: process.number, attempt: process.attempt),
                in: machine.dice.roll(1...200))
        case .send(let bytes):
            guard let number = process.connection, let connection = connections[number] else {
                return
            }
            sendToServer(bytes, on: connection)
        case .disconnect: disconnect(process)
        case .wake(let milliseconds):
            process.wakeGeneration += 1
            plan(
                .timer(process: process.number, generation: process.wakeGeneration),
                in: Int(milliseconds))
        case .replicaChanged: try checkReplica(of: machine)
        case .statusChanged(let status):
            note("process \(process.number) is \(status.connection): \(status.problem ?? "well")")
            try checkProblem(status, of: process)
        case .loggedIn(_, let token): machine.token = token
        case .loginNeeded(let error):
            guard daemon.isRestored, machine.token != nil else {
                throw Violation(
                    .peace,
                    "process \(process.number) may not log in: \(String(describing: error))")
            }
            met(.tokenIsForgotten)
            machine.token = nil
            try tell(.credentials(machine.credentials), to: process)
        case .stopped(let error):
            // Another process leads, or another session of this replica.
            guard error.code == .fenced else {
                throw Violation(.peace, "process \(process.number) stops: \(error)")
            }
            stopLeading(process)
        }
    }

    /// Whatever the network does, neither side may say what makes no sense to the other.
    private func checkProblem(_ status: SyncStatus, of process: SimulatedProcess) throws {
        if let problem = status.problem, StorageError.isPlayed(in: problem) {
            return met(.integrationFails)
        }
        guard let problem = status.problem, !Self.harmless.contains(where: problem.contains) else {
            return
        }
        if !profile.mishaps.kinds.isEmpty {
            if problem.contains("a copy of this replica is in use") { return met(.copiesMeet) }
            if problem.contains("they are not kept here any more"),
                try !machines[process.machine].works.isSubset(
                    of: held(by: machines[process.machine]))
            {
                return
            }
            if Self.harmlessInMishaps.contains(where: problem.contains) { return }
        }
        throw Violation(.peace, "process \(process.number) complains: \(problem)")
    }

    private static let harmless = [
        "nobody answers", "the connection ended", "the server does not answer",
        "cannot store anything just now", "opened in a later session", "synchronises this replica",
        "is open in a later session", "machine crashed",
        "cannot look up accounts just now", "cannot open the realm just now",
    ]

    /// A copy was faster, or the server was restored meanwhile.
    private static let harmlessInMishaps = [
        "the server has gone on meanwhile", "is not any more what the server was asked of",
        "The session has ended. Log in again.",
    ]
}
