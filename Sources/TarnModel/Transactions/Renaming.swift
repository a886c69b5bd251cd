/// Other names for transactions of a replica that had to take another id.
///
/// Each step says what becomes of one replica's transactions above a sequence: they are another
/// replica's, numbered anew. A name goes through all of them, since who has moved once may have to
/// move again.
package struct Renaming: Hashable, Sendable {
    package struct Step: Hashable, Sendable {
        package let replica: ReplicaID
        /// Transactions up to this one keep their names.
        package let after: UInt64
        package let successor: ReplicaID
        /// So many transactions of others come before them under that name.
        package let behind: UInt64

        package init(
            of replica: ReplicaID, after: UInt64, to successor: ReplicaID, behind: UInt64 = 0
        ) {
            self.replica = replica
            self.after = after
            self.successor = successor
            self.behind = behind
        }
    }

    package private(set) var steps: [Step]

    package static let none = Renaming(steps: [])

    package mutating func append(_ step: Step) { steps.append(step) }

    package func callAsFunction(_ id: TransactionID) -> TransactionID {
        steps.reduce(id) { id, step in
            guard id.replica == step.replica, id.sequence > step.after else { return id }
            return TransactionID(
                replica: step.successor, sequence: id.sequence - step.after + step.behind)
        }
    }

    package func callAsFunction(_ slot: SlotID) -> SlotID {
        SlotID(transaction: self(slot.transaction), ordinal: slot.ordinal)
    }

    package func callAsFunction(_ element: ElementID) -> ElementID {
        ElementID(transaction: self(element.transaction), ordinal: element.ordinal)
    }

    package func callAsFunction(_ name: ObjectName) -> ObjectName {
        ObjectName(name.className, name.key, life: self(name.life))
    }

    private func callAsFunction(_ place: ListPlace) -> ListPlace {
        ListPlace(after: place.after.map { self($0) }, before: place.before.map { self($0) })
    }

    package func callAsFunction(_ value: Value) -> Value {
        guard case .link(let link) = value, let life = link.life else { return value }
        return .link(Link(key: link.key, life: self(life)))
    }

    package func callAsFunction(_ change: Change) -> Change {
        switch change {
        case .addClass: change
        case .create(let className, let key, let values):
            .create(
                className: className, key: key,
                values: values.map {
                    InitialValue($0.property, self($0.value), isDefault: $0.isDefault)
                })
        case .set(let name, let property, let value):
            .set(self(name), property: property, value: self(value))
        case .delete(let name): .delete(self(name))
        case .insert(let name, let property, let slot, let place, let value):
            .insert(
                self(name), property: property, slot: self(slot), place: self(place),
                value: self(value))
        case .move(let name, let property, let element, let slot, let place):
            .move(
                self(name), property: property, element: self(element), slot: self(slot),
                place: self(place))
        case .remove(let name, let property, let element):
            .remove(self(name), property: property, element: self(element))
        case .increment(let name, let property, let amount):
            .increment(self(name), property: property, by: amount)
        case .setEntry(let name, let property, let entry, let value):
            .setEntry(self(name), property: property, entry: self(entry), value: self(value))
        case .removeEntry(let name, let property, let entry):
            .removeEntry(self(name), property: property, entry: self(entry))
        case .deleteOwned(let name): .deleteOwned(self(name))
        }
    }

    /// The transaction under its other name, with all that it names; its base stays.
    package func callAsFunction(_ transaction: Transaction) -> Transaction {
        Transaction(
            id: self(transaction.id), base: transaction.base,
            changes: transaction.changes.map { self($0) })
    }
}
