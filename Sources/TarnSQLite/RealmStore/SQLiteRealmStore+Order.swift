import TarnStorage

/// Labels put the slots of a list in order, with gaps for those to come. Where a gap is used up,
/// the slots around it are labelled anew, as many as it takes to have room again.
extension SQLiteRealmStore {
    /// The gap that a slot at either end is given: 2³¹ of them fit on each side of the first.
    private static let gap: Int64 = 1 << 32
    /// What labelling anew leaves between two slots, at least.
    private static let roomMin: Int64 = 1 << 16
    private static let labelMax: Int64 = 1 << 62

    private struct Neighbour {
        let row: Int64
        let label: Int64
    }

    /// A label right behind that of a predecessor; nil for the beginning.
    func newLabel(
        behind low: Int64?, in list: RealmList, hasMadeRoom: Bool = false
    ) throws(StorageError) -> Int64 {
        let high = try label(above: low ?? .min, in: list)
        switch (low, high) {
        case (nil, nil): return 0
        case (nil, let high?) where high > -Self.labelMax: return high - Self.gap
        case (let low?, nil) where low < Self.labelMax: return low + Self.gap
        case (let low?, let high?) where Self.distance(low, high) > 1:
            return low + Self.distance(low, high) / 2
        default: break
        }
        guard !hasMadeRoom else {
            throw .corrupt("the labels of a list are not in order", while: "placing a slot")
        }
        // The predecessor gets another label, so that it is looked up again by its row.
        let row = try low.map { (low) throws(StorageError) in
            try connection.first(
                "SELECT n FROM \(list.table) WHERE owner = ? AND label = ?", .int(list.owner),
                .int(low)
            ) { (row) throws(StorageError) in try row.int(0) } ?? 0
        }
        try makeRoom(around: low ?? .min, in: list)
        let moved = try row.flatMap { (row) throws(StorageError) in
            try connection.first("SELECT label FROM \(list.table) WHERE n = ?", .int(row)) {
                (row) throws(StorageError) in try row.int(0)
            }
        }
        return try newLabel(behind: moved, in: list, hasMadeRoom: true)
    }

    /// From a label to a higher one; at most what an integer holds.
    private static func distance(_ low: Int64, _ high: Int64) -> Int64 {
        let (distance, overflow) = high.subtractingReportingOverflow(low)
        return overflow ? .max : distance
    }

    private func label(above label: Int64, in list: RealmList) throws(StorageError) -> Int64? {
        try connection.first(
            """
            SELECT label FROM \(list.table) WHERE owner = ? AND label > ? ORDER BY label LIMIT 1
            """, .int(list.owner), .int(label)
        ) { (row) throws(StorageError) in try row.int(0) }
    }

    private func makeRoom(around label: Int64, in list: RealmList) throws(StorageError) {
        var width: Int64 = 32
        while true {
            // One more on each side: their labels stay, and bound the others'.
            var slots = try neighbours(list, "label <= ? ORDER BY label DESC", label, width + 1)
            slots.reverse()
            let low = slots.count > width ? slots.removeFirst().label : nil
            var above = try neighbours(list, "label > ? ORDER BY label", label, width + 1)
            let high = above.count > width ? above.removeLast().label : nil
            slots += above
            let count = Int64(slots.count)
            let room =
                if let low, let high {
                    min(Self.distance(low, high) / (count + 1), Self.gap)
                } else {
                    Self.gap
                }
            width *= 4
            guard room >= Self.roomMin else { continue }
            let first =
                if let low { low &+ room } else if let high { high &- room * count } else {
                    -room * (count / 2)
                }
            for (slot, index) in zip(slots, 0..<count) {
                try connection.run(
                    "UPDATE \(list.table) SET label = ? WHERE n = ?", .int(first &+ room * index),
                    .int(slot.row))
            }
            return
        }
    }

    private func neighbours(
        _ list: RealmList, _ condition: String, _ label: Int64, _ limit: Int64
    ) throws(StorageError) -> [Neighbour] {
        try connection.all(
            "SELECT n, label FROM \(list.table) WHERE owner = ? AND \(condition) LIMIT ?",
            .int(list.owner), .int(label), .int(limit)
        ) { (row) throws(StorageError) in
            Neighbour(row: try row.int(0), label: try row.int(1))
        }
    }
}
