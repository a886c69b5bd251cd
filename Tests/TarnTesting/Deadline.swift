import Glibc

/// A point in time that waiting for something ends at.
package struct Deadline {
    private let end: Int

    package init(seconds: Int) { end = time(nil) + seconds }

    package var hasPassed: Bool { time(nil) >= end }

    /// Looks at the condition again and again until it holds.
    /// - Returns: false where time ran out before.
    package func wait(until holds: () throws -> Bool) rethrows -> Bool {
        while try !holds() {
            if hasPassed { return false }
            Self.pause(microseconds: 5_000)
        }
        return true
    }

    /// Lets time pass as part of what is tested: between two kills, for instance.
    package static func pause(microseconds: UInt32) { usleep(microseconds) }
}
