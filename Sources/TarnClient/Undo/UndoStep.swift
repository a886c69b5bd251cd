import TarnModel
import TarnStorage

/// What one change did, as far as it takes to set it back. Objects and properties go by their
/// names, as in everything that is stored.
enum UndoStep: Equatable {
    /// - `after`: what the object was when the transaction was complete.
    case created(ObjectReference, after: UndoPicture)
    case deleted(ObjectReference, before: UndoPicture, places: [HeldPlace])
    case set(ObjectReference, property: String, before: Value, after: Value)
    case added(ObjectReference, property: String, amount: Int64)
    case inserted(ObjectReference, property: String, ElementID)
    /// From an index to a slot.
    case moved(ObjectReference, property: String, ElementID, from: Int, to: SlotID)
    case removed(ObjectReference, property: String, UndoElement, at: Int)
    /// Nil where nothing stood under it.
    case entry(ObjectReference, property: String, Value, before: Value?, after: Value?)

    var object: ObjectReference {
        switch self {
        case .created(let object, _), .deleted(let object, _, _), .set(let object, _, _, _),
            .added(let object, _, _), .inserted(let object, _, _), .moved(let object, _, _, _, _),
            .removed(let object, _, _, _), .entry(let object, _, _, _, _):
            object
        }
    }
}

/// All that an object holds, by the names of its properties.
struct UndoPicture: Equatable {
    var values: [String: Value] = [:]
    var lists: [String: [UndoElement]] = [:]
    var entries: [String: [Entry]] = [:]

    init() {}

    init(of object: ObjectID, in reader: ReplicaReader) throws(ReplicaError) {
        for property in try reader.classSchema(of: object).properties {
            switch property.kind {
            case .value: values[property.name] = try reader.value(property.name, of: object)
            case .list:
                lists[property.name] = try reader.slots(property.name, of: object).map {
                    UndoElement(element: $0.element, value: $0.value)
                }
            case .set, .map:
                entries[property.name] = try reader.entries(property.name, of: object)
            }
        }
    }
}

/// An element of a list. One that is put back is another element, under which what else was done to
/// the first is set back.
struct UndoElement: Equatable {
    let element: ElementID
    let value: Value
}

/// Where another object led to one that is deleted: a cell, an element of a list, or an entry.
struct HeldPlace: Equatable {
    let holder: ObjectReference
    let property: String
    let element: PlacedElement?
    let entry: Entry?

    struct PlacedElement: Equatable {
        let element: ElementID
        let index: Int
    }
}
