import TarnModel

/// An object as changes name it, whichever life is meant.
struct ObjectReference: Hashable {
    let className: String
    let key: PrimaryKey
}

/// A transaction of the outbox, and where in it each object is named.
struct PendingTransaction {
    let transaction: Transaction
    /// Places among the changes, ascending.
    private(set) var places: [ObjectReference: [Int]] = [:]
    /// Of the deletes alone.
    private(set) var deletes: [ObjectReference: [Int]] = [:]

    init(_ transaction: Transaction) {
        self.transaction = transaction
        for (place, change) in transaction.changes.enumerated() {
            guard let object = change.object else { continue }
            places[object, default: []].append(place)
            if change.isDelete { deletes[object, default: []].append(place) }
        }
    }
}

extension Change {
    /// The object that is changed; nil for a class.
    var object: ObjectReference? {
        switch self {
        case .addClass: nil
        case .create(let className, let key, _): ObjectReference(className: className, key: key)
        case .set(let name, _, _), .delete(let name), .insert(let name, _, _, _, _),
            .move(let name, _, _, _, _), .remove(let name, _, _), .increment(let name, _, _),
            .setEntry(let name, _, _, _), .removeEntry(let name, _, _), .deleteOwned(let name):
            ObjectReference(className: name.className, key: name.key)
        }
    }

    /// Whether it deletes an object, as far as this replica can tell.
    var isDelete: Bool {
        switch self {
        case .delete, .deleteOwned: true
        default: false
        }
    }

    /// The property and value by which the change may make its object a holder.
    var link: (property: String, key: PrimaryKey)? {
        switch self {
        case .set(_, let property, .link(let link)),
            .insert(_, let property, _, _, .link(let link)),
            .setEntry(_, let property, .link(let link), _),
            .setEntry(_, let property, _, .link(let link)):
            (property, link.key)
        default: nil
        }
    }
}
