import TarnClient
import TarnStorage

/// What is wrong with a machine's disk: it has no room, or fails now and then, or the power goes
/// between two calls of whatever is at work.
final class SimulatedDisk {
    enum Trouble {
        case none
        case full
        case failing
        /// After so many calls everything on the machine stops; what the last one did may be done.
        case doomed(callsLeft: Int, lastIsDone: Bool)
    }

    private let dice: Dice
    private(set) var trouble = Trouble.none
    /// The power is gone: whoever is at work does not know it yet, and can do nothing any more.
    private(set) var isDead = false
    /// What was told last.
    private(set) var told: StorageError?
    /// Counts troubles: an end that was planned for an earlier one is nothing to a later one.
    private(set) var generation = 0

    init(dice: Dice) { self.dice = dice }

    var isWell: Bool { if case .none = trouble, !isDead { true } else { false } }

    func begin(_ trouble: Trouble) {
        self.trouble = trouble
        generation += 1
    }

    func heal() {
        begin(.none)
        isDead = false
    }

    /// Nil where the call may go on.
    func answer(_ call: StorageCall) -> StorageError? {
        told = error(of: call)
        return told
    }

    private func error(of call: StorageCall) -> StorageError? {
        if isDead { return .dead }
        switch (trouble, call) {
        case (.none, _), (.full, .begin): return nil
        case (.full, _): return dice.once(in: 3) ? .played(.full) : nil
        case (.failing, .begin): return dice.once(in: 6) ? .played(.busy) : nil
        case (.failing, _): return dice.once(in: 6) ? .played(.unavailable) : nil
        case (.doomed(0, let isDone), _):
            isDead = true
            trouble = .none
            return isDone ? nil : .dead
        case (.doomed(let left, let isDone), _):
            trouble = .doomed(callsLeft: left - 1, lastIsDone: isDone)
            return nil
        }
    }
}

extension StorageError {
    private static let mark = "as the dice have it"
    fileprivate static let dead = StorageError(.unavailable, while: "dying", cause: mark)

    fileprivate static func played(_ code: Code) -> StorageError {
        StorageError(code, while: "storing", cause: mark)
    }

    /// Made up here, and not by what is tried.
    var isPlayed: Bool { cause == Self.mark }

    /// Whether a program's complaint is of such an error.
    static func isPlayed(in sentence: String) -> Bool { sentence.contains(mark) }

    /// The failure of what is tried where it is a played one; any other goes on its way.
    static func played(in body: () throws -> Void) throws -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            guard isPlayed(error) else { throw error }
            return error
        }
    }

    static func isPlayed(_ error: any Error) -> Bool {
        switch error {
        case let error as StorageError: error.isPlayed
        case let error as ReplicaError: error.cause?.isPlayed == true
        default: false
        }
    }
}
