import TarnClient
import TarnModel
import TarnStorage

/// Processes are killed and stopped, machines lose power and network, clocks jump.
extension World {
    func kill(_ process: SimulatedProcess, _ dice: Dice) {
        note("process \(process.number) is killed")
        processes[process.number] = nil
        let machine = machines[process.machine]
        machine.processes.removeAll { $0 == process.number }
        if let number = process.connection, let connection = connections[number] {
            // The kernel closes it; what was under way to it is gone.
            endFromClient(connection)
        }
        plan(.processStarts(machine: machine.number), in: dice.roll(50...6_000))
    }

    /// What is on the same computer.
    private func mates(of machine: SimulatedMachine) -> [SimulatedMachine] {
        machines.filter { $0.host === machine.host }
    }

    func crash(_ machine: SimulatedMachine, _ dice: Dice) throws {
        machine.power.heal()
        for mate in mates(of: machine) { try crashAlone(mate, dice) }
    }

    private func crashAlone(_ machine: SimulatedMachine, _ dice: Dice) throws {
        guard machine.isUp else { return }
        note("machine \(machine.number) crashes")
        machine.isUp = false
        for number in machine.processes {
            guard let process = processes.removeValue(forKey: number) else { continue }
            if let number = process.connection, let connection = connections[number] {
                // Nobody says goodbye.
                cut(connection)
                connection.isOpenAtClient = false
                forget(connection)
            }
        }
        machine.processes = []
        machine.disk.crash()
        try checkReplica(of: machine)
        plan(.machineStarts(machine.number), in: dice.roll(200...15_000))
    }

    func start(_ machine: SimulatedMachine) throws {
        machine.isUp = true
        machine.boot += 1
        machine.bootedAt = now
        note("machine \(machine.number) starts")
        for _ in 0..<machine.processCount { try startProcess(on: machine) }
    }

    func unplug(_ machine: SimulatedMachine, _ dice: Dice) {
        for mate in mates(of: machine) { unplugAlone(mate, dice) }
    }

    private func unplugAlone(_ machine: SimulatedMachine, _ dice: Dice) {
        guard machine.isOnline else { return }
        note("machine \(machine.number) is offline")
        machine.isOnline = false
        for number in connections.keys.sorted() {
            if let connection = connections[number], connection.machine == machine.number {
                cut(connection)
            }
        }
        plan(.networkReturns(machine: machine.number), in: dice.roll(500...60_000))
    }

    func plugIn(_ machine: SimulatedMachine) throws {
        guard !machine.isOnline else { return }
        note("machine \(machine.number) is online")
        machine.isOnline = true
        // As a program does that hears of it from the system.
        for number in machine.processes where machine.dice.once(in: 2) {
            guard let process = processes[number] else { continue }
            try use(process) { try tell(.started, to: process) }
        }
    }

    func jumpClock(of machine: SimulatedMachine, _ dice: Dice) {
        machine.host.clock.jump(dice, at: Self.epoch + now)
        note("the clock of machine \(machine.number): \(machine.host.clock)")
    }

    func pause(_ process: SimulatedProcess, _ dice: Dice) {
        process.pausedUntil = now + Int64(dice.roll(500...12_000))
        note("process \(process.number) is stopped until \(process.pausedUntil)")
    }
}
