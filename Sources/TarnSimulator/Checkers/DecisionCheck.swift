import TarnModel
import TarnStorage

/// That nothing is lost in silence: what an accepted transaction says is so right after it, or its
/// receipt says what is not.
struct DecisionCheck {
    let record: LogRecord
    let transaction: Transaction
    let after: MemoryRealmStore

    private struct Cell: Hashable {
        let object: PlainName
        let property: String
    }

    func run() throws {
        guard record.outcome.isApplied else {
            guard record.effects.isEmpty else {
                throw Violation(.atomicity, "the refused \(transaction.id) did something")
            }
            return
        }
        var wanted: [Cell: Value] = [:]
        var deleted: Set<PlainName> = []
        for change in transaction.changes {
            switch change {
            case .create(let className, let key, let values):
                let name = PlainName(className: className, key: key)
                for value in values where !value.isDefault {
                    wanted[Cell(object: name, property: value.property)] = value.value
                }
            case .set(let name, let property, let value):
                wanted[Cell(object: PlainName(name), property: property)] = value
            case .delete(let name), .deleteOwned(let name): deleted.insert(PlainName(name))
            case .increment(let name, let property, _):
                // What is set before it in the same transaction is another number by now.
                wanted[Cell(object: PlainName(name), property: property)] = nil
            case .addClass, .insert, .move, .remove, .setEntry, .removeEntry: break
            }
        }
        // What it deletes takes with it what it owns, also where the author has not seen that.
        if !deleted.isEmpty {
            for case .delete(let className, let key) in record.effects {
                deleted.insert(PlainName(className: className, key: key))
            }
        }
        for (cell, value) in wanted.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            guard !deleted.contains(cell.object), !isOverridden(cell) else { continue }
            try check(cell, value, deleted)
        }
        for change in transaction.changes {
            guard case .insert(let name, let property, let slot, _, let value) = change else {
                continue
            }
            let cell = Cell(object: PlainName(name), property: property)
            guard !deleted.contains(cell.object), !isOverridden(cell),
                !leads(value, of: cell, to: deleted), !isTakenOut(slot)
            else { continue }
            try check(slot, value, in: cell)
        }
    }

    private func check(_ cell: Cell, _ value: Value, _ deleted: Set<PlainName>) throws {
        guard let place = try place(of: cell) else {
            throw Violation(
                .receipts, "\(transaction.id) set \(cell), which is not there, and nobody is told",
                "\(record.outcome)")
        }
        let found = try after.value(place.property, of: place.object)
        if case .link = value, leads(value, of: cell, to: deleted) { return }
        guard found == value.withoutLife || isSet(cell, to: found) else {
            throw Violation(
                .receipts, "\(transaction.id) set \(cell), and nobody is told that it is not so",
                "set: \(value)", "is: \(found)")
        }
    }

    /// Whether the decision says so itself: to an int that is set, what others have added since is
    /// added.
    private func isSet(_ cell: Cell, to value: Value) -> Bool {
        guard case .int = value else { return false }
        return record.effects.contains { effect in
            guard case .set(let className, let key, cell.property, value, _) = effect else {
                return false
            }
            return className == cell.object.className && key == cell.object.key
        }
    }

    private func check(_ slot: SlotID, _ value: Value, in cell: Cell) throws {
        var found: ListElement?
        if let place = try place(of: cell) {
            let list = ListID(object: place.object, property: place.property)
            found = try after.element(ElementID(insertedIn: slot), in: list)
        }
        guard found?.value == value.withoutLife else {
            throw Violation(
                .receipts,
                "\(transaction.id) inserted into \(cell), and nobody is told that it "
                    + "is not so", "inserted: \(value)", "is: \(found.map { "\($0)" } ?? "gone")")
        }
    }

    private func place(of cell: Cell) throws -> (object: ObjectID, property: Int)? {
        guard let number = after.schema.number(of: cell.object.className),
            let property = after.schema.schema(number: number)?.number(of: cell.property),
            let object = try after.object(cell.object.key, in: number)
        else { return nil }
        return (object, property)
    }

    private func isOverridden(_ cell: Cell) -> Bool {
        guard case .overridden(let overrides) = record.outcome else { return false }
        return overrides.contains { override in
            override.className == cell.object.className && override.key == cell.object.key
                && (override.property == nil || override.property == cell.property)
        }
    }

    private func leads(_ value: Value, of cell: Cell, to deleted: Set<PlainName>) -> Bool {
        guard case .link(let link) = value,
            let schema = after.schema[cell.object.className]?.property(cell.property),
            let className = schema.type.linkedClass
        else { return false }
        return deleted.contains(PlainName(className: className, key: link.key))
    }

    private func isTakenOut(_ slot: SlotID) -> Bool {
        let inserted = ElementID(insertedIn: slot)
        return transaction.changes.contains { change in
            if case .remove(_, _, let element) = change { element == inserted } else { false }
        }
    }
}

extension PlainName {
    init(_ name: ObjectName) { self.init(className: name.className, key: name.key) }
}
