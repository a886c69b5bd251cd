import TarnModel
import TarnProtocol
import TarnTesting

/// Writes what a replica might write: about what it has been sent, and what it has made itself.
struct RandomWriter {
    var random: SeededGenerator
    /// Objects that the replica has made, by their last life.
    var made: [ObjectKey: TransactionID] = [:]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func write(_ client: Client) {
        let id = client.nextID
        var slots: UInt32 = 0
        var changes: [Change] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            if chance(30) {
                changes += teamChanges(id, &slots, client.model)
            } else if let change = change(id, &slots, client.model) {
                changes.append(change)
            }
        }
        client.write(changes)
    }

    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    private mutating func key(in classNumber: Int) -> PrimaryKey {
        let number = Int.random(in: 0..<(classNumber == 0 ? 4 : 9), using: &random)
        return .string(Text(classNumber == 0 ? "p\(number)" : "i\(number)"))
    }

    /// An object that the replica knows of.
    mutating func name(in classNumber: Int, _ model: ReplicaModel) -> ObjectName? {
        let className = ["Project", "Item", "Badge", "Team"][classNumber]
        let known = model.objects.filter { $0.key.classNumber == classNumber }
            .map { ($0.key.key, $0.value.life) }
        let own = made.filter { $0.key.classNumber == classNumber }.map { ($0.key.key, $0.value) }
        let all = (known + own).sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        return all.randomElement(using: &random).map { ObjectName(className, $0.0, life: $0.1) }
    }

    mutating func link(to classNumber: Int, _ model: ReplicaModel) -> Value {
        guard chance(80), let name = name(in: classNumber, model) else { return .null }
        return .link(Link(key: name.key, life: name.life))
    }

    private mutating func change(
        _ id: TransactionID, _ slots: inout UInt32, _ model: ReplicaModel
    ) -> Change? {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<12: return create(0, id, model)
        case 12..<30: return create(1, id, model)
        case 30..<55: return set(model)
        case 55..<63: return name(in: chance(25) ? 0 : 1, model).map { .delete($0) }
        case 63..<82: return insert(id, &slots, model)
        case 82..<92: return move(id, &slots, model)
        default: return remove(model)
        }
    }

    private mutating func create(
        _ classNumber: Int, _ id: TransactionID, _ model: ReplicaModel
    ) -> Change {
        let key = key(in: classNumber)
        made[ObjectKey(classNumber: classNumber, key: key)] = id
        let isDefault = chance(30)
        if classNumber == 0 {
            return .create(
                className: "Project", key: key,
                values: [
                    InitialValue("owner", .string(chance(50) ? "alice" : "bob")),
                    InitialValue("favourite", link(to: 1, model), isDefault: isDefault),
                ])
        }
        return .create(
            className: "Item", key: key,
            values: [
                InitialValue("body", .string("b\(id.sequence)"), isDefault: isDefault),
                InitialValue("next", link(to: 1, model)),
            ])
    }

    private mutating func set(_ model: ReplicaModel) -> Change? {
        guard chance(70) else {
            guard let project = name(in: 0, model) else { return nil }
            let number = Int64.random(in: 0..<5, using: &random)
            return switch Int.random(in: 0..<4, using: &random) {
            case 0: .set(project, property: "favourite", value: link(to: 1, model))
            case 1: .set(project, property: "parent", value: link(to: 0, model))
            case 2: .set(project, property: "rank", value: .int(number))
            default: .set(project, property: "owner", value: .string(chance(50) ? "alice" : "x"))
            }
        }
        guard let item = name(in: 1, model) else { return nil }
        let number = Int64.random(in: 0..<5, using: &random)
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: .set(item, property: "body", value: .string("t\(number)"))
        case 1: .set(item, property: "isDone", value: .bool(chance(50)))
        case 2: .set(item, property: "priority", value: chance(20) ? .null : .int(number))
        case 3: .set(item, property: "next", value: link(to: 1, model))
        default: .set(item, property: "project", value: link(to: 0, model))
        }
    }

    /// A list that the replica knows of, with what it has of it.
    private mutating func list(_ model: ReplicaModel) -> (ObjectName, String, [SlotContent])? {
        let isItems = chance(75)
        guard let owner = name(in: isItems ? 0 : 1, model) else { return nil }
        let key = ObjectKey(classNumber: isItems ? 0 : 1, key: owner.key)
        var slots: [SlotContent] = []
        if let object = model.objects[key],
            case .list(let content) = object.contents[isItems ? 2 : 5]
        {
            slots = content
        }
        return (owner, isItems ? "items" : "tags", slots)
    }

    private mutating func place(in slots: [SlotContent]) -> ListPlace {
        let index = Int.random(in: 0...slots.count, using: &random)
        return ListPlace(
            after: index == 0 ? nil : slots[index - 1].slot,
            before: index == slots.count ? nil : slots[index].slot)
    }

    private mutating func insert(
        _ id: TransactionID, _ slots: inout UInt32, _ model: ReplicaModel
    ) -> Change? {
        guard let (owner, property, content) = list(model) else { return nil }
        var value = Value.string("tag\(id.sequence)")
        if property == "items" {
            guard let item = name(in: 1, model) else { return nil }
            value = .link(Link(key: item.key, life: item.life))
        }
        defer { slots += 1 }
        return .insert(
            owner, property: property, slot: id.slot(slots), place: place(in: content),
            value: value)
    }

    private mutating func move(
        _ id: TransactionID, _ slots: inout UInt32, _ model: ReplicaModel
    ) -> Change? {
        guard let (owner, property, content) = list(model),
            let element = content.randomElement(using: &random)?.element
        else { return nil }
        defer { slots += 1 }
        return .move(
            owner, property: property, element: element, slot: id.slot(slots),
            place: place(in: content))
    }

    private mutating func remove(_ model: ReplicaModel) -> Change? {
        guard let (owner, property, content) = list(model),
            let element = content.randomElement(using: &random)?.element
        else { return nil }
        return .remove(owner, property: property, element: element)
    }
}
