import TarnClient
import TarnModel
import TarnQuery
import TarnStorage

/// What a replica holds as the server's, and what its user sees of it, by names.
struct ReplicaPicture {
    /// As the server last said it.
    private(set) var confirmed: [PlainName: ObjectPicture] = [:]
    private(set) var visible: [PlainName: ObjectPicture] = [:]
    private(set) var shadows: [PlainName] = []
    let resumePoint: ResumePoint
    let subscriptions: [StoredSubscription]
    /// By subscription.
    private(set) var members: [Int64: Set<PlainName>] = [:]
    private(set) var roots: [Int64: Set<PlainName>] = [:]

    /// Inside a transaction.
    init(of store: MemoryReplicaStore) throws {
        resumePoint = try store.resumePoint()
        subscriptions = try store.subscriptions()
        for subscription in subscriptions {
            let number = subscription.number
            let held = try store.members(of: number)
            members[number] = Set(try held.map { try Self.name(of: $0, in: store) })
            roots[number] = Set(
                try store.roots(of: number).map { try Self.name(of: $0, in: store) })
            for object in held { try add(object, in: store) }
        }
        for number in store.schema.classes.indices {
            for object in try store.objects(in: number) { try add(object, in: store) }
        }
    }

    private static func name(of object: ObjectID, in store: MemoryReplicaStore) throws -> PlainName
    {
        PlainName(
            className: store.schema.classes[object.classNumber].name, key: try store.key(of: object)
        )
    }

    private mutating func add(_ object: ObjectID, in store: MemoryReplicaStore) throws {
        let name = try Self.name(of: object, in: store)
        guard confirmed[name] == nil, visible[name] == nil,
            let row = try store.row(of: object)
        else { return }
        let shadow = try store.shadow(of: object)
        if shadow != nil { shadows.append(name) }
        let values = try store.values(of: object)
        var (server, user) = (ObjectPicture(), ObjectPicture())
        server.life = shadow != nil ? shadow?.life : row.life
        user.life = row.life
        let schema = store.schema.classes[object.classNumber]
        for (number, property) in schema.properties.enumerated() {
            let list = ListID(object: object, property: number)
            if property.hasEntries {
                let entries = try store.entries(in: list)
                user.entries[property.name] = entries.compactMap { entry in
                    entry.visible.map { Entry(entry: entry.entry, value: $0) }
                }
                server.entries[property.name] = entries.compactMap { entry in
                    entry.confirmed.map { Entry(entry: entry.entry, value: $0) }
                }
                continue
            }
            guard property.isList else {
                user.values[property.name] = values[number]
                let kept = shadow.map { shadow in
                    shadow.values.indices.contains(number)
                        ? shadow.values[number] : property.initialValue
                }
                server.values[property.name] = kept ?? values[number]
                continue
            }
            let slots = try store.slots(in: list)
            user.lists[property.name] = slots.filter(\.isVisible).map(\.picture)
            server.lists[property.name] = slots.filter(\.isConfirmed).map(\.picture)
        }
        if row.isConfirmed { confirmed[name] = server }
        if row.isVisible { visible[name] = user }
    }
}

extension ReplicaSlot {
    fileprivate var picture: ObjectPicture.Element {
        .init(slot: slot, element: element, value: value)
    }
}
