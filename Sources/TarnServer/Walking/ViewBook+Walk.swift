import TarnModel
import TarnProtocol
import TarnStorage

/// How a view is told a piece at a time.
extension ViewBook {
    /// What the next group of a series says of a view; moves the walk on.
    /// - Parameters:
    ///   - sent: what the replica has, with all that is on its way.
    ///   - budget: what the group may still say; one object goes in always.
    func nextPiece(
        of view: View, _ walk: inout ViewWalk, since sent: Version, _ budget: inout WalkBudget
    ) throws(StorageError) -> ViewDelta {
        var delta = ViewDelta()
        if walk.isBegun, walk.isThrough || walk.position != nil, sent < view.lastChange {
            if view.isTooMuch(since: sent, for: budget) {
                walk.returnToStart(from: sent)
            } else {
                let last = walk.isThrough ? nil : walk.position
                // Beside the budget: else it would leave nothing to go on with.
                delta = try difference(of: view, since: sent, through: last)
            }
        }
        walk.isBegun = true
        repeat {
            guard let segment = walk.segments.first else { break }
            try advance(&walk, through: segment, of: view, &delta, &budget)
        } while !budget.isSpent
        return delta
    }

    /// As much of a segment as the budget allows.
    private func advance(
        _ walk: inout ViewWalk, through segment: ViewWalk.Segment, of view: View,
        _ delta: inout ViewDelta, _ budget: inout WalkBudget
    ) throws(StorageError) {
        let stretch = try stretch(
            of: view, behind: walk.position, segment, limit: max(budget.objects, 1))
        var end = stretch.end
        for member in stretch.members {
            if let end, member.object > end { break }
            let weight = try tell(member, from: segment.base, in: &delta)
            walk.done += 1
            budget.spend(objects: 1, bytes: weight)
            if budget.bytes <= 0 {
                end = member.object
                break
            }
        }
        for object in stretch.departures {
            if let end, object > end { break }
            budget.spend(objects: 1, bytes: 0)
            if let key = try contents.knownKey(of: object) { delta.departures.append(key) }
        }
        if end == segment.last { walk.finishSegment() } else { walk.position = end }
    }

    /// Objects that there may be something to say of, and how far they reach; nil for the end of
    /// the view.
    private struct Stretch {
        var members: [Member] = []
        var departures: [ObjectID] = []
        var end: ObjectID?
    }

    private func stretch(
        of view: View, behind position: ObjectID?, _ segment: ViewWalk.Segment, limit: Int
    ) throws(StorageError) -> Stretch {
        if case .version(let base) = segment.base, let known = view.recentObjects(since: base) {
            let next = known.lazy.filter { object in position.map { object > $0 } ?? true }
            return try stretch(
                among: Array(next.prefix(limit)), of: view, segment, since: base, limit: limit)
        }
        var stretch = Stretch()
        stretch.members = try store.members(of: view.number, behind: position, limit: limit)
        let cut = stretch.members.count == limit ? stretch.members.last?.object : nil
        stretch.end = Self.lesser(segment.last, cut)
        guard let base = segment.base.version else { return stretch }
        // What was compared may be there by an interval that began, and ended, since.
        let wereIn = if case .version = segment.base { true } else { false }
        stretch.departures = try store.departures(
            of: view.number, since: base, wereIn: wereIn, behind: position,
            through: stretch.end, limit: limit)
        // Where a list was cut, it says nothing of what stands behind its end.
        guard stretch.departures.count == limit else { return stretch }
        stretch.end = Self.lesser(stretch.end, stretch.departures.last)
        return stretch
    }

    /// The same where it is remembered which objects something happened to.
    private func stretch(
        among objects: [ObjectID], of view: View, _ segment: ViewWalk.Segment,
        since base: Version, limit: Int
    ) throws(StorageError) -> Stretch {
        var stretch = Stretch()
        stretch.end = Self.lesser(segment.last, objects.count == limit ? objects.last : nil)
        for object in objects {
            if let end = stretch.end, object > end { break }
            if let member = try store.member(object, of: view.number) {
                stretch.members.append(member)
            }
            let before = ObjectID(
                classNumber: object.classNumber, number: object.number &- 1)
            stretch.departures += try store.departures(
                of: view.number, since: base, wereIn: true, behind: before, through: object,
                limit: 1)
        }
        return stretch
    }

    private static func lesser(_ left: ObjectID?, _ right: ObjectID?) -> ObjectID? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    /// Tells of one member to who has it as a base says.
    /// - Returns: about how many bytes that takes.
    private func tell(
        _ member: Member, from base: ViewWalk.Base, in delta: inout ViewDelta
    ) throws(StorageError) -> Int {
        let object = member.object
        guard let version = base.version, try !isReplaced(object, by: base),
            member.entered <= version
        else {
            let arrival = try contents.arrival(object, isRoot: member.isRoot)
            delta.arrivals.append(arrival)
            return arrival.weight
        }
        guard let change = try contents.change(of: object, since: version) else { return 0 }
        delta.changes.append(change)
        return change.weight
    }

    private func isReplaced(
        _ object: ObjectID, by base: ViewWalk.Base
    ) throws(StorageError) -> Bool {
        guard case .compared(_, let buckets) = base, !buckets.isEmpty else { return false }
        let name = try contents.name(of: object)
        return buckets.contains(name.bucket(of: buckets.bucketCount, sha256: sha256))
    }
}
