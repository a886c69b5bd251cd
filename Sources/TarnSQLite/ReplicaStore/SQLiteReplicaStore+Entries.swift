package import TarnModel
package import TarnStorage

/// Sets and maps.
extension SQLiteReplicaStore {
    package func entries(in collection: ListID) throws(StorageError) -> [ReplicaEntry] {
        let (table, linked) = try entryTable(collection)
        return try file.all(table.all, .int(collection.object.number)) {
            (row) throws(StorageError) in try self.entry(row, table, linked).entry
        }.sorted { $0.entry < $1.entry }
    }

    package func entry(
        _ entry: Value, in collection: ListID
    ) throws(StorageError) -> ReplicaEntry? {
        try find(entry, in: collection)?.entry
    }

    package func put(
        _ entry: ReplicaEntry, in collection: ListID
    ) throws(StorageError) {
        expectWriting()
        let (table, linked) = try entryTable(collection)
        for value in [entry.confirmed, entry.visible].compactMap(\.self) {
            guard table.property.acceptsEntry(entry.entry, holding: value) else {
                throw .wrongType(collection.property, in: collection.object.classNumber)
            }
        }
        _ = try key(of: collection.object)
        let present = try find(entry.entry, in: collection)
        if let present, let linked {
            for link in [present.entry.entry, present.entry.confirmed, present.entry.visible] {
                try loosen(link, in: linked)
            }
        }
        guard entry.confirmed != nil || entry.visible != nil else {
            if let present { try file.run(table.delete, .int(present.number)) }
            return
        }
        let layers = try layers(of: entry, table.property)
        if let present {
            try file.run(table.update, values: [.int(present.number)] + layers)
            return
        }
        let type = table.property.kind == .map ? .string : table.property.type
        let names = try entry.entry.columns(type) { (link) throws(StorageError) in
            try self.reachable(link, table.property)
        }
        try file.run(
            table.insert, values: [.int(collection.object.number)] + names + layers)
    }

    package func resetEntriesToConfirmed(_ collection: ListID) throws(StorageError) {
        expectWriting()
        let (table, linked) = try entryTable(collection)
        let owner = SQLiteValue.int(collection.object.number)
        if let linked { try loosen(table.differingNumbers, owner, in: linked) }
        try file.run(table.dropUnconfirmed, owner)
        try file.run(table.showConfirmed, owner)
    }

    // MARK: What the user sees

    /// A set's elements or a map's values, in the order of the entries, as a link's number where
    /// they are links.
    func visibleEntries(
        in collection: ListID
    ) throws(StorageError) -> [(entry: Value, value: Value, target: Int64?)] {
        let (table, linked) = try entryTable(collection)
        let isMap = table.property.kind == .map
        return try file.all(table.visible, .int(collection.object.number)) {
            (row) throws(StorageError) in
            let column = isMap ? 1 : 0
            let value = try self.value(row, column, table, linked)
            let target = linked == nil ? nil : try row.optionalInt(column)
            return (isMap ? .string(try row.text(0)) : value, value, target)
        }.sorted { $0.entry < $1.entry }
    }

    // MARK: Rows

    func entryTable(
        _ collection: ListID
    ) throws(StorageError) -> (table: ReplicaEntryTable, linked: Int?) {
        let replicaClass = try replicaClass(collection.object.classNumber)
        _ = try content.schema.property(
            collection.property, in: collection.object.classNumber)
        guard let table = replicaClass.entries[collection.property] else {
            throw .wrongType(collection.property, in: collection.object.classNumber)
        }
        return (table, replicaClass.linked[collection.property])
    }

    private typealias NumberedEntry = (number: Int64, entry: ReplicaEntry)

    private func find(
        _ entry: Value, in collection: ListID
    ) throws(StorageError) -> NumberedEntry? {
        let (table, linked) = try entryTable(collection)
        let property = table.property
        guard property.acceptsEntry(entry) else { return nil }
        var names: [SQLiteValue]
        if case .link(let link) = entry {
            guard let linked, let target = try row(of: link.key, in: linked) else { return nil }
            names = [.int(target.object.number)]
        } else {
            let type = property.kind == .map ? .string : property.type
            names = try entry.columns(type) { (_) throws(StorageError) in
                throw .wrongType(collection.property, in: collection.object.classNumber)
            }
        }
        let found = try file.statement(table.one).all(
            [.int(collection.object.number)] + names
        ) { (row) throws(StorageError) in try self.entry(row, table, linked) }
        // To SQLite, 0.0 and -0.0 are the same.
        return property.kind == .set && property.type == .double
            ? found.first { $0.entry.entry == entry } : found.first
    }

    private func entry(
        _ row: SQLiteRow, _ table: ReplicaEntryTable, _ linked: Int?
    ) throws(StorageError) -> NumberedEntry {
        let number = try row.int(0)
        let isVisible = try row.flag(1)
        guard table.property.kind == .map else {
            let entry = ReplicaEntry(
                entry: try value(row, 3, table, linked),
                confirmed: try row.flag(2) ? .bool(true) : nil,
                visible: isVisible ? .bool(true) : nil)
            return (number, entry)
        }
        let visible = isVisible ? try value(row, 4, table, linked) : nil
        let width = ClassLayout.elementColumns(table.property.type).count
        var confirmed: Value?
        switch try row.int(2) {
        case 0: break
        case 1: confirmed = visible
        default: confirmed = try value(row, 4 + width, table, linked)
        }
        let entry = ReplicaEntry(
            entry: .string(try row.text(3)), confirmed: confirmed, visible: visible)
        return (number, entry)
    }

    private func value(
        _ row: SQLiteRow, _ column: Int, _ table: ReplicaEntryTable, _ linked: Int?
    ) throws(StorageError) -> Value {
        try row.value(column, table.property.type) { (number) throws(StorageError) in
            try self.key(number, in: linked)
        }
    }

    /// The columns `a` and `confirmed`, and of a map, `v` and `w`.
    private func layers(
        of entry: ReplicaEntry, _ property: PropertySchema
    ) throws(StorageError) -> [SQLiteValue] {
        guard property.kind == .map else {
            return [.flag(entry.visible != nil), .flag(entry.confirmed != nil)]
        }
        func columns(_ value: Value?) throws(StorageError) -> [SQLiteValue] {
            try (value ?? .null).columns(property.type) { (link) throws(StorageError) in
                try self.reachable(link, property)
            }
        }
        let isSame = entry.confirmed?.withoutLife == entry.visible?.withoutLife
        let confirmed: SQLiteValue = entry.confirmed == nil ? 0 : isSame ? 1 : 2
        return [.flag(entry.visible != nil), confirmed] + (try columns(entry.visible))
            + (try columns(isSame ? nil : entry.confirmed))
    }

    private func loosen(_ value: Value?, in classNumber: Int) throws(StorageError) {
        guard case .link(let link) = value, let target = try row(of: link.key, in: classNumber)
        else { return }
        content.loosened.insert(target.object)
    }
}
