/// How long to wait before the next try to connect: a second at first, twice as long after each
/// failure, a minute at most, and a quarter more or less by chance, so that clients that a server
/// lost together do not come back together.
package struct BackOff: Sendable {
    package static let firstMilliseconds: Int64 = 1_000
    package static let lastMilliseconds: Int64 = 60_000
    private var failures = 0

    package init() {}

    /// To be told when a session did its work.
    package mutating func reset() { failures = 0 }

    package mutating func next(random: inout some RandomNumberGenerator) -> Int64 {
        // Six doublings lead past the maximum.
        let doublings = min(failures, 6)
        failures = doublings + 1
        let base = min(Self.firstMilliseconds << Int64(doublings), Self.lastMilliseconds)
        return base * Int64.random(in: 75...125, using: &random) / 100
    }
}
