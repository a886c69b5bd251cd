import TarnModel
import TarnStorage

/// What older files lack.
extension RealmFile {
    /// The first layout had no table of increments, so that a class may be called so: then the name
    /// of its view is needed for the table.
    static let addIncrements = SQLiteUpgrade { (connection) throws(StorageError) in
        let classes = try connection.all("SELECT schema FROM class ORDER BY n") {
            (row) throws(StorageError) in try SQLiteRealmStore.schema(row, 0)
        }
        try connection.execute("DROP VIEW IF EXISTS increment")
        try connection.execute(incrementTable)
        let views = ReadableViews(
            schema: Schema(classes),
            classes: classes.enumerated().map { ClassLayout(number: $0, schema: $1) },
            takenNames: names)
        for number in classes.indices {
            for statement in views.statements(for: number) { try connection.execute(statement) }
        }
    }
}
