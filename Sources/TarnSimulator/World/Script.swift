/// What people do and what goes wrong: who, and when, by numbers. Nothing that happens in a world
/// has any influence on it, so some of it can be left out, and the rest stays as it was.
struct Script {
    enum Actor {
        case user(machine: Int)
        case fault
        /// One of the profile's mishaps.
        case mishap
        /// It becomes quiet, and all laws are looked at.
        case quiet
    }

    struct Item {
        /// From 1.
        let ordinal: Int
        /// Milliseconds since the beginning, without those of quiet.
        let time: Int64
        let actor: Actor
    }

    private let dice: Dice
    private let profile: Profile
    private let part: ScriptPart
    private var agenda = Agenda<Actor>()
    private var count = 0
    /// What comes next of the part that is played.
    private(set) var upcoming: Item

    init(seed: UInt64, profile: Profile, machineCount: Int, part: ScriptPart) {
        dice = Dice(seed, .script)
        self.profile = profile
        self.part = part
        upcoming = Item(ordinal: 0, time: 0, actor: .fault)
        for machine in 0..<machineCount { plan(.user(machine: machine), after: 0) }
        plan(.fault, after: 1_000)
        plan(.quiet, after: 1_000)
        // Of computers that are not there yet.
        for machine in 0..<profile.mishaps.copiesMax {
            plan(.user(machine: machineCount + machine), after: 0)
        }
        if !profile.mishaps.kinds.isEmpty { plan(.mishap, after: 0) }
        advance()
    }

    mutating func advance() {
        repeat {
            guard count < part.last, let (time, actor) = agenda.next() else {
                upcoming = Item(ordinal: count + 1, time: .max, actor: .fault)
                return
            }
            count += 1
            upcoming = Item(ordinal: count, time: time, actor: actor)
            plan(actor, after: time)
        } while !part.contains(upcoming.ordinal)
    }

    private mutating func plan(_ actor: Actor, after time: Int64) {
        let pause =
            switch actor {
            case .user: dice.roll(1...profile.pauseMax)
            case .fault: dice.roll(1...profile.faultPauseMax)
            case .mishap: dice.roll(1...profile.mishaps.pauseMax)
            case .quiet: dice.roll(1...profile.quietPauseMax)
            }
        agenda.plan(actor, at: time + Int64(pause))
    }
}

/// Which of a script's items are played, by their ordinals.
package enum ScriptPart: Equatable, Sendable {
    case all
    case without(Set<Int>)
    case only(Set<Int>)

    package func contains(_ ordinal: Int) -> Bool {
        switch self {
        case .all: true
        case .without(let left): !left.contains(ordinal)
        case .only(let kept): kept.contains(ordinal)
        }
    }

    /// After it there is nothing.
    var last: Int {
        switch self {
        case .all, .without: .max
        case .only(let kept): kept.max() ?? 0
        }
    }
}
