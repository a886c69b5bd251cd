import TarnClient
import TarnModel
import TarnServer
import TarnStorage

/// A server, its users' machines and the network between them, in one time that only the agenda
/// moves on. Everything in it comes from the seed: two worlds of one seed have one history.
package final class World {
    /// When a world begins, in milliseconds since 1970.
    static let epoch: Int64 = 1_800_000_000_000

    let seed: UInt64
    let profile: Profile
    private var script: Script
    let sabotage: Sabotage?
    private var agenda = Agenda<WorldEvent>()
    /// Milliseconds since the beginning.
    private(set) var now: Int64 = 0
    /// How many of them were quiet: the script stands still then.
    private var quietTime: Int64 = 0
    /// How many events there were.
    package private(set) var steps = 0
    package private(set) var quietTimes = 0
    /// Of the script's item that was played last.
    package private(set) var lastOrdinal = 0
    package private(set) var trace = Trace()
    let ledger: Ledger
    let daemon: Daemon
    var machines: [SimulatedMachine]
    /// How many of them there were at the beginning.
    let originalCount: Int
    var markCount: Int64 = 0
    var processes: [Int: SimulatedProcess] = [:]
    var processCount = 0
    var connections: [Int: Connection] = [:]
    var connectionCount = 0
    package private(set) var situations: [Situation: Int] = [:]
    /// Nobody does anything and nothing fails: what is under way comes to its end.
    var isCalm = false

    package init(
        seed: UInt64, part: ScriptPart = .all, sabotage: Sabotage? = nil,
        echo: ((String) -> Void)? = nil
    ) {
        let dice = Dice(seed, .profile)
        let profile = Profile(dice, fate: Dice(seed, .mishaps))
        let serverDice = Dice(seed, .server)
        let power = SimulatedDisk(dice: serverDice)
        var realms: [HostedRealm] = []
        var machines: [SimulatedMachine] = []
        for user in ["alice", "bob"].prefix(profile.users) {
            let names = ["todo", "notes"].prefix(profile.realmsAUser).compactMap {
                RealmName(owner: user, name: $0)
            }
            let first = realms.count
            for name in names {
                let bytes = (0..<RealmID.byteCount).map { _ in UInt8(dice.roll(0...255)) }
                guard let id = RealmID(bytes: bytes) else { continue }
                realms.append(HostedRealm(place: realms.count, name: name, id: id, power: power))
            }
            for _ in 0..<profile.replicasAUser {
                let hostDice = Dice(seed, .machine(machines.count))
                let host = SimulatedHost(power: SimulatedDisk(dice: hostDice))
                for (index, name) in names.enumerated() {
                    let isShared = profile.sharesReplicas && dice.once(in: 2)
                    machines.append(
                        SimulatedMachine(
                            number: machines.count, on: host, user: user, realm: first + index,
                            realmName: name, processCount: isShared ? 2 : 1,
                            dice: Dice(seed, .machine(machines.count))))
                }
            }
        }
        self.seed = seed
        self.profile = profile
        self.sabotage = sabotage
        self.machines = machines
        originalCount = machines.count
        ledger = Ledger(namesChange: !profile.mishaps.kinds.isEmpty)
        script = Script(
            seed: seed, profile: profile, machineCount: machines.count, part: part)
        daemon = Daemon(
            realms: realms, power: power, dice: serverDice,
            means: ServerMeans(Dice(seed, .means)))
        trace.echo = echo
        for machine in machines {
            machine.host.clock.error = Int64(machine.dice.roll(-90_000...90_000))
            if machine.dice.once(in: 8) { trouble(machine.power, machine.dice, of: machine) }
            for _ in 0..<machine.processCount {
                plan(.processStarts(machine: machine.number), in: machine.dice.roll(0...500))
            }
        }
    }

    func begin(act ordinal: Int, _ what: String) {
        trace.begin(act: "\(ordinal): \(what), at \(now)")
    }

    func met(_ situation: Situation) { situations[situation, default: 0] += 1 }

    func note(_ line: String) { trace.note("\(now) \(line)") }

    func plan(_ event: WorldEvent, in milliseconds: Int) {
        agenda.plan(event, at: now + Int64(milliseconds))
    }

    /// Lets the next thing happen.
    func step() throws {
        steps += 1
        let isScripted = !isCalm && scriptTime < agenda.nextTime ?? .max
        guard isScripted || agenda.nextTime != nil else {
            throw Violation(.progress, "nothing happens any more")
        }
        do {
            try isScripted ? playScript() : playAgenda()
            buryServer()
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(.peace, "an engine failed: \(error)")
        }
    }

    private var scriptTime: Int64 {
        let (time, overflow) = script.upcoming.time.addingReportingOverflow(quietTime)
        return overflow ? .max : time
    }

    private func playScript() throws {
        let item = script.upcoming
        lastOrdinal = item.ordinal
        now = scriptTime
        script.advance()
        defer { trace.endAct() }
        switch item.actor {
        case .user(let machine):
            guard machines.indices.contains(machine) else { return }
            try userActs(on: machines[machine], item.ordinal)
        case .fault: try fail(item.ordinal)
        case .mishap: try playMishap(item.ordinal)
        case .quiet:
            begin(act: item.ordinal, "quiet")
            trace.endAct()
            try quiet()
        }
    }

    private func playAgenda() throws {
        guard let (time, event) = agenda.next() else { return }
        now = time
        try happen(event)
    }

    /// Lets everything come to rest, holds all laws to it, and goes on.
    func quiet() throws {
        let began = now
        isCalm = true
        defer {
            isCalm = false
            quietTime += now - began
        }
        try comeToRest()
        try checkQuiet()
        quietTimes += 1
        try checkLastWord()
        try checkForkIsSeen()
        note("laws hold at \(daemon.realms.map(\.history.latest.applied.version))")
    }

    private func happen(_ event: WorldEvent) throws {
        switch event {
        case .localChange(let machine): try localChange(on: machines[machine])
        case .machineStarts(let machine): try start(machines[machine])
        case .networkReturns(let machine): try plugIn(machines[machine])
        case .processStarts(let machine): try startProcess(on: machines[machine])
        case .tick(let number): try inProcess(number, event) { try tick($0) }
        case .timer(let number, let generation):
            try inProcess(number, event) { process in
                guard process.wakeGeneration == generation else { return }
                try tell(.timer, to: process)
            }
        case .connectAnswered(let number, let attempt):
            try inProcess(number, event) { try connectAnswered($0, attempt) }
        case .deliverToClient(let number):
            guard let connection = connections[number] else { return }
            try inProcess(connection.process, event) { _ in try deliverToClient(connection) }
        case .clientNoticesEnd(let number):
            guard let connection = connections[number] else { return }
            try inProcess(connection.process, event) { _ in try clientNoticesEnd(connection) }
        case .deliverToServer(let number): try deliverToServer(number)
        case .serverNoticesEnd(let number): try serverNoticesEnd(number)
        case .loginDone(let number, let credentials): try loginDone(number, credentials)
        case .turn(let realm, let life): try turn(realm, life)
        case .logWrite(let realm, let life): try logWrite(realm, life)
        case .logAnswered(let realm, let life, let failure):
            try logAnswered(realm, life, failure)
        case .serverStarts: startServer()
        case .diskIsWell(let machine, let generation): healDisk(ofMachine: machine, generation)
        }
    }

    /// What happens to a process that is stopped waits until it goes on.
    private func inProcess(
        _ number: Int, _ event: WorldEvent, _ body: (SimulatedProcess) throws -> Void
    ) throws {
        guard let process = processes[number] else { return }
        guard process.pausedUntil <= now else {
            plan(event, in: Int(process.pausedUntil - now))
            return
        }
        try use(process) { try body(process) }
    }
}
