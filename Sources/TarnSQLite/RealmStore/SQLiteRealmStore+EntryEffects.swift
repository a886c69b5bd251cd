import TarnModel
import TarnStorage

extension SQLiteRealmStore {
    /// - Parameters:
    ///   - value: nil to take the entry out.
    ///   - stamped: nil where the stamp stays.
    func set(
        _ entry: Value, to value: Value?, in collection: ListEffect, stamped: Version?
    ) throws(StorageError) {
        let list = try named(collection, .set, .map)
        let name = list.property.name
        guard list.property.acceptsEntry(entry), let names = try columns(naming: entry, in: list)
        else { throw .wrongEffect("an entry of \(name) is of another type, or leads nowhere") }
        if let value, !list.property.acceptsEntry(entry, holding: value) {
            throw .wrongEffect("an entry of \(name) is of another type")
        }
        let present = try row(of: entry, in: list)
        guard let stamp = stamped ?? present?.stamped else {
            throw .wrongEffect("an entry of \(name) is not there")
        }
        var content: [(column: String, value: SQLiteValue)] = [
            ("a", .flag(value != nil)), ("stamped", .bits(stamp.number)),
            ("changed", .bits(cache.applied.version.number)),
        ]
        if list.property.kind == .map {
            let columns = ClassLayout.elementColumns(list.property.type)
            let values =
                if let value { try self.columns(value, list.property) } else {
                    columns.map { _ in SQLiteValue.null }
                }
            content += zip(columns, values).map { ($0, $1) }
        }
        if let present {
            let terms = content.map { "\($0.column) = ?" }.joined(separator: ", ")
            try connection.run(
                "UPDATE \(list.table) SET \(terms) WHERE n = ?",
                values: content.map(\.value) + [.int(present.number)])
            return
        }
        let columns =
            ["owner"] + ClassLayout.entryColumns(list.property) + content.map(\.column)
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        try connection.run(
            "INSERT INTO \(list.table) (\(columns.joined(separator: ", "))) VALUES (\(places))",
            values: [.int(list.owner)] + names + content.map(\.value))
    }
}
