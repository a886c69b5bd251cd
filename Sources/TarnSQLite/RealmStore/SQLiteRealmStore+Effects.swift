import TarnCBOR
package import TarnModel
package import TarnStorage

extension SQLiteRealmStore {
    package func apply(_ effect: Effect) throws(StorageError) {
        try expectTransaction()
        guard cache.applied.version > .zero else { throw .wrongEffect("no version was begun") }
        switch effect {
        case .putClass(let addition):
            try put(addition)
        case .create(let className, let key, let life, let values):
            try create(className, key, life: life, values)
        case .alias(let transaction, let className, let key):
            try alias(transaction, className, key)
        case .set(let className, let key, let property, let value, let isDefault):
            let version = cache.applied.version
            let mark = CellMark(stamped: version, changed: version, isDefault: isDefault)
            try set(className, key, property, value) { _ in mark }
        case .unlink(let className, let key, let property):
            let version = cache.applied.version
            try set(className, key, property, nil) { mark in
                CellMark(stamped: mark.stamped, changed: version, isDefault: mark.isDefault)
            }
        case .delete(let className, let key):
            try delete(className, key)
        case .place(let list, let placed):
            try place(placed, in: list)
        case .vacate(let list, let slot):
            try vacate(slot, in: list)
        case .increment(let className, let key, let property, let amount):
            try increment(className, key, property, by: amount)
        case .setEntry(let collection, let entry, let value):
            try set(entry, to: value, in: collection, stamped: cache.applied.version)
        case .removeEntry(let collection, let entry):
            try set(entry, to: nil, in: collection, stamped: cache.applied.version)
        case .unlinkEntry(let collection, let entry):
            try set(entry, to: nil, in: collection, stamped: nil)
        }
    }

    // MARK: Classes

    private func put(_ addition: ClassSchema) throws(StorageError) {
        let number = cache.schema.number(of: addition.name) ?? cache.classes.count
        let new = RealmClass(number: number, schema: addition)
        var known = 0
        if cache.classes.indices.contains(number) {
            let present = cache.classes[number].schema
            guard addition.primaryKey == present.primaryKey,
                addition.properties.starts(with: present.properties)
            else { throw .wrongEffect("class \(addition.name) is defined otherwise already") }
            known = present.properties.count
            let statements = new.layout.addition(
                from: known, slotColumns: RealmFile.slotColumns,
                entryColumns: { _ in RealmFile.entryColumns })
            for statement in statements { try connection.execute(statement) }
            cache.classes[number] = new
        } else {
            let statements =
                new.layout.creation(
                    rowColumns: RealmFile.rowColumns, slotColumns: RealmFile.slotColumns,
                    entryColumns: { _ in RealmFile.entryColumns })
                + RealmFile.rowIndexes(new.table)
            for statement in statements { try connection.execute(statement) }
            cache.classes.append(new)
        }
        for index in indexes(of: new, from: known) { try connection.execute(index) }
        for (property, schema) in new.layout.cells where property >= known {
            try fill(property, schema, of: new)
        }
        cache.schema.put(addition)
        cache.rowSelects = [:]
        self.known.forget()
        var writer = CBORWriter()
        writer.write(addition)
        try connection.run(
            "INSERT OR REPLACE INTO class VALUES (?, ?, ?)", .int(Int64(number)),
            .text(addition.name), .blob(writer.bytes))
        try makeReadable(number)
    }

    /// What this store finds by, of the properties from one number on.
    private func indexes(of realmClass: RealmClass, from first: Int) -> [String] {
        let layout = realmClass.layout
        return layout.lists.filter { $0.number >= first }.flatMap {
            RealmFile.slotIndexes(layout.listTable($0.number))
        }
            + layout.entries.filter { $0.number >= first }.flatMap {
                RealmFile.entryIndexes(layout.listTable($0.number))
            }
            + layout.cells.filter { $0.number >= first && $0.property.isUnique }.map {
                RealmFile.uniqueIndex(layout.table, $0.number, $0.property)
            }
    }

    /// Gives objects that were there before a property its initial value.
    private func fill(
        _ property: Int, _ schema: PropertySchema, of realmClass: RealmClass
    ) throws(StorageError) {
        guard schema.initialValue != .null else { return }
        let assignments = ClassLayout.columns(property, schema.type).map { "\($0) = ?" }
        try connection.run(
            "UPDATE \(realmClass.table) SET \(assignments.joined(separator: ", ")) WHERE a = 1",
            values: try columns(schema.initialValue, schema))
    }

