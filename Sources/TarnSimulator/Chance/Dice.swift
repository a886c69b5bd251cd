import Synchronization

/// The one source of chance in a world: splitmix64, so that a seed names a whole history. It is a
/// class, so that whoever throws takes from the same sequence.
package final class Dice: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

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
