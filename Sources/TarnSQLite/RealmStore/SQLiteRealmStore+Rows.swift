import TarnModel
import TarnStorage

/// Living rows, each read once in a transaction.
extension SQLiteRealmStore {
    /// The row of the living object of a key.
    func row(of key: PrimaryKey, in realmClass: RealmClass) throws(StorageError) -> KnownRow? {
        if let found = known.row(of: key, in: realmClass.number) { return found }
        let row = try connection.statement(realmClass.rowByKey).first([key.column]) {
            (row) throws(StorageError) in try self.row(row, of: realmClass)
        }
        guard isInTransaction else { return row }
        if let row {
            known.note(row, in: realmClass.number)
        } else {
            known.noteAbsence(of: key, in: realmClass.number)
        }
        return row
    }

    /// The row of an object; nil where that is not alive.
    func row(of object: ObjectID) throws(StorageError) -> KnownRow? {
        if let found = known.row(object.number, in: object.classNumber) { return found }
        let realmClass = try realmClass(object.classNumber)
        let row = try connection.statement(realmClass.rowByNumber).first([.int(object.number)]) {
            (row) throws(StorageError) in try self.row(row, of: realmClass)
        }
        if let row, isInTransaction { known.note(row, in: realmClass.number) }
        return row
    }

    func expectRow(of object: ObjectID) throws(StorageError) -> KnownRow {
        guard let row = try row(of: object) else { throw Self.gone }
        return row
    }

    /// From the columns of `RealmClass.rowByKey`.
    private func row(
        _ row: SQLiteRow, of realmClass: RealmClass
    ) throws(StorageError) -> KnownRow {
        var values = [Value?](repeating: nil, count: realmClass.schema.properties.count)
        var column = 7
        for (number, type) in realmClass.shortCells {
            values[number] = try Self.value(row, column, type)
            column += type == .date ? 2 : 1
        }
        return KnownRow(
            number: try row.int(0), key: try row.key(1), life: try transaction(row, 2),
            marks: try Self.marks(row, 4), values: values)
    }

    /// From the columns created, known and marks.
    static func marks(_ row: SQLiteRow, _ column: Int) throws(StorageError) -> RowMarks {
        let created = Version(try row.bits(column))
        let known = Int(try row.int(column + 1))
        guard !row.isNull(column + 2) else { return RowMarks(created: created, known: known) }
        let bytes = try row.blob(column + 2)
        guard let marks = RowMarks(created: created, known: known, encoded: bytes) else {
            throw row.unexpected(column + 2)
        }
        return marks
    }
}
