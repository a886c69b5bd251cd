package import TarnModel
package import TarnStorage

/// Sets and maps. Each entry has a row, also one that was taken out. A set of links has one for
/// each life that was ever in it, since a link is the number of its object.
extension SQLiteRealmStore {
    package func state(
        of entry: Value, in collection: ListID
    ) throws(StorageError) -> EntryState? {
        let list = try realmEntries(collection)
        guard let found = try row(of: entry, in: list),
            found.value != nil || found.changed > cache.floor
        else { return nil }
        return EntryState(
            setting: Setting(
                mark: RegisterMark(stamp: try stamp(of: found.stamped), isDefault: false),
                version: found.stamped),
            value: found.value)
    }

    package func entries(in collection: ListID) throws(StorageError) -> [Entry] {
        try entries(of: try realmEntries(collection))
    }

    package func changedEntries(
        in collection: ListID, since version: Version
    ) throws(StorageError) -> [EntryChange] {
        let list = try realmEntries(collection)
        let rows = try rows(
            of: list, where: "changed > ?",
            [.int(Int64(clamping: max(version, cache.floor).number))])
        // Of two lives of one key, the one that is there.
        var changes: [Value: EntryChange] = [:]
        for row in rows where row.value != nil {
            changes[row.entry] = EntryChange(entry: row.entry, value: row.value)
        }
        for row in rows where changes[row.entry] == nil {
            guard try !isThere(row.entry, in: list) else { continue }
            changes[row.entry] = EntryChange(entry: row.entry, value: nil)
        }
        return changes.values.sorted { $0.entry < $1.entry }
    }

    package func entries(
        holding target: ObjectID, in collection: ListID
    ) throws(StorageError) -> [Value] {
        let list = try realmEntries(collection)
        guard list.target?.number == target.classNumber else { return [] }
        return try rows(of: list, where: "v = ? AND a = 1", [.int(target.number)]).map(\.entry)
            .sorted()
    }

    /// Those that are there, in order.
    func entries(of list: RealmList) throws(StorageError) -> [Entry] {
        try rows(of: list, where: "a = 1", []).compactMap { row in
            row.value.map { Entry(entry: row.entry, value: $0) }
        }.sorted { $0.entry < $1.entry }
    }

    /// The objects that a set or map leads to, in the order of its entries.
    func targets(of list: RealmList, in target: RealmClass) throws(StorageError) -> [ObjectID] {
        let name = list.property.kind == .map ? "l.k" : "t.k"
        return try connection.all(
            """
            SELECT t.n FROM \(list.table) l JOIN \(target.table) t ON t.n = l.v AND t.a = 1
            WHERE l.owner = ? AND l.a = 1 ORDER BY \(name)
            """,
            .int(list.owner)
        ) { (row) throws(StorageError) in
            ObjectID(classNumber: target.number, number: try row.int(0))
        }
    }

    // MARK: Rows

    /// An entry, or what is left of one.
    struct EntryRow {
        let number: Int64
        let entry: Value
        /// Nil where the entry was taken out.
        let value: Value?
        let stamped: Version
        let changed: Version
    }

    private func realmEntries(_ id: ListID) throws(StorageError) -> RealmList {
        try collection(id) { $0.hasEntries }
    }

    private func rows(
        of list: RealmList, where condition: String, _ values: [SQLiteValue]
    ) throws(StorageError) -> [EntryRow] {
        let isMap = list.property.kind == .map
        let columns = isMap ? "k, \(list.valueColumns)" : list.valueColumns
        return try connection.statement(
            """
            SELECT n, a, stamped, changed, \(columns) FROM \(list.table)
            WHERE owner = ? AND \(condition)
            """
        ).all([.int(list.owner)] + values) { (row) throws(StorageError) in
            let (type, isThere) = (list.property.type, try row.flag(1))
            let value: Value =
                if isMap { isThere ? try Self.value(row, 5, type) : .null } else { .bool(true) }
            let name: Value =
                if isMap { .string(try row.text(4)) } else { try Self.value(row, 4, type) }
            return EntryRow(
                number: try row.int(0), entry: name, value: isThere ? value : nil,
                stamped: Version(try row.bits(2)), changed: Version(try row.bits(3)))
        }
    }

    /// A link is the entry of its key's living object.
    func row(of entry: Value, in list: RealmList) throws(StorageError) -> EntryRow? {
        guard list.property.acceptsEntry(entry), let names = try columns(naming: entry, in: list)
        else { return nil }
        let terms = ClassLayout.entryColumns(list.property).map { "\($0) = ?" }
        let found = try rows(of: list, where: terms.joined(separator: " AND "), names)
        // To SQLite, 0.0 and -0.0 are the same.
        return list.property.type == .double && list.property.kind == .set
            ? found.first { $0.entry == entry } : found.first
    }

    /// Nil for a link to a key that nobody bears.
    func columns(
        naming entry: Value, in list: RealmList
    ) throws(StorageError) -> [SQLiteValue]? {
        if list.property.kind == .map { return try entry.columns(.string, number: Self.noLink) }
        guard case .link(let link) = entry else {
            return try entry.columns(list.property.type, number: Self.noLink)
        }
        guard let target = list.target, let number = try living(link.key, in: target) else {
            return nil
        }
        return [.int(number)]
    }

    private static func noLink(_ link: Link) throws(StorageError) -> Int64 {
        throw .corrupt("an entry is a link", while: "naming an entry")
    }

    /// Whether another life of a link's key is there.
    private func isThere(_ entry: Value, in list: RealmList) throws(StorageError) -> Bool {
        guard case .link(let link) = entry, let target = list.target else { return false }
        return try connection.first(
            """
            SELECT 1 FROM \(list.table)
            WHERE owner = ? AND a = 1 AND v IN (SELECT t.n FROM \(target.table) t WHERE t.k = ?)
            """,
            .int(list.owner), link.key.column
        ) { (_) throws(StorageError) in true } ?? false
    }
}
