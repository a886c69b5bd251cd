import TarnModel
import TarnProtocol

/// A view on its way to a replica, a piece with each group of a series.
///
/// The walk goes through the view's objects in their order. Those up to `position` the replica has
/// as of what its session was sent last; those behind it, as `segments` say. So no piece needs more
/// than a few objects in memory, no snapshot is kept for anybody, and what happens meanwhile is
/// told with the next piece, or met farther on.
struct ViewWalk: Hashable {
    /// What the replica has of a stretch of the view that the walk has not come to.
    enum Base: Hashable {
        /// Nothing that counts.
        case nothing
        /// What the view held at that version.
        case version(Version)
        /// The same, but for objects in these buckets, of which it has nothing that counts.
        case compared(Version, BucketSet)

        /// What differences are told since; nil where there are none to tell.
        var version: Version? {
            switch self {
            case .nothing: nil
            case .version(let version), .compared(let version, _): version
            }
        }
    }

    /// What lies before an object, behind the segment before.
    struct Segment: Hashable {
        /// The last object of it; nil where it ends with the view.
        let last: ObjectID?
        let base: Base
    }

    /// Nil before the first object.
    var position: ObjectID?
    /// Empty when the walk is through.
    var segments: [Segment]
    /// How often it has gone back to the beginning.
    private(set) var returns = 0
    /// Something of it has been sent.
    var isBegun = false
    /// Objects that were gone through, and those that there were to go through at the beginning.
    var done = 0
    let total: Int

    init(position: ObjectID?, segments: [Segment], isBegun: Bool, done: Int, total: Int) {
        self.position = position
        self.segments = segments
        self.isBegun = isBegun
        self.done = done
        self.total = total
    }

    /// - Parameter count: members of the view.
    init(from base: Base, count: Int) {
        let whole = Segment(last: nil, base: base)
        self.init(position: nil, segments: [whole], isBegun: false, done: 0, total: count)
    }

    var isThrough: Bool { segments.isEmpty }

    /// The versions that it needs the view to tell of.
    var bases: [Version] { segments.compactMap(\.base.version) }

    /// What goes first of that which the replica holds, with the next piece.
    var replaced: GroupView.Replacement {
        guard !isBegun, let base = segments.last?.base else { return .nothing }
        switch base {
        case .nothing: return .everything
        case .version: return .nothing
        case .compared(_, let buckets): return .buckets(buckets)
        }
    }

    /// More has happened in what lies before the position than one piece should say: that is gone
    /// through once more.
    mutating func returnToStart(from version: Version) {
        guard isThrough || position != nil else { return }
        segments.insert(Segment(last: isThrough ? nil : position, base: .version(version)), at: 0)
        position = nil
        returns += 1
    }

    /// Goes on to the end of the first segment.
    mutating func finishSegment() {
        let segment = segments.removeFirst()
        if let last = segment.last { position = last }
    }
}

/// What may still be gone through in a turn, or said in a group.
struct WalkBudget {
    private(set) var objects: Int
    private(set) var bytes: Int

    init(objects: Int, bytes: Int) {
        self.objects = objects
        self.bytes = bytes
    }

    var isSpent: Bool { objects <= 0 || bytes <= 0 }

    mutating func spend(objects count: Int, bytes byteCount: Int) {
        objects -= count
        bytes -= byteCount
    }
}
