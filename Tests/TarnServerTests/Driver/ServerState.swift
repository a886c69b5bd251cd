import TarnModel
import TarnProtocol
import TarnQuery
import TarnStorage

/// What a replica of given subscriptions has to hold, worked out from the store by evaluating each
/// query anew and walking its links.
struct ServerState {
    let store: MemoryRealmStore

    func members(
        of request: SubscribeRequest, by user: String
    ) throws -> [ObjectKey: Bool] {
        let query = try Query.parse(request.query)
            .bind(to: store.schema, user: user, arguments: request.arguments)
        var reached: [ObjectID: Bool] = [:]
        var layer = Set(try query.evaluate(in: store))
        for object in layer { reached[object] = true }
        for _ in 0..<request.depth {
            var next: Set<ObjectID> = []
            for object in layer {
                next.formUnion(try targets(of: object))
            }
            for object in next where reached[object] == nil { reached[object] = false }
            layer = next
        }
        var members: [ObjectKey: Bool] = [:]
        for (object, isRoot) in reached {
            members[try key(of: object)] = isRoot
        }
        return members
    }

    func object(_ key: ObjectKey) throws -> ReplicaModel.Object? {
        guard let object = try store.object(key.key, in: key.classNumber),
            let schema = store.schema.schema(number: key.classNumber)
        else { return nil }
        let values = try store.values(of: object)
        var contents: [PropertyContent] = []
        for (number, property) in schema.properties.enumerated() {
            let list = ListID(object: object, property: number)
            switch property.kind {
            case .value: contents.append(.value(values[number]))
            case .list:
                let elements = try store.liveElements(in: list)
                contents.append(
                    .list(
                        elements.map {
                            SlotContent(slot: $0.slot, element: $0.element, value: $0.value)
                        }))
            case .set, .map: contents.append(.entries(try store.entries(in: list)))
            }
        }
        return ReplicaModel.Object(life: try store.life(of: object), contents: contents)
    }

    private func targets(of object: ObjectID) throws -> [ObjectID] {
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

    private func key(of object: ObjectID) throws -> ObjectKey {
        ObjectKey(classNumber: object.classNumber, key: try store.key(of: object))
    }
}
