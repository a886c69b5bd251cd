package import TarnModel
package import TarnStorage

extension SQLiteReplicaStore {
    package func slots(in list: ListID) throws(StorageError) -> [ReplicaSlot] {
        let (table, linked) = try listTable(list)
        return try file.all(table.all, .int(list.object.number)) { (row) throws(StorageError) in
            try self.slot(row, table, linked).slot
        }
    }

    package func slots(
        in list: ListID, leadingTo target: ObjectID
    ) throws(StorageError) -> [ReplicaSlot] {
        let (table, linked) = try listTable(list)
        guard linked == target.classNumber else { return [] }
        return try file.all(table.leading, .int(target.number), .int(list.object.number)) {
            (row) throws(StorageError) in try self.slot(row, table, linked).slot
        }
    }

    package func slot(_ id: SlotID, in list: ListID) throws(StorageError) -> ReplicaSlot? {
        try find(id, in: list)?.slot
    }

    package func visibleSlot(
        of element: ElementID, in list: ListID
    ) throws(StorageError) -> ReplicaSlot? {
        let (table, linked) = try listTable(list)
        guard let terms = try terms(element.firstSlot, in: list) else { return nil }
        return try file.statement(table.visibleElement).first(terms) {
            (row) throws(StorageError) in try self.slot(row, table, linked).slot
        }
    }

    package func predecessor(
        of slot: SlotID, in list: ListID
    ) throws(StorageError) -> SlotID? {
        let table = try listTable(list).table
        guard let label = try label(of: slot, in: list) else { return nil }
        let found = try file.first(table.predecessor, .int(list.object.number), .int(label)) {
            (row) throws(StorageError) in try self.slotID(row, 0)
        }
        return found ?? nil
    }

    package func lastSlot(in list: ListID) throws(StorageError) -> SlotID? {
        let found = try file.first(try listTable(list).table.last, .int(list.object.number)) {
            (row) throws(StorageError) in try self.slotID(row, 0)
        }
        return found ?? nil
    }

    package func put(
        _ slot: ReplicaSlot, behind predecessor: SlotID?, in list: ListID
    ) throws(StorageError) {
        expectWriting()
        let (table, linked) = try listTable(list)
        let property = try content.schema.property(list.property, in: list.object.classNumber)
        guard property.accepts(slot.value) else {
            throw .wrongType(list.property, in: list.object.classNumber)
        }
        _ = try key(of: list.object)
        if let present = try find(slot.slot, in: list) {
            try loosenTarget(of: present.slot, in: linked)
            try file.run(table.delete, .int(present.number))
        }
        guard slot.isConfirmed || slot.isVisible else { return }
        let label = try newLabel(behind: predecessor, in: list)
        let value = try slot.value.columns(table.type) { (link) throws(StorageError) in
            try self.reachable(link, property)
        }
        let isMoved = slot.element.firstSlot != slot.slot
        let element: [SQLiteValue] =
            isMoved
            ? try columns(of: slot.element.transaction) + [.int(Int(slot.element.ordinal))]
            : [.null, .null, .null]
        try file.run(
            table.insert,
            values: [.int(list.object.number), .int(label)]
                + [.flag(slot.isConfirmed), .flag(slot.isVisible)]
                + (try columns(of: slot.slot.transaction)) + [.int(Int(slot.slot.ordinal))]
                + element + value)
    }

    package func setFlags(
        of slot: SlotID, isConfirmed: Bool, isVisible: Bool, in list: ListID
    ) throws(StorageError) {
        expectWriting()
        let (table, linked) = try listTable(list)
        guard let present = try find(slot, in: list) else { return }
        guard isConfirmed || isVisible else {
            try loosenTarget(of: present.slot, in: linked)
            try file.run(table.delete, .int(present.number))
            return
        }
        try file.run(
            table.setFlags, .int(present.number), .flag(isConfirmed), .flag(isVisible))
    }

    package func resetToConfirmed(_ list: ListID) throws(StorageError) {
        expectWriting()
        let (table, linked) = try listTable(list)
        let owner = SQLiteValue.int(list.object.number)
        if let linked { try loosen(table.unconfirmedNumbers, owner, in: linked) }
        try file.run(table.dropUnconfirmed, owner)
        try file.run(table.showConfirmed, owner)
    }

    func listTable(
        _ list: ListID
    ) throws(StorageError) -> (table: ReplicaListTable, linked: Int?) {
        let replicaClass = try replicaClass(list.object.classNumber)
        _ = try content.schema.property(list.property, in: list.object.classNumber)
        guard let table = replicaClass.lists[list.property] else {
            throw .wrongType(list.property, in: list.object.classNumber)
        }
        return (table, replicaClass.linked[list.property])
    }

    /// The owner and a slot's identity, as statements take them; nil where no slot here is of such
    /// a replica.
    func terms(_ slot: SlotID, in list: ListID) throws(StorageError) -> [SQLiteValue]? {
        guard let replica = try knownNumber(of: slot.transaction.replica) else { return nil }
        return [
            .int(list.object.number), .bits(slot.transaction.sequence), .int(Int(slot.ordinal)),
            .int(replica),
        ]
    }

    private func find(
        _ slot: SlotID, in list: ListID
    ) throws(StorageError) -> (number: Int64, slot: ReplicaSlot)? {
        let (table, linked) = try listTable(list)
        guard let terms = try terms(slot, in: list) else { return nil }
        return try file.statement(table.one).first(terms) { (row) throws(StorageError) in
            try self.slot(row, table, linked)
        }
    }

    private func slot(
        _ row: SQLiteRow, _ table: ReplicaListTable, _ linked: Int?
    ) throws(StorageError) -> (number: Int64, slot: ReplicaSlot) {
        guard let slot = try slotID(row, 1) else { throw row.unexpected(1) }
        let value = try row.value(9, table.type) { (number) throws(StorageError) in
            try self.key(number, in: linked)
        }
        let read = ReplicaSlot(
            slot: slot, element: ElementID(insertedIn: try slotID(row, 4) ?? slot), value: value,
            isConfirmed: try row.flag(7), isVisible: try row.flag(8))
        return (try row.int(0), read)
    }

    private func loosenTarget(of slot: ReplicaSlot, in linked: Int?) throws(StorageError) {
        guard let linked, case .link(let link) = slot.value,
            let target = try row(of: link.key, in: linked)
        else { return }
        content.loosened.insert(target.object)
    }
}