    // MARK: Objects

    private func create(
        _ className: String, _ key: PrimaryKey, life: TransactionID, _ values: [InitialValue]
    ) throws(StorageError) {
        let realmClass = try named(className)
        guard realmClass.schema.accepts(key: key) else {
            throw .wrongEffect("the key of \(className) is of another type")
        }
        guard try living(key, in: realmClass) == nil else {
            throw .wrongEffect("\(className) \(key) is there already")
        }
        let properties = realmClass.schema.properties
        let version = cache.applied.version
        var marks = RowMarks(created: version, known: properties.count)
        var cells = properties.map(\.initialValue)
        for (number, _) in realmClass.layout.cells {
            marks[number] = CellMark(stamped: version, changed: version, isDefault: true)
        }
        var linksToItself: [Int] = []
        for value in values {
            let number = try number(of: value.property, in: realmClass, .value)
            marks[number].isDefault = value.isDefault
            cells[number] = value.value
            if case .link(let link) = value.value, link.key == key,
                properties[number].type.linkedClass == className
            {
                // Its row has no number yet.
                linksToItself.append(number)
                cells[number] = .null
            } else {
                linksToItself.removeAll { $0 == number }
            }
        }
        var columns: [SQLiteValue] = [key.column, 1]
        columns += try self.columns(life)
        columns += [
            .bits(version.number), .int(Int64(properties.count)), SQLiteValue(marks.encoded),
        ]
        for (number, property) in realmClass.layout.cells {
            columns += try self.columns(cells[number], property)
        }
        try connection.run(realmClass.insertion, values: columns)
        let row = connection.lastInsertedRow
        let new = KnownRow(
            number: row, key: key, life: life, marks: marks,
            values: Array(repeating: nil, count: properties.count))
        for (number, _) in realmClass.layout.cells { new.note(cells[number], of: number) }
        for number in linksToItself {
            try connection.run(
                "UPDATE \(realmClass.table) SET p\(number) = n WHERE n = ?", .int(row))
            new.note(.link(Link(key: key, life: nil)), of: number)
        }
        known.note(new, in: realmClass.number)
    }

    private func alias(
        _ transaction: TransactionID, _ className: String, _ key: PrimaryKey
    ) throws(StorageError) {
        let realmClass = try named(className)
        let number = try named(key, in: realmClass)
        let life = try life(of: ObjectID(classNumber: realmClass.number, number: number))
        try connection.run(
            "INSERT OR REPLACE INTO alias VALUES (?, ?, ?, ?, ?, ?)",
            values: [.int(Int64(realmClass.number)), key.column] + columns(transaction)
                + columns(life))
    }

    /// Nil is null, whatever the property allows.
    func set(
        _ className: String, _ key: PrimaryKey, _ property: String, _ value: Value?,
        marking: (CellMark) -> CellMark
    ) throws(StorageError) {
        let realmClass = try named(className)
        let number = try number(of: property, in: realmClass, .value)
        guard let row = try row(of: key, in: realmClass) else {
            throw .wrongEffect("there is no \(className) \(key)")
        }
        row.marks[number] = marking(row.marks[number])
        let schema = realmClass.schema.properties[number]
        var columns = [SQLiteValue(row.marks.encoded)]
        if let value {
            columns += try self.columns(value, schema)
        } else {
            columns += ClassLayout.columns(number, schema.type).map { _ in SQLiteValue.null }
        }
        columns.append(.int(row.number))
        try connection.run(realmClass.cellUpdates[number], values: columns)
        row.note(value ?? .null, of: number)
    }

    private func delete(_ className: String, _ key: PrimaryKey) throws(StorageError) {
        let realmClass = try named(className)
        let row = try named(key, in: realmClass)
        let cells = realmClass.layout.cellColumns.map { ", \($0) = NULL" }.joined()
        try connection.run(
            "UPDATE \(realmClass.table) SET a = 0, deleted = ?, marks = NULL\(cells) WHERE n = ?",
            .bits(cache.applied.version.number), .int(row))
        known.remove(row, key, in: realmClass.number)
        for (number, _) in realmClass.layout.lists + realmClass.layout.entries {
            try connection.run(
                "DELETE FROM \(realmClass.layout.listTable(number)) WHERE owner = ?", .int(row))
        }
        try connection.run(
            "DELETE FROM increment WHERE class = ? AND n = ?", .int(Int64(realmClass.number)),
            .int(row))
    }

