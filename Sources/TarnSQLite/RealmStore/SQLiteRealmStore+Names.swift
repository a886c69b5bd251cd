import TarnModel
import TarnStorage

extension SQLiteRealmStore {
    /// Makes the views of a class anew, and those of the classes whose links show its keys.
    func makeReadable(_ classNumber: Int) throws(StorageError) {
        let views = ReadableViews(
            schema: cache.schema, classes: cache.classes.map(\.layout),
            takenNames: RealmFile.names)
        for statement in views.statements(for: classNumber) { try connection.execute(statement) }
    }
}
