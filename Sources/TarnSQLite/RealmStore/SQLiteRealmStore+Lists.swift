package import TarnModel
package import TarnStorage

extension SQLiteRealmStore {
    private static let identity = """
        slot_replica, slot_sequence, slot_ordinal, element_replica, element_sequence, \
        element_ordinal
        """

    package func state(
        of element: ElementID, in list: ListID
    ) throws(StorageError) -> ElementState {
        let list = try realmList(list)
        guard
            let standing = try standing(
                element, in: list, selecting: "placed",
                { (row) throws(StorageError) in
                    Version(try row.bits(6))
                })
        else { return .gone }
        return .placed(in: standing.slot, stamp: try stamp(of: standing.value))
    }

    package func removal(
        of element: ElementID, in list: ListID
    ) throws(StorageError) -> Version? {
        let list = try realmList(list)
        guard let id = try knownColumns(element.firstSlot) else { return nil }
        let select = "SELECT a, vacated FROM \(list.table) WHERE owner = ?4"
        var isThere = false
        var last: Version?
        try connection.statement(
            """
            \(select) AND element_replica IS NULL
                AND slot_replica = ?1 AND slot_sequence = ?2 AND slot_ordinal = ?3
            UNION ALL
            \(select) AND element_replica = ?1 AND element_sequence = ?2 AND element_ordinal = ?3
            """
        ).each(id + [.int(list.owner)]) { (row) throws(StorageError) in
            isThere = try row.flag(0)
            if !isThere { last = max(last ?? .zero, Version(try row.bits(1))) }
            return !isThere
        }
        guard !isThere, let last, last > cache.floor else { return nil }
        return last
    }

    package func element(
        _ id: ElementID, in list: ListID
    ) throws(StorageError) -> ListElement? {
        let list = try realmList(list)
        return try standing(id, in: list, selecting: list.valueColumns) {
            (row) throws(StorageError) in try element(row, list)
        }?.value
    }

    package func walk(
        _ place: ListPlace, in list: ListID, visit: SlotVisit
    ) throws(StorageError) -> SlotID? {
        let list = try realmList(list)
        // Labels are far from both ends of the integers.
        let after = try place.after.map { (slot) throws(StorageError) in
            try label(ofKnown: slot, in: list)
        }
        let before = try place.before.map { (slot) throws(StorageError) in
            try label(ofKnown: slot, in: list)
        }
        let low = after ?? .min
        let high = before ?? .max
        switch (low, high) {
        case (let low?, let high?) where low < high:
            try walk(between: low, and: high, in: list, visit: visit)
            return place.after
        case (.some, _): return place.after
        case (nil, let high?): return try knownSlot(below: high, in: list)
        case (nil, nil): return try knownSlot(below: .max, in: list)
        }
    }

    package func liveElements(in list: ListID) throws(StorageError) -> [ListElement] {
        try elements(try realmList(list), where: "TRUE", [])
    }

    package func slots(
        holding target: ObjectID, in list: ListID
    ) throws(StorageError) -> [ListElement] {
        let list = try realmList(list)
        guard list.target?.number == target.classNumber else { return [] }
        return try elements(list, where: "v = ?", [.int(target.number)])
    }

    package func difference(
        of list: ListID, since version: Version
    ) throws(StorageError) -> ListDifference {
        let list = try realmList(list)
        var difference = ListDifference()
        let since = SQLiteValue.int(Int64(clamping: version.number))
        try connection.statement(
            """
            SELECT \(Self.identity), \(list.valueColumns), a, placed > ?2, label FROM \(list.table)
            WHERE owner = ?1 AND changed > ?2 ORDER BY label
            """
        ).each([.int(list.owner), since]) { (row) throws(StorageError) in
            let next = 6 + (list.property.type == .date ? 2 : 1)
            switch (try row.flag(next), try row.flag(next + 1)) {
            case (true, true):
                let predecessor = try slot(
                    below: try row.int(next + 2), in: list, where: "a = 1")
                difference.placed.append(
                    ListPlacement(element: try element(row, list), predecessor: predecessor))
            case (false, _): difference.vacated.append(try slot(row, 0))
            // It is there as before.
            case (true, false): break
            }
            return true
        }
        return difference
    }

    // MARK: Rows

    /// The list of a living object.
    func realmList(_ id: ListID) throws(StorageError) -> RealmList {
        try collection(id) { $0.isList }
    }

    /// The list, set or map of a living object.
    func collection(
        _ id: ListID, _ isWanted: (PropertySchema) -> Bool
    ) throws(StorageError) -> RealmList {
        let realmClass = try expectLiving(id.object)
        guard realmClass.schema.properties.indices.contains(id.property),
            isWanted(realmClass.schema.properties[id.property])
        else { throw Self.gone }
        return realmList(id.property, of: id.object.number, in: realmClass)
    }

    func realmList(_ property: Int, of owner: Int64, in realmClass: RealmClass) -> RealmList {
        let schema = realmClass.schema.properties[property]
        return RealmList(
            owner: owner, table: realmClass.layout.listTable(property), property: schema,
            target: target(of: schema))
    }