    // MARK: Lists

    private func place(_ placed: PlacedElement, in list: ListEffect) throws(StorageError) {
        let list = try named(list, .list)
        var low: Int64?
        if let predecessor = placed.predecessor {
            low = try label(of: predecessor, in: list)
            guard low != nil else {
                throw .wrongEffect("a slot is put behind one that is not there")
            }
        }
        guard try label(of: placed.slot, in: list) == nil else {
            throw .wrongEffect("a slot is placed a second time")
        }
        let value = try columns(placed.value, list.property)
        let version = SQLiteValue.bits(cache.applied.version.number)
        let first = placed.element.firstSlot
        var columns: [SQLiteValue] = [
            .int(list.owner), .int(try newLabel(behind: low, in: list)), 1, version, version,
        ]
        columns += try self.columns(placed.slot)
        columns += try self.columns(first == placed.slot ? nil : first)
        columns += try self.columns(placed.place.after)
        columns += try self.columns(placed.place.before)
        columns += value
        let names = ClassLayout.elementColumns(list.property.type).joined(separator: ", ")
        let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        try connection.run(
            """
            INSERT INTO \(list.table) (owner, label, a, placed, changed, slot_replica,
                slot_sequence, slot_ordinal, element_replica, element_sequence, element_ordinal,
                after_replica, after_sequence, after_ordinal, before_replica, before_sequence,
                before_ordinal, \(names))
            VALUES (\(places))
            """, values: columns)
    }

    private func vacate(_ slot: SlotID, in list: ListEffect) throws(StorageError) {
        let list = try named(list, .list)
        let version = SQLiteValue.bits(cache.applied.version.number)
        if let id = try knownColumns(slot) {
            try connection.run(
                """
                UPDATE \(list.table) SET a = 0, vacated = ?, changed = ?
                WHERE slot_replica = ? AND slot_sequence = ? AND slot_ordinal = ? AND owner = ?
                    AND a = 1
                """,
                values: [version, version] + id + [.int(list.owner)])
            if connection.changedRows > 0 { return }
        }
        throw .wrongEffect("a slot is vacated that holds nothing")
    }

    // MARK: Names

    func named(_ className: String) throws(StorageError) -> RealmClass {
        guard let number = cache.schema.number(of: className) else {
            throw .wrongEffect("there is no class \(className)")
        }
        return cache.classes[number]
    }

    func named(
        _ key: PrimaryKey, in realmClass: RealmClass
    ) throws(StorageError) -> Int64 {
        guard let number = try living(key, in: realmClass) else {
            throw .wrongEffect("there is no \(realmClass.schema.name) \(key)")
        }
        return number
    }

    func named(
        _ list: ListEffect, _ kinds: PropertyKind...
    ) throws(StorageError) -> RealmList {
        let realmClass = try named(list.className)
        let owner = try named(list.key, in: realmClass)
        let property = try number(of: list.property, in: realmClass, kinds)
        return realmList(property, of: owner, in: realmClass)
    }

    func number(
        of property: String, in realmClass: RealmClass, _ kinds: PropertyKind...
    ) throws(StorageError) -> Int {
        try number(of: property, in: realmClass, kinds)
    }

    private func number(
        of property: String, in realmClass: RealmClass, _ kinds: [PropertyKind]
    ) throws(StorageError) -> Int {
        guard let number = realmClass.number(of: property),
            kinds.contains(realmClass.schema.properties[number].kind)
        else {
            throw .wrongEffect("\(realmClass.schema.name) has no such property \(property)")
        }
        return number
    }

    func columns(
        _ value: Value, _ property: PropertySchema
    ) throws(StorageError) -> [SQLiteValue] {
        guard property.accepts(value) else {
            throw .wrongEffect("a value of \(property.name) is of another type")
        }
        return try value.columns(property.type) { (link) throws(StorageError) in
            guard let target = target(of: property) else {
                throw .wrongEffect("\(property.name) links to no class")
            }
            return try named(link.key, in: target)
        }
    }
}
