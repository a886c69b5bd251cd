import TarnModel

extension RealmState {
    mutating func append(_ point: ResumePoint, origin: Origin) throws(StorageError) {
        guard point.version == applied.version.next else {
            throw StorageError(
                .corrupt, while: "beginning version \(point.version)",
                cause: "version \(applied.version) was the last")
        }
        let highest = max(versions.last??.highestTicks ?? 0, origin.ticks)
        versions.append(StoredVersion(point: point, origin: origin, highestTicks: highest))
    }

    mutating func apply(_ effect: Effect) throws(StorageError) {
        guard !versions.isEmpty else { throw .wrongEffect("no version was begun") }
        let version = applied.version
        switch effect {
        case .putClass(let addition):
            try put(addition)
        case .create(let className, let key, let life, let values):
            try create(className, key, life: life, values)
        case .alias(let transaction, let className, let key):
            let object = try named(className, key)
            let name = AliasName(
                classNumber: object.classNumber, key: key, transaction: transaction)
            aliases[name] = try stored(object).life
        case .set(let className, let key, let property, let value, let isDefault):
            let object = try named(className, key)
            let number = try number(of: property, of: object, .value)
            let stored = try storedValue(value, for: number, of: object)
            update(object) {
                $0.cells[number] = StoredCell(
                    value: stored, stamped: version, changed: version,
                    isDefault: isDefault)
            }
        case .unlink(let className, let key, let property):
            let object = try named(className, key)
            let number = try number(of: property, of: object, .value)
            update(object) {
                $0.cells[number].value = .plain(.null)
                $0.cells[number].changed = version
            }
        case .delete(let className, let key):
            let object = try named(className, key)
            update(object) {
                $0.deleted = version
                $0.cells = []
                $0.lists = []
                $0.entries = [:]
                $0.increments = [:]
            }
            living[object.classNumber][key] = nil
        case .place(let list, let placed):
            try place(placed, in: list)
        case .vacate(let list, let slot):
            try vacate(slot, in: list)
        case .increment(let className, let key, let property, let amount):
            try increment(property, of: try named(className, key), by: amount)
        case .setEntry(let collection, let entry, let value):
            try set(entry, to: value, in: collection, stamped: version)
        case .removeEntry(let collection, let entry):
            try set(entry, to: nil, in: collection, stamped: version)
        case .unlinkEntry(let collection, let entry):
            try set(entry, to: nil, in: collection, stamped: nil)
        }
    }

    private mutating func increment(
        _ property: String, of object: ObjectID, by amount: Int64
    ) throws(StorageError) {
        let version = applied.version
        let number = try number(of: property, of: object, .value)
        guard case .plain(let present) = try cell(number, of: object).value,
            let sum = IncrementRule.adding(amount, to: present)
        else { throw .wrongEffect("\(property) is nothing that could be added to") }
        update(object) {
            $0.cells[number].value = .plain(sum)
            $0.cells[number].changed = version
            if let last = $0.increments[number]?.last, last.version == version {
                $0.increments[number]?.removeLast()
                $0.increments[number]?.append(
                    StoredIncrement(version: version, amount: last.amount &+ amount))
            } else {
                $0.increments[number, default: []].append(
                    StoredIncrement(version: version, amount: amount))
            }
        }
    }

    /// - Parameter stamped: nil where the stamp stays.
    private mutating func set(
        _ entry: Value, to value: Value?, in collection: ListEffect, stamped: Version?
    ) throws(StorageError) {
        let object = try named(collection.className, collection.key)
        let number = try number(of: collection.property, of: object, .set, .map)
        let property = schema.classes[object.classNumber].properties[number]
        let list = ListID(object: object, property: number)
        guard let name = try storedEntry(entry, of: list) else {
            throw .wrongEffect("an entry of \(property.name) leads nowhere, or can be none")
        }
        let version = applied.version
        let present = try stored(object).entries[number]?[name]
        guard let stamp = stamped ?? present?.stamped else {
            throw .wrongEffect("an entry of \(property.name) is not there")
        }
        var stored: StoredValue?
        if let value {
            guard property.acceptsEntry(entry, holding: value) else {
                throw .wrongEffect("an entry of \(property.name) is of another type")
            }
            stored =
                property.kind == .set
                ? .plain(value) : try storedValue(value, for: number, of: object)
        }
        let kept = StoredEntry(value: stored, stamped: stamp, changed: version)
        update(object) { $0.entries[number, default: [:]][name] = kept }
    }

    // MARK: Classes and objects

