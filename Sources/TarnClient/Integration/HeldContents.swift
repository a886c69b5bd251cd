import TarnModel
import TarnProtocol
import TarnStorage

/// What a replica holds as the server's, as a digest takes it in: without pending work.
extension ReplicaStore {
    func heldName(of object: ObjectID) throws(StorageError) -> HeldName {
        guard let row = try row(of: object),
            let schema = schema.schema(number: object.classNumber)
        else { throw Self.isNotThere(object) }
        return HeldName(className: schema.name, key: row.key)
    }

    func heldObject(_ object: ObjectID, isRoot: Bool) throws(StorageError) -> HeldObject {
        guard let row = try row(of: object),
            let schema = schema.schema(number: object.classNumber)
        else { throw Self.isNotThere(object) }
        let shadow = try shadow(of: object)
        let life = shadow != nil ? shadow?.life : row.life
        guard let life else { throw Self.isNotThere(object) }
        let values = try values(of: object)
        var held = HeldObject(
            name: HeldName(className: schema.name, key: row.key), life: life, isRoot: isRoot)
        for (number, property) in schema.properties.enumerated() {
            let list = ListID(object: object, property: number)
            switch property.kind {
            case .value:
                let value =
                    shadow?.value(of: number, property, isConfirmed: row.isConfirmed)
                    ?? values[number]
                held.set(.value(value), of: property)
            case .list:
                let slots = try slots(in: list).filter(\.isConfirmed).map {
                    SlotContent(slot: $0.slot, element: $0.element, value: $0.value)
                }
                held.set(.list(slots), of: property)
            case .set, .map:
                let entries = try entries(in: list).compactMap { entry in
                    entry.confirmed.map { Entry(entry: entry.entry, value: $0) }
                }
                held.set(.entries(entries), of: property)
            }
        }
        return held
    }

    private static func isNotThere(_ object: ObjectID) -> StorageError {
        StorageError(
            .corrupt, while: "reading what a subscription holds", cause: "\(object) is not there")
    }
}
