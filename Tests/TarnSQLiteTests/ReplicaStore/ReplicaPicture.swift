import TarnModel
import TarnQuery
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

/// All that a replica answers about some keys.
struct ReplicaPicture: Equatable {
    struct Object: Equatable {
        let row: ReplicaRow
        let values: [Value]
        let shadow: Shadow?
        let holders: [Holder]
        let touches: [UInt64]
        let isMember: Bool
        let slots: [[ReplicaSlot]]
        let entries: [[ReplicaEntry]]
        let elements: [[Value]]
        let targets: [[ObjectID]]
        let referrers: [[ObjectID]]
    }

    let schema: Schema
    let objects: [Object?]
    let visible: [[ObjectID]]
    let found: [ObjectID]
    let pending: [OutboxEntry]
    let touched: [[ObjectID]]
    let subscriptions: [StoredSubscription]
    let members: [[ObjectID]]
    let lastNote: Int64
    let changes: [[ObjectID]?]

    init(_ store: any ReplicaStore, keys: [[PrimaryKey]]) throws {
        schema = store.schema
        objects = try keys.enumerated().flatMap { classNumber, keys in
            try keys.map { try Self.object($0, in: classNumber, store) }
        }
        visible = try keys.indices.map { try store.objects(in: $0) }
        let text = "Task WHERE project.name != \"a\" SORT(title ASC, id DESC)"
        let query = try? Query.parse(text).bind(to: store.schema, user: "u")
        found = try query.map { try store.evaluate($0) } ?? []
        pending = try store.pending(after: 0, limit: 100)
        touched = try (1...8).map { try store.objects(touchedBy: $0) }
        subscriptions = try store.subscriptions()
        members = try (1...5).flatMap {
            [try store.members(of: $0), try store.roots(of: $0)]
        }
        lastNote = try store.lastNote()
        changes = try (0...20).map { try store.changes(after: $0) }
    }

    private static func object(
        _ key: PrimaryKey, in classNumber: Int, _ store: any ReplicaStore
    ) throws -> Object? {
        guard let row = try store.row(of: key, in: classNumber) else { return nil }
        let object = row.object
        let properties = store.schema.classes[classNumber].properties.enumerated()
        let lists = properties.filter { $1.isList }.map(\.offset)
        let entries = properties.filter { $1.hasEntries }.map(\.offset)
        let links = properties.filter { $1.type.isLink && $1.isCell }.map(\.offset)
        return Object(
            row: row, values: try store.values(of: object), shadow: try store.shadow(of: object),
            holders: try store.holders(of: object),
            touches: try store.sequences(touching: object),
            isMember: try store.isMember(object),
            slots: try lists.map { try store.slots(in: ListID(object: object, property: $0)) },
            entries: try entries.map {
                try store.entries(in: ListID(object: object, property: $0))
            },
            elements: try (lists + entries).map { try store.elements($0, of: object) },
            targets: try (lists + entries).filter { properties.map(\.element)[$0].type.isLink }.map
            {
                try store.targets($0, of: object)
            } + links.map { [try store.target($0, of: object)].compactMap { $0 } },
            referrers: try store.schema.classes.enumerated().flatMap { holding, schema in
                try schema.properties.indices.map {
                    try store.referrers(of: object, through: $0, in: holding)
                }
            })
    }
}
