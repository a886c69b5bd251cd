import TarnClient
import TarnModel
import TarnStorage

/// What goes wrong, and when it is quiet.
extension World {
    func fail(_ ordinal: Int) throws {
        let dice = Dice(seed, .act(ordinal))
        guard let machine = dice.pick(machines) else { return }
        let process = dice.pick(machine.processes.compactMap { processes[$0] })
        let choice = dice.roll(0...26)
        begin(act: ordinal, "fault \(choice), machine \(machine.number)")
        switch choice {
        case 0, 1: crashServer(dice)
        case 2, 3: unplug(machine, dice)
        case 4: try crash(machine, dice)
        case 5: if let process { kill(process, dice) }
        case 6: if let process { pause(process, dice) }
        case 7: jumpClock(of: machine, dice)
        case 8:
            daemon.clock.jump(dice, at: Self.epoch + now)
            if profile.mishaps.keepArchives { daemon.clock.error %= 10 * 86_400_000 }
        case 9, 20: if let realm = dice.pick(daemon.realms) { try checkpoint(realm) }
        case 10: daemon.appendsToFailure = dice.roll(0...3)
        case 11, 12, 13: machine.connectsToFail = dice.roll(1...3)
        case 14, 15:
            trouble(machine.power, dice, of: machine)
            // Whoever starts again finds the disk as it is.
            if let process, dice.once(in: 3) { kill(process, dice) }
        case 16, 17:
            trouble(daemon.power, dice, of: nil)
            if dice.once(in: 3), let realm = dice.pick(daemon.realms) { try checkpoint(realm) }
        case 18, 19: stall(dice)
        default:
            let numbers = connections.keys.sorted()
            if let number = dice.pick(numbers), let connection = connections[number] {
                connection.deliveriesToCut = dice.roll(0...12)
            }
        }
        try plant(in: machine)
    }

    /// Whatever does not work does, and nothing new comes, until nothing is under way any more.
    func comeToRest() throws {
        daemon.appendsToFailure = nil
        daemon.power.heal()
        for connection in connections.values {
            connection.deliveriesToCut = nil
            (connection.readsAt, connection.writesAt) = (0, 0)
        }
        for machine in machines {
            machine.connectsToFail = 0
            machine.power.heal()
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
