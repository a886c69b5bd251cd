import TarnModel

/// What the floor has passed, as plainly as it can be freed.
extension RealmState {
    /// Frees so many things at most.
    /// - Returns: whether there is more.
    mutating func prune(limit: Int) -> Bool {
        guard freed < floor else { return false }
        var rest = limit
        freeObjects(&rest)
        freeInside(&rest)
        freeMembers(&rest)
        guard rest > 0 else { return true }
        gaps.removeAll { $0.last < floor }
        moments.removeAll { $0.version < floor }
        freeVersions(&rest)
        guard rest > 0 else { return true }
        freed = floor
        return false
    }

    private mutating func freeObjects(_ rest: inout Int) {
        for classNumber in objects.indices {
            for index in objects[classNumber].indices {
                guard rest > 0 else { return }
                guard let object = objects[classNumber][index], let deleted = object.deleted,
                    deleted <= floor
                else { continue }
                objects[classNumber][index] = nil
                aliases = aliases.filter { name, life in
                    life != object.life || name.key != object.key || name.classNumber != classNumber
                }
                rest -= 1
            }
        }
    }

    /// Slots that were left, entries that were taken out, and increments.
    private mutating func freeInside(_ rest: inout Int) {
        for classNumber in objects.indices {
            for index in objects[classNumber].indices {
                guard rest > 0 else { return }
                guard let object = objects[classNumber][index] else { continue }
                let kept = object.withoutPast(through: floor)
                guard kept.size < object.size else { continue }
                objects[classNumber][index] = kept
                rest -= object.size - kept.size
            }
        }
    }

    /// Members that left, and whole views that were last kept up below the floor: nobody has them
    /// as they were at or above it.
    private mutating func freeMembers(_ rest: inout Int) {
        for (key, view) in views.sorted(by: { $0.value.number < $1.value.number }) {
            guard rest > 0 else { return }
            if view.maintained < floor {
                views[key] = nil
                members[view.number] = nil
                rest -= 1
            } else {
                members[view.number]?.removeAll { $0.left.map { $0 <= floor } ?? false }
            }
        }
    }

    private mutating func freeVersions(_ rest: inout Int) {
        let needed = stampedVersions
        for number in 1..<max(1, floor.number) {
            guard rest > 0 else { return }
            let index = Int(number - 1)
            guard versions[index] != nil, !needed.contains(Version(number)) else { continue }
            versions[index] = nil
            rest -= 1
        }
    }

    /// The versions whose stamp something bears that may yet be merged with.
    private var stampedVersions: Set<Version> {
        var stamped: Set<Version> = []
        for object in objects.joined() {
            guard let object, object.deleted == nil else { continue }
            stamped.insert(object.created)
            for cell in object.cells { stamped.insert(cell.stamped) }
            for slot in object.lists.joined() { stamped.insert(slot.placed) }
            for entry in object.entries.values.joined() { stamped.insert(entry.value.stamped) }
        }
        return stamped
    }
}

extension StoredObject {
    fileprivate func withoutPast(through floor: Version) -> StoredObject {
        var kept = self
        kept.lists = lists.map { list in
            list.filter { $0.vacated.map { $0 > floor } ?? true }
        }
        kept.entries = entries.mapValues { entries in
            entries.filter { _, entry in entry.value != nil || entry.changed > floor }
        }
        kept.increments = increments.mapValues { $0.filter { $0.version > floor } }
        return kept
    }

    /// How many things that may be forgotten it holds.
    fileprivate var size: Int {
        lists.map(\.count).reduce(0, +) + entries.values.map(\.count).reduce(0, +)
            + increments.values.map(\.count).reduce(0, +)
    }
}
