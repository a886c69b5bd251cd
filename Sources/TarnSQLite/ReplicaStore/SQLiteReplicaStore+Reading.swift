package import TarnModel
package import TarnStorage

/// What the user sees.
extension SQLiteReplicaStore {
    package func key(of object: ObjectID) throws(StorageError) -> PrimaryKey {
        let sql = try replicaClass(object.classNumber).keyOfNumber
        let key = try file.first(sql, .int(object.number)) {
            (row) throws(StorageError) in try row.key(0)
        }
        guard let key else { throw .absent(object) }
        return key
    }

    package func value(_ property: Int, of object: ObjectID) throws(StorageError) -> Value {
        let replicaClass = try replicaClass(object.classNumber)
        _ = try content.schema.property(property, in: object.classNumber)
        guard let cell = replicaClass.cells[property] else {
            _ = try key(of: object)
            return .null
        }
        let linked = replicaClass.linked[property]
        let value = try file.first(cell.get, .int(object.number)) { (row) throws(StorageError) in
            try row.value(0, cell.type) { (number) throws(StorageError) in
                try self.key(number, in: linked)
            }
        }
        guard let value else { throw .absent(object) }
        return value
    }

    package func target(_ property: Int, of object: ObjectID) throws(StorageError) -> ObjectID? {
        let replicaClass = try replicaClass(object.classNumber)
        let schema = try content.schema.property(property, in: object.classNumber)
        guard let cell = replicaClass.cells[property], let linked = replicaClass.linked[property]
        else {
            guard !schema.type.isLink else { return nil }
            throw .wrongType(property, in: object.classNumber)
        }
        let found = try file.first(cell.get, .int(object.number)) {
            (row) throws(StorageError) in try row.optionalInt(0)
        }
        guard let number = found else { throw .absent(object) }
        guard let number else { return nil }
        return try visible(number, in: linked)
    }

    package func elements(_ property: Int, of object: ObjectID) throws(StorageError) -> [Value] {
        let collection = ListID(object: object, property: property)
        if try content.schema.property(property, in: object.classNumber).hasEntries {
            _ = try key(of: object)
            return try visibleEntries(in: collection).map(\.value)
        }
        let (list, linked) = try listTable(collection)
        return try file.all(list.visibleValues, .int(object.number)) {
            (row) throws(StorageError) in
            try row.value(0, list.type) { (number) throws(StorageError) in
                try self.key(number, in: linked)
            }
        }
    }

    package func targets(_ property: Int, of object: ObjectID) throws(StorageError) -> [ObjectID] {
        _ = try content.schema.property(property, in: object.classNumber)
        guard let linked = try replicaClass(object.classNumber).linked[property] else { return [] }
        let numbers = try targetNumbers(in: ListID(object: object, property: property))
        var targets: [ObjectID] = []
        for number in numbers {
            if let target = try visible(number, in: linked) { targets.append(target) }
        }
        return targets
    }

    /// The numbers of what a collection of links leads to, in its order.
    private func targetNumbers(in collection: ListID) throws(StorageError) -> [Int64] {
        let classNumber = collection.object.classNumber
        if try content.schema.property(collection.property, in: classNumber).hasEntries {
            return try visibleEntries(in: collection).compactMap(\.target)
        }
        let list = try listTable(collection).table
        return try file.all(list.visibleValues, .int(collection.object.number)) {
            (row) throws(StorageError) in try row.int(0)
        }
    }

    package func referrers(
        of object: ObjectID, through property: Int, in classNumber: Int
    ) throws(StorageError) -> [ObjectID] {
        let place = Holder.Place(classNumber: classNumber, property: property)
        guard content.linking[object.classNumber]?.contains(place) == true else { return [] }
        var referrers: [ObjectID] = []
        for holder in try holders(of: object, at: place) {
            if let seen = try visible(holder.object.number, in: classNumber) {
                referrers.append(seen)
            }
        }
        return referrers
    }

    package func objects(in classNumber: Int) throws(StorageError) -> [ObjectID] {
        try file.all(try replicaClass(classNumber).objects) { (row) throws(StorageError) in
            ObjectID(classNumber: classNumber, number: try row.int(0))
        }
    }

    func replicaClass(_ number: Int) throws(StorageError) -> ReplicaClass {
        guard content.classes.indices.contains(number) else { throw .noSuchClass(number) }
        return content.classes[number]
    }

    /// The key of a link's target.
    func key(_ number: Int64, in classNumber: Int?) throws(StorageError) -> PrimaryKey {
        guard let classNumber else {
            throw .corrupt("a link leads to no class", while: "reading the replica")
        }
        return try key(of: ObjectID(classNumber: classNumber, number: number))
    }

    /// The object, if the user sees it.
    private func visible(_ number: Int64, in classNumber: Int) throws(StorageError) -> ObjectID? {
        try file.first(try replicaClass(classNumber).isVisible, .int(number)) {
            (_) throws(StorageError) in ObjectID(classNumber: classNumber, number: number)
        }
    }
}
