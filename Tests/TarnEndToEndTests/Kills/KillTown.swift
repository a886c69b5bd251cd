import Glibc
import TarnTesting

/// A town in which somebody kills a program every now and then: the daemon, those that keep a
/// replica in step, and commands. All that is chosen comes from a seed; the moments are those of
/// the machine.
final class KillTown {
    enum Victim: CaseIterable {
        case daemon, watch, sync, add, edit, done, mv, rm
    }

    static let users = ["laptop": "alice", "desk": "alice", "phone": "bob"]

    private let town: Town
    private var random: SeededGenerator
    private(set) var ledger = KillLedger()
    private var keepers: [Keeper] = []
    private var hands: [Hand] = []
    private var victims: [Victim] = []
    /// What no program may come to, whatever is killed beside it.
    private(set) var problems: [String] = []
    private(set) var killCounts: [Victim: Int] = [:]

    /// A program that keeps a replica in step, and is started again when it ends.
    private struct Keeper {
        let profile: String
        let verb: Victim
        var process: TarnProcess
    }

    /// A command that runs.
    private struct Hand {
        let profile: String
        let deed: KillLedger.Deed
        let process: TarnProcess
    }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        town = try Town()
        for (profile, user) in [("laptop", "alice"), ("phone", "bob")] {
            expect(try town.enter(user, on: profile, isNew: true))
            expect(try town.tarn(profile, "project", "add", "Work"))
        }
        expect(try town.enter("alice", on: "desk"))
        let kept: [(String, Victim)] = [
            ("laptop", .watch), ("laptop", .watch), ("laptop", .sync), ("desk", .watch),
            ("desk", .sync), ("phone", .watch),
        ]
        for (profile, verb) in kept {
            keepers.append(
                Keeper(profile: profile, verb: verb, process: try keeper(verb, on: profile)))
        }
    }

    var files: SettledFiles { SettledFiles(server: town.folder.file("server"), home: town.home) }

    private func expect(_ answer: Town.Answer) {
        if answer.status != 0 { problems.append("\(answer.status): \(answer.errors)") }
    }

    private func keeper(_ verb: Victim, on profile: String) throws -> TarnProcess {
        try town.start(profile, verb == .watch ? ["watch"] : ["sync"])
    }

    // MARK: - Work

    /// Lets everybody work for a while, and kills one of them.
    func playRound() throws {
        if victims.isEmpty { victims = Victim.allCases.shuffled(using: &random) }
        let victim = victims.removeLast()
        try work(milliseconds: Int.random(in: 5...250, using: &random))
        switch victim {
        case .daemon:
            town.fell()
            // What clients do without it is part of the load.
            try work(milliseconds: Int.random(in: 0...200, using: &random))
            try town.raise()
        case .watch, .sync:
            let places = keepers.indices.filter { keepers[$0].verb == victim }
            guard let place = places.randomElement(using: &random) else { return }
            keepers[place].process.end(by: SIGKILL)
            keepers[place].process = try keeper(victim, on: keepers[place].profile)
        case .add: try killCommand(.add)
        case .edit: try killCommand(.edit)
        case .done: try killCommand(.done)
        case .mv: try killCommand(.mv)
        case .rm: try killCommand(.rm)
        }
        killCounts[victim, default: 0] += 1
    }

    /// Starts a command to kill it: in the midst of its start, its write or its wait.
    private func killCommand(_ verb: KillLedger.Verb) throws {
        guard let hand = try start(verb, on: randomProfile()) ?? start(.add, on: randomProfile())
        else { return }
        try work(milliseconds: Int.random(in: 0...120, using: &random))
        finish(hand, status: hand.process.end(by: SIGKILL))
    }

    private func randomProfile() -> String {
        Self.users.keys.sorted().randomElement(using: &random) ?? "laptop"
    }

    private func start(_ verb: KillLedger.Verb, on profile: String) throws -> Hand? {
        guard let user = Self.users[profile],
            let (deed, arguments) = ledger.deed(verb, for: user, using: &random)
        else { return nil }
        return Hand(profile: profile, deed: deed, process: try town.start(profile, arguments))
    }

    private func work(milliseconds: Int) throws {
        for _ in 0...(milliseconds / 5) {
            try tend(isOpen: true)
            Deadline.pause(microseconds: 5_000)
        }
    }

    /// Takes what has ended, and starts as much again.
    private func tend(isOpen: Bool) throws {
        hands.removeAll { hand in
            guard let status = hand.process.endIfOver() else { return false }
            finish(hand, status: status)
            return true
        }
        guard isOpen else { return }
        for place in keepers.indices {
            guard let status = keepers[place].process.endIfOver() else { continue }
            // A sync ends when all is in step, or there is no server, or no end in sight.
            if ![0, 69, 75].contains(status) || keepers[place].verb == .watch {
                problems.append("\(keepers[place]) \(status): \(keepers[place].process.errors)")
            }
            keepers[place].process = try keeper(
                keepers[place].verb, on: keepers[place].profile)
        }
        let verbs: [KillLedger.Verb] = [.add, .add, .add, .add, .edit, .edit, .done, .mv, .rm]
        while hands.count < 4 {
            let verb = verbs.randomElement(using: &random) ?? .add
            guard let hand = try start(verb, on: randomProfile()) else { continue }
            hands.append(hand)
        }
    }

    private func finish(_ hand: Hand, status: Int32) {
        switch status {
        case 0: ledger.note(hand.deed, output: hand.process.output)
        // Somebody was faster with removing it.
        case 66 where hand.deed.verb != .add: break
        case -SIGKILL: break
        default:
            problems.append(
                "\(hand.profile) \(hand.deed.verb) \(status): \(hand.process.errors)")
        }
    }

    // MARK: - The end

    /// Lets everything come to rest: nobody works, all is sent, and no program runs any more.
    func settle() throws {
        for keeper in keepers {
            keeper.process.end(by: Bool.random(using: &random) ? SIGKILL : SIGTERM)
        }
        _ = try Deadline(seconds: 30).wait {
            try tend(isOpen: false)
            return hands.isEmpty
        }
        if !hands.isEmpty { problems.append("\(hands.map(\.deed)) do not end") }
        for profile in ["laptop", "desk", "phone", "laptop", "desk"] {
            expect(try town.tarn(profile, "sync"))
        }
        town.fell()
    }
}
