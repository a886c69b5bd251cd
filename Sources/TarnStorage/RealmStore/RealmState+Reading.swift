import TarnModel

extension RealmState {
    func living(_ key: PrimaryKey, in classNumber: Int) -> ObjectID? {
        guard living.indices.contains(classNumber), let number = living[classNumber][key] else {
            return nil
        }
        return ObjectID(classNumber: classNumber, number: number)
    }

    /// The object, or its tombstone.
    func stored(_ object: ObjectID) throws(StorageError) -> StoredObject {
        guard objects.indices.contains(object.classNumber), object.number > 0,
            object.number <= objects[object.classNumber].count,
            let stored = objects[object.classNumber][Int(object.number - 1)]
        else {
            throw StorageError(
                .corrupt, while: "reading an object", cause: "it was never there, or is forgotten")
        }
        return stored
    }

    /// The object, or its tombstone if the floor has not passed it.
    func knownObject(_ object: ObjectID) throws(StorageError) -> StoredObject {
        let stored = try stored(object)
        guard stored.deleted.map({ $0 > floor }) ?? true else {
            throw StorageError(.corrupt, while: "reading an object", cause: "it is forgotten")
        }
        return stored
    }

    func livingObject(_ object: ObjectID) throws(StorageError) -> StoredObject {
        let stored = try stored(object)
        guard stored.deleted == nil else {
            throw StorageError(.corrupt, while: "reading an object", cause: "it was deleted")
        }
        return stored
    }

    func isLiving(_ object: ObjectID) throws(StorageError) -> Bool {
        try stored(object).deleted == nil
    }

    /// The cell of a property that is no list, of an object that lives.
    func cell(_ property: Int, of object: ObjectID) throws(StorageError) -> StoredCell {
        let stored = try livingObject(object)
        guard stored.cells.indices.contains(property),
            schema.classes[object.classNumber].properties[property].isCell
        else {
            throw StorageError(.corrupt, while: "reading an object", cause: "no such property")
        }
        return stored.cells[property]
    }

    /// The entries of a set or map, those too that were taken out above the floor.
    func entries(_ collection: ListID) throws(StorageError) -> [StoredValue: StoredEntry] {
        let stored = try livingObject(collection.object)
        guard try schema.property(collection.property, in: collection.object.classNumber).hasEntries
        else {
            throw StorageError(
                .corrupt, while: "reading a collection", cause: "it is neither set nor map")
        }
        return (stored.entries[collection.property] ?? [:]).filter { _, entry in
            entry.value != nil || entry.changed > floor
        }
    }

    /// An entry as it is stored; nil for a link to a key that nobody bears, and for what the
    /// collection can have no entry of.
    func storedEntry(
        _ entry: Value, of collection: ListID
    ) throws(StorageError) -> StoredValue? {
        let property = try schema.property(collection.property, in: collection.object.classNumber)
        guard property.acceptsEntry(entry) else { return nil }
        guard case .link(let link) = entry else { return .plain(entry) }
        let target = property.type.linkedClass.flatMap { schema.number(of: $0) }
        return target.flatMap { living(link.key, in: $0) }.map { .link($0) }
    }

    /// The slots of a list in order, tombstones that the floor has not passed too.
    func slots(_ list: ListID) throws(StorageError) -> [StoredSlot] {
        let stored = try livingObject(list.object)
        guard stored.lists.indices.contains(list.property),
            schema.classes[list.object.classNumber].properties[list.property].isList
        else {
            throw StorageError(.corrupt, while: "reading a list", cause: "no such list")
        }
        return stored.lists[list.property].filter { slot in
            slot.vacated.map { $0 > floor } ?? true
        }
    }

    func value(_ stored: StoredValue) throws(StorageError) -> Value {
        switch stored {
        case .plain(let value): return value
        case .link(let object): return .link(Link(key: try self.stored(object).key, life: nil))
        }
    }

    func element(_ slot: StoredSlot) throws(StorageError) -> ListElement {
        ListElement(slot: slot.id, element: slot.element, value: try value(slot.value))
    }

    /// The stamp of a version that was begun, and that something kept bears.
    func stamp(of version: Version) throws(StorageError) -> Stamp {
        guard let stored = versions[Int(version.number - 1)] else {
            throw StorageError(
                .corrupt, while: "reading a stamp", cause: "version \(version) is forgotten")
        }
        return stored.origin.stamp
    }

    func livingObjects(in classNumber: Int) -> [ObjectID] {
        guard living.indices.contains(classNumber) else { return [] }
        return living[classNumber].values.sorted().map {
            ObjectID(classNumber: classNumber, number: $0)
        }
    }
}