    private func element(
        _ row: SQLiteRow, _ list: RealmList
    ) throws(StorageError) -> ListElement {
        let slot = try slot(row, 0)
        let first = try optionalSlot(row, 3) ?? slot
        return ListElement(
            slot: slot, element: ElementID(insertedIn: first),
            value: try Self.value(row, 6, list.property.type))
    }

    private func elements(
        _ list: RealmList, where condition: String, _ values: [SQLiteValue]
    ) throws(StorageError) -> [ListElement] {
        try connection.statement(
            """
            SELECT \(Self.identity), \(list.valueColumns) FROM \(list.table)
            WHERE owner = ? AND a = 1 AND \(condition) ORDER BY label
            """
        ).all([.int(list.owner)] + values) { (row) throws(StorageError) in
            try element(row, list)
        }
    }

    /// The live slot of an element, and something of it: in its first slot or in one that it was
    /// moved to; of two, in the midst of a move, the later one.
    private func standing<Result>(
        _ element: ElementID, in list: RealmList, selecting columns: String,
        _ read: (SQLiteRow) throws(StorageError) -> Result
    ) throws(StorageError) -> (slot: SlotID, value: Result)? {
        guard let id = try knownColumns(element.firstSlot) else { return nil }
        let select = "SELECT \(Self.identity), \(columns), n FROM \(list.table) WHERE owner = ?4"
        return try connection.statement(
            """
            \(select) AND a = 1 AND element_replica IS NULL
                AND slot_replica = ?1 AND slot_sequence = ?2 AND slot_ordinal = ?3
            UNION ALL
            \(select) AND a = 1
                AND element_replica = ?1 AND element_sequence = ?2 AND element_ordinal = ?3
            ORDER BY n DESC LIMIT 1
            """
        ).first(id + [.int(list.owner)]) { (row) throws(StorageError) in
            (slot: try slot(row, 0), value: try read(row))
        }
    }

    // MARK: Order

    /// The floor has not passed a slot that is live, or was left above it. What it has passed is as
    /// if it were not there, whether it is freed or not.
    private static let isKnown = "(a = 1 OR vacated > ?)"

    /// Where a slot or its tombstone stands; nil where there is none in the file.
    func label(of slot: SlotID, in list: RealmList) throws(StorageError) -> Int64? {
        try label(of: slot, in: list, above: .zero)
    }

    private func label(ofKnown slot: SlotID, in list: RealmList) throws(StorageError) -> Int64? {
        try label(of: slot, in: list, above: cache.floor)
    }

    private func label(
        of slot: SlotID, in list: RealmList, above floor: Version
    ) throws(StorageError) -> Int64? {
        guard let id = try knownColumns(slot) else { return nil }
        return try connection.statement(
            """
            SELECT label FROM \(list.table)
            WHERE slot_replica = ? AND slot_sequence = ? AND slot_ordinal = ? AND owner = ?
                AND \(Self.isKnown)
            """
        ).first(id + [.int(list.owner), .bits(floor.number)]) { (row) throws(StorageError) in
            try row.int(0)
        }
    }

    private func knownSlot(
        below label: Int64, in list: RealmList
    ) throws(StorageError) -> SlotID? {
        let floor = SQLiteValue.bits(cache.floor.number)
        return try slot(below: label, in: list, where: Self.isKnown, floor)
    }

    private func slot(
        below label: Int64, in list: RealmList, where condition: String, _ values: SQLiteValue...
    ) throws(StorageError) -> SlotID? {
        try connection.statement(
            """
            SELECT slot_replica, slot_sequence, slot_ordinal FROM \(list.table)
            WHERE owner = ? AND label < ? AND \(condition) ORDER BY label DESC LIMIT 1
            """
        ).first([.int(list.owner), .int(label)] + values) { (row) throws(StorageError) in
            try slot(row, 0)
        }
    }

    private func walk(
        between low: Int64, and high: Int64, in list: RealmList, visit: SlotVisit
    ) throws(StorageError) {
        try connection.statement(
            """
            SELECT slot_replica, slot_sequence, slot_ordinal, after_replica, after_sequence,
                after_ordinal, before_replica, before_sequence, before_ordinal, version.ticks,
                version.replica
            FROM \(list.table) LEFT JOIN version ON version.n = placed
            WHERE owner = ? AND label > ? AND label < ? AND \(Self.isKnown) ORDER BY label
            """
        ).each([.int(list.owner), .int(low), .int(high), .bits(cache.floor.number)]) {
            (row) throws(StorageError) in
            let placed = PlacedSlot(
                id: try slot(row, 0),
                place: ListPlace(after: try optionalSlot(row, 3), before: try optionalSlot(row, 6)),
                stamp: Stamp(ticks: try row.bits(9), replica: try replica(try row.int(10))))
            return try visit(placed) { (other) throws(StorageError) in
                guard let label = try label(ofKnown: other, in: list) else { return false }
                return low < label && label < high
            }
        }
    }
}
