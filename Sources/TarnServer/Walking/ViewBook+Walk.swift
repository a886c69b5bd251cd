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
            if view.isFar(from: sent) {
                walk.returnToStart(from: sent)
            } else {
                let last = walk.isThrough ? nil : walk.position
                delta = try difference(of: view, since: sent, through: last)
                budget.spend(objects: delta.arrivals.count + delta.changes.count, bytes: 0)
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
        let limit = max(budget.objects, 1)
        let members = try store.members(of: view.number, behind: walk.position, limit: limit)
        var departures: [ObjectID] = []
        if let base = segment.base.version {
            departures = try store.departures(
                of: view.number, since: base, behind: walk.position, limit: limit)
        }
        // Where a list was cut, it says nothing of what stands behind its end.
        var end = segment.last
        if members.count == limit { end = Self.lesser(end, members.last?.object) }
        if departures.count == limit { end = Self.lesser(end, departures.last) }
        let known = segment.base.version.flatMap { view.recentObjects(since: $0) }
        for member in members {
            if let end, member.object > end { break }
            let weight = try tell(member, from: segment.base, ifAmong: known, in: &delta)
            walk.done += 1
            budget.spend(objects: 1, bytes: weight)
            if budget.bytes <= 0 {
                end = member.object
                break
            }
        }
        for object in departures {
            if let end, object > end { break }
            budget.spend(objects: 1, bytes: 0)
            if let key = try contents.knownKey(of: object) { delta.departures.append(key) }
        }
        if end == segment.last { walk.finishSegment() } else if let end { walk.advance(to: end) }
    }

    private static func lesser(_ left: ObjectID?, _ right: ObjectID?) -> ObjectID? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    /// Tells of one member to who has it as a base says.
    /// - Parameter known: the objects that something happened to since the base; nil where nobody
    ///   remembers.
    /// - Returns: about how many bytes that takes.
    private func tell(
        _ member: Member, from base: ViewWalk.Base, ifAmong known: Set<ObjectID>?,
        in delta: inout ViewDelta
    ) throws(StorageError) -> Int {
        let object = member.object
        guard let version = base.version, try !isReplaced(object, by: base),
            member.entered <= version
        else {
            let arrival = try contents.arrival(object, isRoot: member.isRoot)
            delta.arrivals.append(arrival)
            return arrival.weight
        }
        guard known?.contains(object) ?? true,
            let change = try contents.change(of: object, since: version)
        else { return 0 }
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
