import Synchronization

/// The one kind of chance in a world: splitmix64, so that a seed names a whole history. It is a
/// class, so that whoever throws takes from the same sequence.
package final class Dice: RandomNumberGenerator {
    /// Whose throws they are. Each has a sequence of its own, so that one throw more of one of them
    /// changes nothing for the others.
    enum Owner {
        case profile, mishaps, means, script
        case act(Int)
        case machine(Int)
        case server
        /// The connections of a machine, in order.
        case connection(Int, machine: Int)
        /// After a time of quiet, by its number.
        case lastWord(Int)

        fileprivate var number: UInt64 {
            switch self {
            case .profile: 1
            case .script: 2
            case .server: 3
            case .mishaps: 8
            case .means: 9
            case .act(let ordinal): 4 + UInt64(ordinal) << 8
            case .machine(let number): 5 + UInt64(number) << 8
            case .lastWord(let quiet): 7 + UInt64(quiet) << 8
            case .connection(let count, let machine):
                6 + UInt64(count) << 24 + UInt64(machine) << 8
            }
        }
    }

    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    init(_ seed: UInt64, _ owner: Owner) {
        state = Self.mixed(seed &+ Self.mixed(owner.number))
    }

    package func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    static func mixed(_ state: UInt64) -> UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of a range.
    func roll(_ range: ClosedRange<Int>) -> Int {
        let count = UInt64(range.upperBound - range.lowerBound) + 1
        return range.lowerBound + Int(next() % count)
    }

    /// Whether something happens that happens once in so many times.
    func once(in count: Int) -> Bool { next() % UInt64(count) == 0 }

    func pick<Element>(_ choices: [Element]) -> Element? {
        choices.isEmpty ? nil : choices[roll(0...(choices.count - 1))]
    }
}

/// Salts for the server's engines, which ask for them from anywhere.
final class SaltSource: Sendable {
    /// The only state; held for an addition.
    private let state: Mutex<UInt64>

    init(seed: UInt64) { state = Mutex(seed) }

    func next() -> UInt64 {
        Dice.mixed(
            state.withLock {
                $0 &+= 0x9E37_79B9_7F4A_7C15
                return $0
            })
    }
}
