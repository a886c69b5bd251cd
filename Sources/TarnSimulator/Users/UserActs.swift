import TarnClient
import TarnModel

/// What a user does to a replica, by the dice.
struct UserActs {
    let dice: Dice
    let user: String
    /// Whether the program is one that does not know all classes and properties.
    let isOld: Bool

    /// What ends a write on purpose.
    struct ChangeOfMind: Error {}

    /// One transaction's worth.
    func write(_ transaction: inout WriteTransaction) throws {
        if transaction.reader.schema["Sample"] == nil {
            for schema in SimulatedSchema.all { try transaction.addClass(schema) }
        }
        if !isOld, transaction.reader.schema["Plan"] == nil, dice.once(in: 4) {
            for schema in SimulatedSchema.newer { try transaction.addClass(schema) }
        }
        if !isOld, dice.once(in: 150) { try transaction.addClass(SimulatedSchema.laterItem) }
        for _ in 0..<(dice.once(in: 3) ? dice.roll(2...6) : 1) { try act(&transaction) }
    }

    static func put(_ mark: Int64, in transaction: inout WriteTransaction) throws {
        if transaction.reader.schema[Mark.schema.name] == nil {
            try transaction.addClass(Mark.schema)
        }
        _ = try transaction.create(Mark.schema.name, .int(mark), [])
    }

    private func act(_ transaction: inout WriteTransaction) throws {
        switch dice.roll(0...29) {
        case 0, 1: try createProject(&transaction)
        case 2: try rename(&transaction)
        case 3, 4, 5, 6: try addItem(&transaction)
        case 7, 8: try edit(&transaction)
        case 9, 10: try moveWithin(&transaction)
        case 11: try moveAcross(&transaction)
        case 12: try removeElement(&transaction)
        case 13: try deleteOne("Item", &transaction)
        case 14: try dice.once(in: 3) ? deleteOne("Project", &transaction) : lead(&transaction)
        case 15: if dice.once(in: 4) { try deleteWithItems(&transaction) }
        case 16, 17: try createSample(&transaction)
        case 20...29 where !isOld && transaction.reader.schema["Plan"] != nil:
            try changePlan(&transaction)
        case 20...23: try addItem(&transaction)
        default: try changeSample(&transaction)
        }
    }

    func any(_ className: String, in transaction: WriteTransaction) throws -> ObjectID? {
        guard transaction.reader.schema[className] != nil else { return nil }
        return dice.pick(try transaction.reader.all(className))
    }

    var word: String {
        if dice.once(in: 400) {
            return String(repeating: "long ", count: dice.roll(10_000...30_000))
        }
        return dice.pick(["", "apple", "Banana", "citron", "é", "e\u{301}", "\u{1F600}"]) ?? ""
    }

    // MARK: Projects and items

    private func createProject(_ transaction: inout WriteTransaction) throws {
        // Few keys, so that others make the same, and that deleted ones come again.
        let key = PrimaryKey.string(Text("p\(dice.roll(0...7))"))
        guard try transaction.reader.find("Project", key) == nil else { return }
        _ = try transaction.create(
            "Project", key,
            [
                InitialValue("name", .string(word), isDefault: dice.once(in: 3)),
                InitialValue("owner", .string(dice.once(in: 4) ? "somebody" : user)),
            ])
    }

    private func rename(_ transaction: inout WriteTransaction) throws {
        guard let project = try any("Project", in: transaction) else { return }
        try transaction.set("name", of: project, to: .string(word))
    }

    private func addItem(_ transaction: inout WriteTransaction) throws {
        let key = PrimaryKey.int(Int64(dice.roll(0...40)))
        guard try transaction.reader.find("Item", key) == nil else { return }
        let project = try any("Project", in: transaction)
        var values = [
            InitialValue("body", .string(word)),
            InitialValue("rank", .int(Int64(dice.roll(0...9)))),
        ]
        if let project {
            values.append(InitialValue("project", try transaction.link(to: project)))
        }
        let item = try transaction.create("Item", key, values)
        guard let project else { return }
        let count = try transaction.reader.elements("items", of: project).count
        let link = try transaction.link(to: item)
        if dice.once(in: 3) {
            try transaction.insert(link, at: dice.roll(0...count), in: "items", of: project)
        } else {
            try transaction.append(link, to: "items", of: project)
        }
    }

    private func edit(_ transaction: inout WriteTransaction) throws {
        guard let item = try any("Item", in: transaction) else { return }
        switch dice.roll(0...3) {
        case 0: try transaction.set("body", of: item, to: .string(word))
        case 1: try transaction.set("rank", of: item, to: .int(Int64(dice.roll(0...9))))
        case 2:
            guard transaction.reader.schema["Item"]?.property("isLate") != nil else { return }
            try transaction.set("isLate", of: item, to: .bool(dice.once(in: 2)))
        default: try transaction.set("isDone", of: item, to: .bool(dice.once(in: 2)))
        }
    }

    private func moveWithin(_ transaction: inout WriteTransaction) throws {
        guard let project = try any("Project", in: transaction) else { return }
        let count = try transaction.reader.elements("items", of: project).count
        guard count > 1 else { return }
        try transaction.move(
            from: dice.roll(0...(count - 1)), to: dice.roll(0...(count - 1)), in: "items",
            of: project)
    }

    private func moveAcross(_ transaction: inout WriteTransaction) throws {
        guard let from = try any("Project", in: transaction),
            let to = try any("Project", in: transaction)
        else { return }
        let elements = try transaction.reader.elements("items", of: from)
        guard let index = elements.indices.randomElement(using: dice),
            case .link(let link) = elements[index],
            let item = try transaction.reader.find("Item", link.key)
        else { return }
        try transaction.remove(at: index, in: "items", of: from)
        try transaction.append(try transaction.link(to: item), to: "items", of: to)
        try transaction.set("project", of: item, to: try transaction.link(to: to))
    }

    private func removeElement(_ transaction: inout WriteTransaction) throws {
        guard let project = try any("Project", in: transaction) else { return }
        if dice.once(in: 6) { return try transaction.clear("items", of: project) }
        let elements = try transaction.reader.elements("items", of: project)
        guard let index = elements.indices.randomElement(using: dice) else { return }
        try transaction.remove(at: index, in: "items", of: project)
    }

    private func lead(_ transaction: inout WriteTransaction) throws {
        guard let project = try any("Project", in: transaction) else { return }
        var value = Value.null
        if !dice.once(in: 4), let item = try any("Item", in: transaction) {
            value = try transaction.link(to: item)
        }
        try transaction.set("lead", of: project, to: value)
    }

    private func deleteOne(_ className: String, _ transaction: inout WriteTransaction) throws {
        guard let object = try any(className, in: transaction) else { return }
        let key = try transaction.reader.key(of: object)
        try transaction.delete(object)
        // The same key once more, as another life.
        guard dice.once(in: 4) else { return }
        _ = try transaction.create(className, key, [])
    }

    private func deleteWithItems(_ transaction: inout WriteTransaction) throws {
        guard let project = try any("Project", in: transaction) else { return }
        for case .link(let link) in try transaction.reader.elements("items", of: project) {
            guard let item = try transaction.reader.find("Item", link.key) else { continue }
            try transaction.delete(item)
        }
        try transaction.delete(project)
    }
}

extension RandomAccessCollection {
    fileprivate func randomElement(using dice: Dice) -> Element? {
        isEmpty ? nil : self[index(startIndex, offsetBy: dice.roll(0...(count - 1)))]
    }
}
