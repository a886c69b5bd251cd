import TarnModel
import TarnStorage

/// A list with all that was ever in it: places that were given, and elements, each of which stands
/// in the place that it was last given.
final class OracleList {
    private struct Place {
        let slot: SlotID
        let element: ElementID
        let wanted: ListPlace
        let stamp: Stamp
    }

    private struct Element {
        let value: Value
        let target: OracleLife?
        var slot: SlotID
        var stamp: Stamp
        var isRemoved = false

        var isThere: Bool { !isRemoved && target?.isOver != true }
    }

    /// In order; those that were left among them.
    private var places: [Place] = []
    private var elements: [ElementID: Element] = [:]

    var picture: [ObjectPicture.Element] {
        places.compactMap { place in
            guard let element = elements[place.element], element.isThere,
                element.slot == place.slot
            else { return nil }
            return .init(
                slot: place.slot, element: place.element, value: element.value.withoutLife)
        }
    }

    var targets: [OracleLife] {
        places.compactMap { place in
            guard let element = elements[place.element], element.isThere,
                element.slot == place.slot
            else { return nil }
            return element.target
        }
    }

    func target(of element: ElementID) -> OracleLife? {
        elements[element].flatMap { $0.isThere ? $0.target : nil }
    }

    func insert(
        _ slot: SlotID, _ wanted: ListPlace, _ value: Value, to target: OracleLife?, _ stamp: Stamp
    ) {
        let element = ElementID(insertedIn: slot)
        elements[element] = Element(value: value, target: target, slot: slot, stamp: stamp)
        put(Place(slot: slot, element: element, wanted: wanted, stamp: stamp))
    }

    /// - Returns: whether it moves: not where it is gone, or somebody moved it later.
    func move(_ element: ElementID, to slot: SlotID, _ wanted: ListPlace, _ stamp: Stamp) -> Bool {
        guard let present = elements[element], present.isThere, present.stamp <= stamp else {
            return false
        }
        elements[element]?.slot = slot
        elements[element]?.stamp = stamp
        put(Place(slot: slot, element: element, wanted: wanted, stamp: stamp))
        return true
    }

    func remove(_ element: ElementID) { elements[element]?.isRemoved = true }

    /// What is wanted right after one place falls into families: a place, and whatever was wanted
    /// after members of its family. Families stand by how far to the right their first one was
    /// wanted, the farthest first, and by stamp where that is the same; a new one goes behind the
    /// last family that it has to follow. Where a neighbour is not known, it goes right to the
    /// other, or to the end.
    private func put(_ place: Place) {
        let after = place.wanted.after.map { position(of: $0).map { $0 + 1 } } ?? 0
        let before = place.wanted.before.map(position) ?? places.count
        switch (after, before) {
        case (let after?, let before?) where after < before:
            places.insert(place, at: seat(of: place, between: after, and: before))
        case (let after?, _): places.insert(place, at: after)
        case (nil, let before?): places.insert(place, at: before)
        case (nil, nil): places.append(place)
        }
    }

    private func seat(of place: Place, between first: Int, and end: Int) -> Int {
        var seat = first
        for family in families(in: first..<end, after: place.wanted.after) {
            let head = places[family.lowerBound]
            let limit =
                head.wanted.before == place.wanted.before
                ? end : head.wanted.before.flatMap(position) ?? .max
            if limit == end, place.stamp < head.stamp { break }
            if limit >= end { seat = family.upperBound }
        }
        return seat
    }

    private func families(in range: Range<Int>, after anchor: SlotID?) -> [Range<Int>] {
        var families: [Range<Int>] = []
        for index in range {
            let wanted = places[index].wanted.after
            if wanted == anchor {
                families.append(index..<index + 1)
            } else if let wanted, let parent = position(of: wanted), range.contains(parent),
                let last = families.popLast()
            {
                families.append(last.lowerBound..<index + 1)
            } else {
                // It belongs to something further left, which ends here.
                break
            }
        }
        return families
    }

    private func position(of slot: SlotID) -> Int? { places.firstIndex { $0.slot == slot } }
}
