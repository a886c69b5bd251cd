import TarnModel
import TarnStorage

/// The order of a list's slots: whole numbers with room between them. Where the room is used up, as
/// many neighbours as it takes are spread anew, so that an insertion costs a logarithm on average.
extension SQLiteReplicaStore {
    /// The room at a list's ends, and between neighbours that are spread over a whole list.
    private static let labelStep: Int64 = 1 << 32
    /// What neighbours that are spread over a part of a list must get at least.
    private static let labelStepMin: Int64 = 1 << 16

    func label(of slot: SlotID, in list: ListID) throws(StorageError) -> Int64? {
        let table = try listTable(list).table
        guard let terms = try terms(slot, in: list) else { return nil }
        return try file.statement(table.labelOfOne).first(terms) { (row) throws(StorageError) in
            try row.int(0)
        }
    }

    /// A label that no slot has, right behind another slot's, or the first of all.
    func newLabel(behind slot: SlotID?, in list: ListID) throws(StorageError) -> Int64 {
        let table = try listTable(list).table
        let owner = SQLiteValue.int(list.object.number)
        func find(_ sql: String, _ terms: SQLiteValue...) throws(StorageError) -> Int64? {
            try file.statement(sql).first(terms) { (row) throws(StorageError) in try row.int(0) }
        }
        guard let slot else {
            guard let first = try find(table.firstLabel, owner) else { return 0 }
            let (label, isOver) = first.subtractingReportingOverflow(Self.labelStep)
            if !isOver { return label }
            try spread(all: list)
            return try newLabel(behind: nil, in: list)
        }
        let behind = try label(of: slot, in: list)
        let last = behind == nil ? try find(table.lastLabel, owner) : nil
        guard let label = behind ?? last else { return 0 }
        guard let next = try find(table.labelAfter, owner, .int(label)) else {
            let (end, isOver) = label.addingReportingOverflow(Self.labelStep)
            if !isOver { return end }
            try spread(all: list)
            return try newLabel(behind: slot, in: list)
        }
        // The halves are added, since the difference of two labels may not fit.
        let middle = label / 2 + next / 2 + (label % 2 + next % 2) / 2
        if middle > label, middle < next { return middle }
        if middle - 1 > label { return middle - 1 }
        try spread(around: label, in: list)
        return try newLabel(behind: slot, in: list)
    }

    /// Makes room right behind a label.
    private func spread(around label: Int64, in list: ListID) throws(StorageError) {
        let table = try listTable(list).table
        let owner = SQLiteValue.int(list.object.number)
        func near(_ sql: String, _ count: Int64) throws(StorageError) -> [(n: Int64, label: Int64)]
        {
            try file.all(sql, owner, .int(label), .int(count)) { (row) throws(StorageError) in
                (try row.int(0), try row.int(1))
            }
        }
        var count: Int64 = 16
        while true {
            let before = try near(table.nearBefore, count + 1)
            let after = try near(table.nearAfter, count + 1)
            // The outermost stay; the whole list is spread where there are none.
            guard before.count > count, after.count > count, let first = before.last,
                let last = after.last
            else { break }
            let moved = before.dropLast().reversed() + after.dropLast()
            let step = (last.label / 2 - first.label / 2) / Int64(moved.count + 1) * 2
            if step >= Self.labelStepMin {
                try assign(moved.map(\.n), from: first.label + step, step: step, table)
                return
            }
            count *= 2
        }
        try spread(all: list)
    }

    private func spread(all list: ListID) throws(StorageError) {
        let table = try listTable(list).table
        let numbers = try file.all(table.all, .int(list.object.number)) {
            (row) throws(StorageError) in try row.int(0)
        }
        let first = -(Int64(numbers.count) / 2) * Self.labelStep
        try assign(numbers, from: first, step: Self.labelStep, table)
    }

    private func assign(
        _ numbers: [Int64], from first: Int64, step: Int64, _ table: ReplicaListTable
    ) throws(StorageError) {
        var label = first
        for number in numbers {
            try file.run(table.setLabel, .int(number), .int(label))
            label &+= step
        }
    }
}
