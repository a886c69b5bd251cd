import TarnClient
import TarnStorage

/// What becomes of those whose disk fails under them.
extension World {
    /// Runs what uses a process's replica. A failure that was played is told to whoever uses it;
    /// where the power went meanwhile, it was the last that the process or its machine did.
    func use(_ process: SimulatedProcess, _ body: () throws -> Void) throws {
        let machine = machines[process.machine]
        if let failure = try StorageError.played(in: body) {
            note("process \(process.number) is told: \(failure)")
            guard (failure as? ReplicaError)?.cause?.code == machine.power.told?.code else {
                throw Violation(.peace, "a disk's failure is told as another: \(failure)")
            }
        }
        guard machine.power.isDead else { return }
        if machine.dice.once(in: 2) {
            met(.processDiesBetweenCalls)
            machine.power.heal()
            kill(process, machine.dice)
            try enterNames(of: machine)
        } else {
            met(.machineDiesBetweenCalls)
            try crash(machine, machine.dice)
        }
    }

    func trouble(_ disk: SimulatedDisk, _ dice: Dice, of machine: SimulatedMachine?) {
        let name = machine.map { "machine \($0.number)" } ?? "the server"
        switch dice.roll(0...3) {
        case 0:
            note("the disk of \(name) is full")
            disk.begin(.full)
        case 1:
            note("the disk of \(name) fails now and then")
            disk.begin(.failing)
        default:
            let count = dice.pick([3, 12, 60, 250]) ?? 12
            disk.begin(.doomed(callsLeft: dice.roll(0...count), lastIsDone: dice.once(in: 2)))
            note("\(name) is about to lose its power: \(disk.trouble)")
        }
        plan(
            .diskIsWell(machine: machine?.number, generation: disk.generation),
            in: dice.roll(200...20_000))
    }

    func healDisk(ofMachine number: Int?, _ generation: Int) {
        let disk = number.map { machines[$0].power } ?? daemon.power
        guard disk.generation == generation else { return }
        note("the disk of \(number.map { "machine \($0)" } ?? "the server") is well")
        disk.heal()
    }

    /// Where the server's power went in the midst of something.
    func buryServer() {
        guard daemon.power.isDead else { return }
        met(.serverDiesBetweenCalls)
        crashServer(daemon.dice)
    }
}
