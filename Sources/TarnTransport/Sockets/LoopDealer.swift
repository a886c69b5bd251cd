internal import Synchronization

/// Deals connections to loops: each to one that has the fewest now, and in turn where several have.
/// In turn alone would fill one loop, should every second connection be a short one.
final class LoopDealer: Sendable {
    final class Seat: Sendable {
        let loop: EventLoop
        fileprivate let count = Atomic(0)

        init(_ loop: EventLoop) {
            self.loop = loop
        }
    }

    private let seats: [Seat]
    private let nextIndex = Atomic(0)

    init(_ loops: [EventLoop]) {
        precondition(!loops.isEmpty, "connections live on a loop")
        seats = loops.map(Seat.init)
    }

    /// The connection counts at once, wherever it is made.
    func next() -> Seat {
        let start = nextIndex.wrappingAdd(1, ordering: .relaxed).oldValue
        var best = seats[Int(UInt(bitPattern: start) % UInt(seats.count))]
        var least = best.count.load(ordering: .relaxed)
        for offset in 1..<max(seats.count, 1) where least > 0 {
            let seat = seats[Int(UInt(bitPattern: start &+ offset) % UInt(seats.count))]
            let count = seat.count.load(ordering: .relaxed)
            if count < least { (best, least) = (seat, count) }
        }
        best.count.wrappingAdd(1, ordering: .relaxed)
        return best
    }

    func ended(on seat: Seat) {
        seat.count.wrappingSubtract(1, ordering: .relaxed)
    }

    var connectionCount: Int { seats.reduce(0) { $0 + $1.count.load(ordering: .relaxed) } }
}
