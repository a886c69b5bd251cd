import TarnClient
import TarnModel
import TarnStorage

/// What goes wrong, and when it is quiet.
extension World {
    func fail() throws {
        plan(.fault, in: dice.roll(1...max(1, profile.stepsAFault * 20)))
        guard !isCalm, let machine = dice.pick(machines) else { return }
        let process = dice.pick(machine.processes.compactMap { processes[$0] })
        switch dice.roll(0...11) {
        case 0, 1: crashServer()
        case 2, 3: unplug(machine)
        case 4: try crash(machine)
        case 5: if let process { kill(process) }
        case 6: if let process { pause(process) }
        case 7: jumpClock(of: machine)
        case 8: daemon.clockError += Int64(dice.roll(-5_000...5_000))
        case 9: if let realm = dice.pick(daemon.realms) { try checkpoint(realm) }
        default:
            let numbers = connections.keys.sorted()
            if let number = dice.pick(numbers), let connection = connections[number] {
                cut(connection)
            }
        }
        try plant(in: machine)
    }

    /// Lets everything come to rest, holds all laws to it, and goes on.
    func quiet() throws {
        note("quiet")
        isCalm = true
        defer { isCalm = false }
        for machine in machines {
            try plugIn(machine)
            for number in machine.processes { processes[number]?.pausedUntil = 0 }
        }
        let limit = now + 600_000
        while !isAtRest {
            guard now < limit else {
                throw Violation(.progress, "ten minutes of quiet bring no rest", unrest)
            }
            try step()
        }
        try checkQuiet()
        note("laws hold at \(daemon.realms.map(\.history.latest.applied.version))")
    }

    private var isAtRest: Bool { daemon.isUp && unrest.isEmpty }

    /// What is still under way.
    private var unrest: [String] {
        var found: [String] = []
        for realm in daemon.realms where realm.isTurnPlanned || realm.underWay != nil {
            found.append("realm \(realm.place) has work")
        }
        for connection in connections.values
        where !connection.toServer.isEmpty || !connection.toClient.isEmpty || connection.isCut {
            found.append("connection \(connection.number) is busy")
        }
        for machine in machines {
            guard machine.processes.count == machine.processCount else {
                found.append("machine \(machine.number) is starting")
                continue
            }
            let leaders = machine.processes.compactMap { processes[$0] }.filter {
                $0.engine?.isRunning == true && $0.connection != nil
            }
            let (count, isAnswered) =
                (try? machine.look { store in
                    (
                        try store.pendingCount(),
                        try store.subscriptions().allSatisfy { $0.state != .pending }
                    )
                }) ?? (0, true)
            if !isAnswered { found.append("machine \(machine.number) waits for an answer") }
            if leaders.count != 1 { found.append("machine \(machine.number) is not connected") }
            if count != 0 { found.append("machine \(machine.number) has work") }
        }
        return found.sorted()
    }
}
