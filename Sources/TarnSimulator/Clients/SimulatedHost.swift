/// A computer of a user's, with all replicas that are on it.
final class SimulatedHost {
    /// What is wrong with its disk.
    let power: SimulatedDisk
    var clock = SimulatedClock()

    init(power: SimulatedDisk) { self.power = power }
}

/// A clock that may be wrong by years, jump, and stand still.
struct SimulatedClock {
    /// Milliseconds that it is wrong by.
    var error: Int64 = 0
    /// Since when it stands still; nil where it goes.
    private var stoppedAt: Int64?

    /// - Parameter now: the true time, in milliseconds of any beginning.
    func time(at now: Int64) -> Int64 { (stoppedAt ?? now) + error }

    /// Something goes wrong with it, or right again.
    mutating func jump(_ dice: Dice, at now: Int64) {
        switch dice.roll(0...5) {
        case 0: error = Int64(dice.roll(-400_000_000_000...400_000_000_000))
        case 1: error -= Int64(dice.roll(0...3_600_000))
        case 2: stoppedAt = stoppedAt == nil ? now : nil
        default:
            error = Int64(dice.roll(-120_000...120_000))
            stoppedAt = nil
        }
    }
}
