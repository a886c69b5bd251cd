package import TarnModel
package import TarnStorage

/// Who leads to whom, and which bare rows nothing keeps any more.
extension SQLiteReplicaStore {
    package func holders(of object: ObjectID) throws(StorageError) -> [Holder] {
        var holders: [Holder] = []
        for place in content.linking[object.classNumber, default: []] {
            holders += try self.holders(of: object, at: place)
        }
        return holders.sorted {
            ($0.object, $0.property) < ($1.object, $1.property)
        }
    }

    func holders(
        of object: ObjectID, at place: Holder.Place
    ) throws(StorageError) -> [Holder] {
        let holding = try replicaClass(place.classNumber)
        let collection =
            holding.lists[place.property]?.holders ?? holding.entries[place.property]?.holders
        guard let sql = holding.cells[place.property]?.holders ?? collection else { return [] }
        return try file.all(sql, .int(object.number)) { (row) throws(StorageError) in
            Holder(
                object: ObjectID(classNumber: place.classNumber, number: try row.int(0)),
                property: place.property)
        }
    }

    /// The number of a link's target, which is a bare row where the key has none yet.
    func reachable(
        _ link: Link, _ property: PropertySchema
    ) throws(StorageError) -> Int64 {
        let classNumber = try content.schema.linkedClass(of: property)
        if let row = try row(of: link.key, in: classNumber) { return row.object.number }
        return try insertRow(
            of: link.key, in: classNumber, life: nil, isConfirmed: false, isVisible: false
        ).number
    }

    /// Notes that a link is about to lead elsewhere.
    func loosenTarget(
        of cell: ReplicaCell, _ property: Int, of object: ObjectID
    ) throws(StorageError) {
        guard let linked = try replicaClass(object.classNumber).linked[property] else { return }
        let target = try file.first(cell.get, .int(object.number)) {
            (row) throws(StorageError) in try row.optionalInt(0)
        }
        guard case .some(.some(let number)) = target else { return }
        content.loosened.insert(ObjectID(classNumber: linked, number: number))
    }

    package func removeRow(_ object: ObjectID) throws(StorageError) {
        expectWriting()
        let replicaClass = try replicaClass(object.classNumber)
        guard try row(of: object) != nil else { throw .absent(object) }
        for case (let property, let cell?) in replicaClass.cells.enumerated()
        where cell.type.isLink {
            try loosenTarget(of: cell, property, of: object)
        }
        for case (let property, let list?) in replicaClass.lists.enumerated() {
            if let linked = replicaClass.linked[property] {
                try loosen(list.linkedNumbers, .int(object.number), in: linked)
            }
            try file.run(list.clear, .int(object.number))
        }
        for case (let property, let entries?) in replicaClass.entries.enumerated() {
            if let linked = replicaClass.linked[property] {
                try loosen(entries.linkedNumbers, .int(object.number), in: linked)
            }
            try file.run(entries.clear, .int(object.number))
        }
        try dropShadow(of: object)
        try file.run(
            "DELETE FROM member WHERE class = ? AND n = ?", .int(object.classNumber),
            .int(object.number))
        // The row's own links must be gone first: it may lead to itself.
        try file.run(replicaClass.clear, .int(object.number))
        if try !isKept(object) { try file.run(replicaClass.delete, .int(object.number)) }
    }

    /// Notes that what a statement finds is about to be led to no more.
    func loosen(
        _ sql: String, _ term: SQLiteValue, in classNumber: Int
    ) throws(StorageError) {
        let numbers = try file.all(sql, term) { (row) throws(StorageError) in
            try row.optionalInt(0)
        }
        for case let number? in numbers {
            content.loosened.insert(ObjectID(classNumber: classNumber, number: number))
        }
    }

    /// Takes the bare rows that nothing keeps since this transaction.
    func dropLoosened() throws(StorageError) {
        while let object = content.loosened.popFirst() {
            // A caller may have spoken of what never was.
            guard content.classes.indices.contains(object.classNumber) else { continue }
            let isBare = try file.first(
                try replicaClass(object.classNumber).isBare, .int(object.number)
            ) { (_) throws(StorageError) in true }
            guard isBare == true, try shadow(of: object) == nil, try !isKept(object),
                try !isMember(object)
            else { continue }
            try removeRow(object)
        }
    }

    /// Whether anything leads to the object, in either layer, or is yet to be decided of it.
    private func isKept(_ object: ObjectID) throws(StorageError) -> Bool {
        if try !sequences(touching: object).isEmpty { return true }
        for place in content.linking[object.classNumber, default: []] {
            if try !holders(of: object, at: place).isEmpty { return true }
            let holding = try replicaClass(place.classNumber)
            guard
                let sql = holding.lists[place.property]?.hiddenHolder
                    ?? holding.entries[place.property]?.hiddenHolder
            else { continue }
            let hidden = try file.first(sql, .int(object.number)) {
                (_) throws(StorageError) in true
            }
            if hidden == true { return true }
        }
        return false
    }
}
