import TarnClient
import TarnModel
import TarnStorage

/// Nobody wins for ever by a clock that is ahead, and nobody loses by one that is behind.
extension World {
    /// When nothing is under way, somebody who has seen everything says something: that has to
    /// stand, whatever his clock and the server's say.
    func checkLastWord() throws {
        let dice = Dice(seed, .lastWord(quietTimes))
        guard let machine = dice.pick(machines),
            let process = machine.processes.compactMap({ processes[$0] }).first
        else { return }
        let acts = UserActs(dice: dice, user: machine.user, isOld: machine.hasOldPrograms)
        let word = Value.string(Text("last word \(quietTimes)"))
        let mark = nextMark()
        try process.replica.write(clockTicks: ticks(of: machine)) { transaction in
            guard
                try acts.any("Item", in: transaction) != nil
                    || acts.any("Project", in: transaction) != nil
            else { return }
            try mark.map { try UserActs.put($0, in: &transaction) }
            if let item = try acts.any("Item", in: transaction) {
                try transaction.set("body", of: item, to: word)
            }
            if let project = try acts.any("Project", in: transaction) {
                try transaction.set("name", of: project, to: word)
            }
        }
        guard let work = try enterWork(of: machine) else { return }
        try comeToRest()
        try checkQuiet()
        let outcome = daemon.realms[machine.realm].history.decision(of: work)?.outcome
        guard outcome == .accepted else {
            throw Violation(
                .agreement, "machine \(machine.number) had seen everything, and has lost",
                "clocks: \(wall(of: machine)), the server's \(serverClock)",
                "\(String(describing: outcome))")
        }
        met(.lastWord)
    }
}
