import TarnModel
import TarnQuery

/// Objects in dictionaries, with links that may lead to dead objects or to none at all.
struct MemoryStore: ObjectReader {
    struct Cell: Equatable {
        var value: Value = .null
        /// Where a link leads; it need not be there.
        var target: ObjectID?
    }

    struct Row {
        let key: PrimaryKey
        var isAlive = true
        /// By property number; a collection's cell is empty.
        var cells: [Cell]
        var lists: [Int: [Cell]] = [:]
    }

    let schema: Schema
    var rows: [ObjectID: Row] = [:]

    private func row(_ object: ObjectID) throws -> Row {
        guard let row = rows[object] else { throw MissingRow(object: object) }
        return row
    }

    struct MissingRow: Error { let object: ObjectID }

    private func isHere(_ object: ObjectID) -> Bool { rows[object]?.isAlive == true }

    func key(of object: ObjectID) throws -> PrimaryKey { try row(object).key }

    func value(_ property: Int, of object: ObjectID) throws -> Value {
        value(of: try row(object).cells[property])
    }

    private func value(of cell: Cell) -> Value {
        guard let target = cell.target else { return cell.value }
        return .link(Link(key: rows[target]?.key ?? .int(0), life: nil))
    }

    func target(_ property: Int, of object: ObjectID) throws -> ObjectID? {
        try row(object).cells[property].target.flatMap { isHere($0) ? $0 : nil }
    }

    func elements(_ property: Int, of object: ObjectID) throws -> [Value] {
        try row(object).lists[property, default: []].map(value)
    }

    func targets(_ property: Int, of object: ObjectID) throws -> [ObjectID] {
        try row(object).lists[property, default: []].compactMap(\.target).filter(isHere)
    }

    func referrers(
        of object: ObjectID, through property: Int, in classNumber: Int
    ) throws -> [ObjectID] {
        try objects(in: classNumber).filter { holder in
            let row = try row(holder)
            let isInList = row.lists[property, default: []].contains { $0.target == object }
            return isInList || row.cells[property].target == object
        }
    }

    func objects(in classNumber: Int) throws -> [ObjectID] {
        rows.filter { $0.key.classNumber == classNumber && $0.value.isAlive }.map(\.key)
    }
}
