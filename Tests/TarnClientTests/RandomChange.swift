import TarnClient
import TarnModel
import TarnTesting

/// Something that a person might do to an object, or to a key that has none.
enum RandomChange {
    static func make(
        _ ref: Ref, _ transaction: inout WriteTransaction, _ projects: [String], _ tasks: [Int64],
        _ random: inout SeededGenerator
    ) throws {
        let number = Int64.random(in: 0..<100, using: &random)
        guard let object = try transaction.reader.find(ref.className, ref.key) else {
            let isTask = ref.className == "Task"
            let value =
                isTask
                ? InitialValue("title", .string("t\(number)"), isDefault: number.isMultiple(of: 3))
                : InitialValue("colour", .int(number))
            _ = try transaction.create(ref.className, ref.key, [value])
            return
        }
        let task = Value.link(Link(key: .int(tasks.randomElement(using: &random)!), life: nil))
        let dice = Int.random(in: 0..<13, using: &random)
        if dice == 0 { return try transaction.delete(object) }
        if ref.className == "Task" {
            if dice > 8 { return try changeEntries(of: object, task, &transaction, &random) }
            let project = projects.randomElement(using: &random)!
            switch dice {
            case 1, 2: try transaction.set("title", of: object, to: .string("t\(number)"))
            case 3, 4:
                let link = Value.link(Link(key: .string(Text(project)), life: nil))
                try transaction.set("project", of: object, to: link)
            default:
                try changeList("labels", of: object, .string("l\(number)"), &transaction, &random)
            }
        } else {
            switch dice {
            case 1: try transaction.set("colour", of: object, to: .int(number))
            case 2, 3: try transaction.set("lead", of: object, to: task)
            default: try changeList("tasks", of: object, task, &transaction, &random)
            }
        }
    }

    private static func changeEntries(
        of object: ObjectID, _ task: Value, _ transaction: inout WriteTransaction,
        _ random: inout SeededGenerator
    ) throws {
        let word = ["red", "green", "blue"].randomElement(using: &random)!
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            try transaction.increment("count", of: object, by: .random(in: -3...3, using: &random))
        case 1: try transaction.set("count", of: object, to: .int(7))
        case 2: try transaction.insert(member: .string(word), into: "tags", of: object)
        case 3: try transaction.remove(member: .string(word), from: "tags", of: object)
        case 4: try transaction.insert(member: task, into: "near", of: object)
        case 5: try transaction.set(task, under: word, in: "roles", of: object)
        case 6: try transaction.remove(key: word, from: "roles", of: object)
        default: try transaction.clear("near", of: object)
        }
    }

    private static func changeList(
        _ property: String, of object: ObjectID, _ value: Value,
        _ transaction: inout WriteTransaction, _ random: inout SeededGenerator
    ) throws {
        let count = try transaction.reader.elements(property, of: object).count
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where count > 0:
            try transaction.remove(
                at: Int.random(in: 0..<count, using: &random), in: property, of: object)
        case 1 where count > 1:
            try transaction.move(
                from: Int.random(in: 0..<count, using: &random),
                to: Int.random(in: 0..<count, using: &random), in: property, of: object)
        case 2: try transaction.append(value, to: property, of: object)
        default:
            try transaction.insert(
                value, at: Int.random(in: 0...count, using: &random), in: property, of: object)
        }
    }
}
