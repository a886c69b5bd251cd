import TarnCBOR
import TarnModel
import TarnStorage

extension ReadableViews {
    /// The step to a layout with more tables. A class may be called as one is, and have had a view
    /// of that name, which another takes the place of.
    /// - Parameters:
    ///   - schemas: selects the classes' definitions by their numbers.
    ///   - takenNames: the new layout's.
    static func upgrade(
        adding tables: [String], _ creation: [String], schemas: String, takenNames: Set<String>
    ) -> SQLiteUpgrade {
        SQLiteUpgrade { (connection) throws(StorageError) in
            let classes = try connection.all(schemas) { (row) throws(StorageError) in
                try row.classSchema(0)
            }
            for table in tables { try connection.execute("DROP VIEW IF EXISTS \(table)") }
            for statement in creation { try connection.execute(statement) }
            let views = ReadableViews(
                schema: Schema(classes),
                classes: classes.enumerated().map { ClassLayout(number: $0, schema: $1) },
                takenNames: takenNames)
            for number in classes.indices {
                for statement in views.statements(for: number) {
                    try connection.execute(statement)
                }
            }
        }
    }
}

extension SQLiteRow {
    /// A class's definition as CBOR.
    func classSchema(_ column: Int) throws(StorageError) -> ClassSchema {
        var reader = CBORReader(try blob(column))
        do throws(CBORError) {
            let schema = try reader.readClassSchema()
            try reader.expectEnd()
            return schema
        } catch {
            throw unexpected(column)
        }
    }
}
