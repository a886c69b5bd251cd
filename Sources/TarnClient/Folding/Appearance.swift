import TarnModel
import TarnStorage

/// An object as the user sees it, to tell whether something changed.
struct Appearance: Equatable {
    private let values: [Value]
    private let lists: [[Element]]
    private let entries: [[ReplicaEntry]]

    private struct Element: Equatable {
        let element: ElementID
        let value: Value
    }

    /// Nil where the user sees no object.
    init?(of object: ObjectID, in store: any ReplicaStore) throws(StorageError) {
        guard let row = try store.row(of: object), row.isVisible,
            let schema = store.schema.schema(number: object.classNumber)
        else { return nil }
        values = try store.values(of: object)
        var lists: [[Element]] = []
        var entries: [[ReplicaEntry]] = []
        for (number, property) in schema.properties.enumerated() where !property.isCell {
            let collection = ListID(object: object, property: number)
            guard property.isList else {
                entries.append(
                    try store.entries(in: collection).compactMap { entry in
                        entry.visible.map {
                            ReplicaEntry(entry: entry.entry, confirmed: nil, visible: $0)
                        }
                    })
                continue
            }
            let slots = try store.slots(in: collection)
            lists.append(
                slots.filter(\.isVisible).map { Element(element: $0.element, value: $0.value) })
        }
        self.lists = lists
        self.entries = entries
    }
}