    private mutating func put(_ addition: ClassSchema) throws(StorageError) {
        guard let number = schema.number(of: addition.name) else {
            schema.put(addition)
            objects.append([])
            living.append([:])
            return
        }
        let present = schema.classes[number]
        guard addition.primaryKey == present.primaryKey,
            addition.properties.starts(with: present.properties)
        else { throw .wrongEffect("class \(addition.name) is defined otherwise already") }
        schema.put(addition)
        let added = addition.properties.dropFirst(present.properties.count)
        for index in objects[number].indices {
            guard var object = objects[number][index], object.deleted == nil else { continue }
            object.cells += added.map { property in
                StoredCell(
                    value: .plain(property.initialValue), stamped: object.created,
                    changed: object.created, isDefault: true)
            }
            object.lists += added.map { _ in [] }
            objects[number][index] = object
        }
    }

    private mutating func create(
        _ className: String, _ key: PrimaryKey, life: TransactionID, _ values: [InitialValue]
    ) throws(StorageError) {
        guard let classNumber = schema.number(of: className) else {
            throw .wrongEffect("there is no class \(className)")
        }
        let classSchema = schema.classes[classNumber]
        guard classSchema.accepts(key: key) else {
            throw .wrongEffect("the key of \(className) is of another type")
        }
        guard living(key, in: classNumber) == nil else {
            throw .wrongEffect("\(className) \(key) is there already")
        }
        let version = applied.version
        let object = ObjectID(
            classNumber: classNumber, number: Int64(objects[classNumber].count + 1))
        let cells = classSchema.properties.map { property in
            StoredCell(
                value: .plain(property.initialValue), stamped: version, changed: version,
                isDefault: true)
        }
        objects[classNumber].append(
            StoredObject(
                key: key, life: life, created: version, cells: cells,
                lists: classSchema.properties.map { _ in [] }))
        // First, so that an object may link to itself.
        living[classNumber][key] = object.number
        for value in values {
            let number = try number(of: value.property, of: object, .value)
            let stored = try storedValue(value.value, for: number, of: object)
            update(object) {
                $0.cells[number].value = stored
                $0.cells[number].isDefault = value.isDefault
            }
        }
    }

    // MARK: Lists

    private mutating func place(
        _ placed: PlacedElement, in list: ListEffect
    ) throws(StorageError) {
        let object = try named(list.className, list.key)
        let property = try number(of: list.property, of: object, .list)
        let slots = try stored(object).lists[property]
        var index = 0
        if let predecessor = placed.predecessor {
            guard let position = slots.firstIndex(where: { $0.id == predecessor }) else {
                throw .wrongEffect("a slot is put behind one that is not there")
            }
            index = position + 1
        }
        guard !slots.contains(where: { $0.id == placed.slot }) else {
            throw .wrongEffect("a slot is placed a second time")
        }
        placings += 1
        let slot = StoredSlot(
            id: placed.slot, element: placed.element, place: placed.place,
            value: try storedValue(placed.value, for: property, of: object), placing: placings,
            placed: applied.version)
        update(object) { $0.lists[property].insert(slot, at: index) }
    }

    private mutating func vacate(_ slot: SlotID, in list: ListEffect) throws(StorageError) {
        let object = try named(list.className, list.key)
        let property = try number(of: list.property, of: object, .list)
        let slots = try stored(object).lists[property]
        guard let index = slots.firstIndex(where: { $0.id == slot && $0.isLive }) else {
            throw .wrongEffect("a slot is vacated that holds nothing")
        }
        let version = applied.version
        update(object) { $0.lists[property][index].vacated = version }
    }

    // MARK: Names

    private func named(_ className: String, _ key: PrimaryKey) throws(StorageError) -> ObjectID {
        guard let number = schema.number(of: className), let object = living(key, in: number) else {
            throw .wrongEffect("there is no \(className) \(key)")
        }
        return object
    }

    private func number(
        of property: String, of object: ObjectID, _ kinds: PropertyKind...
    ) throws(StorageError) -> Int {
        let classSchema = schema.classes[object.classNumber]
        guard let number = classSchema.number(of: property),
            kinds.contains(classSchema.properties[number].kind)
        else { throw .wrongEffect("\(classSchema.name) has no such property \(property)") }
        return number
    }

    private func storedValue(
        _ value: Value, for property: Int, of object: ObjectID
    ) throws(StorageError) -> StoredValue {
        let property = schema.classes[object.classNumber].properties[property]
        guard property.accepts(value) else {
            throw .wrongEffect("a value of \(property.name) is of another type")
        }
        guard case .link(let link) = value, let linked = property.type.linkedClass else {
            return .plain(value)
        }
        return .link(try named(linked, link.key))
    }

    private mutating func update(_ object: ObjectID, _ body: (inout StoredObject) -> Void) {
        let index = Int(object.number - 1)
        guard var stored = objects[object.classNumber][index] else { return }
        // Taken out, so that what is changed has one owner.
        objects[object.classNumber][index] = nil
        body(&stored)
        objects[object.classNumber][index] = stored
    }
}
