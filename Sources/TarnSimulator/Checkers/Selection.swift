import TarnModel
import TarnQuery
import TarnStorage

/// What a query selects of a realm's state, and what links lead to from there: found without any
/// memory, to hold against what the engines keep.
struct Selection {
    let roots: [PlainName]
    let members: Set<PlainName>
    /// Whether the replica has what the query sorts by: all paths end within the depth.
    let isSortable: Bool

    /// Nil where the query makes no sense in that state.
    init?(
        of subscription: StoredSubscription, by user: String, in store: MemoryRealmStore
    ) throws {
        guard
            let query = try? Query.parse(subscription.query).bind(
                to: store.schema, user: user, arguments: subscription.arguments)
        else { return nil }
        let found = try store.evaluate(query)
        isSortable = query.sort.allSatisfy { $0.path.links.count <= subscription.depth }
        var reached = Set(found)
        var edge = found
        for _ in 0..<subscription.depth {
            var next: [ObjectID] = []
            for object in edge {
                for target in try Self.targets(of: object, in: store)
                where reached.insert(target).inserted { next.append(target) }
            }
            edge = next
        }
        roots = try found.map { try Self.name(of: $0, in: store) }
        members = Set(try reached.map { try Self.name(of: $0, in: store) })
    }

    private static func targets(
        of object: ObjectID, in store: MemoryRealmStore
    ) throws -> [ObjectID] {
        var targets: [ObjectID] = []
        let properties = store.schema.classes[object.classNumber].properties
        for (number, property) in properties.enumerated() where property.type.isLink {
            if !property.isCell {
                targets += try store.targets(number, of: object)
            } else if let target = try store.target(number, of: object) {
                targets.append(target)
            }
        }
        return targets
    }

    private static func name(of object: ObjectID, in store: MemoryRealmStore) throws -> PlainName {
        PlainName(
            className: store.schema.classes[object.classNumber].name, key: try store.key(of: object)
        )
    }
}
