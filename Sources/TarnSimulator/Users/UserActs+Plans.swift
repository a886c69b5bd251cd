import TarnClient
import TarnModel

/// Objects with numbers that are added to, sets, maps, parts, and what they own.
extension UserActs {
    func changePlan(_ transaction: inout WriteTransaction) throws {
        guard let plan = try any("Plan", in: transaction), !dice.once(in: 6) else {
            return try createPlan(&transaction)
        }
        switch dice.roll(0...16) {
        case 0: try transaction.set("weight", of: plan, to: .double(number))
        case 1:
            try transaction.set("mass", of: plan, to: dice.once(in: 3) ? .null : .double(number))
        case 2:
            let bytes = (0..<dice.roll(0...4)).map { _ in UInt8(dice.roll(0...255)) }
            try transaction.set("blob", of: plan, to: .data(bytes))
        case 3, 4, 5: try count(plan, &transaction)
        case 6:
            let code = dice.roll(0...6)
            try transaction.set("code", of: plan, to: code == 0 ? .null : .int(Int64(code)))
        case 7, 8: try changeSets(of: plan, &transaction)
        case 9, 10: try changeMaps(of: plan, &transaction)
        case 11, 12, 13: try changeParts(of: plan, &transaction)
        case 14, 15: try changeSteps(of: plan, &transaction)
        default: if dice.once(in: 2) { try transaction.delete(plan) }
        }
    }

    private var number: Double {
        dice.pick([0, -0.0, 1.5, -2, .infinity, .nan, .leastNonzeroMagnitude, 1e300]) ?? 0
    }

    private func createPlan(_ transaction: inout WriteTransaction) throws {
        let key = PrimaryKey.int(Int64(dice.roll(0...9)))
        guard try transaction.reader.find("Plan", key) == nil else { return }
        _ = try transaction.create(
            "Plan", key,
            [
                InitialValue("votes", .int(Int64(dice.roll(0...3))), isDefault: dice.once(in: 2)),
                InitialValue("weight", .double(number)),
            ])
    }

    private func count(_ plan: ObjectID, _ transaction: inout WriteTransaction) throws {
        let amount = Int64(dice.pick([1, 1, 2, -1, 10, .max]) ?? 1)
        switch dice.roll(0...5) {
        case 0: try transaction.set("votes", of: plan, to: .int(amount))
        case 1:
            let isNull = dice.once(in: 3)
            try transaction.set("score", of: plan, to: isNull ? .null : .int(amount))
        case 2:
            guard try transaction.reader.value("score", of: plan) != .null else { return }
            try transaction.increment("score", of: plan, by: amount)
        default: try transaction.increment("votes", of: plan, by: amount)
        }
    }

    // MARK: Sets and maps

    private func changeSets(of plan: ObjectID, _ transaction: inout WriteTransaction) throws {
        let colour = Value.string(dice.pick(["red", "green", "blue", "é", "e\u{301}"]) ?? "red")
        switch dice.roll(0...4) {
        case 0, 1: try transaction.insert(member: colour, into: "colours", of: plan)
        case 2: try transaction.remove(member: colour, from: "colours", of: plan)
        case 3:
            guard let item = try any("Item", in: transaction) else { return }
            try transaction.insert(
                member: try transaction.link(to: item), into: "readers", of: plan)
        default:
            guard let item = try any("Item", in: transaction) else { return }
            try transaction.remove(
                member: .link(Link(key: try transaction.reader.key(of: item), life: nil)),
                from: "readers", of: plan)
        }
    }

    private var place: String { dice.pick(["a", "b", "c", ""]) ?? "a" }

    private func changeMaps(of plan: ObjectID, _ transaction: inout WriteTransaction) throws {
        switch dice.roll(0...5) {
        case 0, 1:
            let value = dice.once(in: 5) ? Value.null : .int(Int64(dice.roll(0...9)))
            try transaction.set(value, under: place, in: "notes", of: plan)
        case 2: try transaction.remove(key: place, from: "notes", of: plan)
        case 3, 4:
            guard let sample = try any("Sample", in: transaction) else { return }
            try transaction.set(
                try transaction.link(to: sample), under: place, in: "leads", of: plan)
        default: try transaction.remove(key: place, from: "leads", of: plan)
        }
    }

    // MARK: Parts, and what is owned

    private func newPart(_ transaction: inout WriteTransaction) throws -> Value {
        let key = PrimaryKey.uuid(UUIDValue(high: dice.next(), low: dice.next()))
        let part = try transaction.create("Part", key, [InitialValue("text", .string(word))])
        return try transaction.link(to: part)
    }

    private func changeParts(of plan: ObjectID, _ transaction: inout WriteTransaction) throws {
        let count = try transaction.reader.elements("parts", of: plan).count
        switch dice.roll(0...9) {
        case 0, 1: try transaction.set("head", of: plan, to: try newPart(&transaction))
        case 2: try transaction.set("head", of: plan, to: .null)
        case 3, 4:
            let part = try newPart(&transaction)
            try transaction.insert(part, at: dice.roll(0...count), in: "parts", of: plan)
        case 5 where count > 0:
            try transaction.remove(at: dice.roll(0...(count - 1)), in: "parts", of: plan)
        case 6 where count > 1:
            try transaction.move(
                from: dice.roll(0...(count - 1)), to: dice.roll(0...(count - 1)), in: "parts",
                of: plan)
        case 7:
            try transaction.set(try newPart(&transaction), under: place, in: "box", of: plan)
        case 8: try transaction.remove(key: place, from: "box", of: plan)
        default:
            guard let part = try any("Part", in: transaction) else { return }
            if dice.once(in: 8) { return try transaction.delete(part) }
            try transaction.set("size", of: part, to: .double(number))
        }
    }

    private func changeSteps(of plan: ObjectID, _ transaction: inout WriteTransaction) throws {
        let count = try transaction.reader.elements("steps", of: plan).count
        switch dice.roll(0...6) {
        case 0, 1, 2:
            let key = PrimaryKey.int(Int64(dice.roll(0...12)))
            guard try transaction.reader.find("Step", key) == nil else { return }
            let step = try transaction.create("Step", key)
            try transaction.append(try transaction.link(to: step), to: "steps", of: plan)
        case 3:
            guard let step = try any("Step", in: transaction) else { return }
            try transaction.set("first", of: plan, to: try transaction.link(to: step))
        case 4:
            guard let step = try any("Step", in: transaction),
                let next = try any("Step", in: transaction), step != next
            else { return }
            try transaction.set("next", of: step, to: try transaction.link(to: next))
        case 5 where count > 0:
            try transaction.remove(at: dice.roll(0...(count - 1)), in: "steps", of: plan)
        default: try transaction.set("first", of: plan, to: .null)
        }
    }
}
