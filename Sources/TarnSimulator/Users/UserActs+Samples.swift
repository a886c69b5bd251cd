import TarnClient
import TarnModel

/// Objects with properties of every kind, which lead to each other in circles.
extension UserActs {
    private var sampleKey: PrimaryKey { .uuid(UUIDValue(high: 7, low: UInt64(dice.roll(0...12)))) }

    private var date: Value {
        let seconds = [Int64.min, -62_135_769_600, -1, 0, 1_800_000_000, 64_092_211_200]
        let nanoseconds = Int32(dice.roll(0...999_999_999))
        return Timestamp(seconds: dice.pick(seconds) ?? 0, nanoseconds: nanoseconds).map {
            .date($0)
        } ?? .date(Timestamp(milliseconds: 0))
    }

    func createSample(_ transaction: inout WriteTransaction) throws {
        let key = sampleKey
        guard try transaction.reader.find("Sample", key) == nil else { return }
        var values = [
            InitialValue("count", .int(Int64(dice.roll(-3...6)))), InitialValue("at", date),
        ]
        if dice.once(in: 2), let parent = try any("Sample", in: transaction) {
            values.append(InitialValue("parent", try transaction.link(to: parent)))
        }
        if dice.once(in: 2) { values.append(InitialValue("note", .string(word))) }
        _ = try transaction.create("Sample", key, values)
    }

    func changeSample(_ transaction: inout WriteTransaction) throws {
        guard let sample = try any("Sample", in: transaction) else { return }
        switch dice.roll(0...8) {
        case 0:
            let count = dice.pick([Int64.min, -1, 0, 4, .max]) ?? 0
            try transaction.set("count", of: sample, to: .int(count))
        case 1:
            try transaction.set(
                "note", of: sample, to: dice.once(in: 3) ? .null : .string(word))
        case 2: try transaction.set("at", of: sample, to: date)
        case 3: try transaction.set("until", of: sample, to: dice.once(in: 3) ? .null : date)
        case 4:
            try transaction.set(
                "token", of: sample, to: .uuid(UUIDValue(high: dice.next(), low: dice.next())))
        case 5:
            guard let parent = try any("Sample", in: transaction) else { return }
            try transaction.set(
                "parent", of: sample,
                to: dice.once(in: 4) ? .null : try transaction.link(to: parent))
        case 6: try changeTags(of: sample, &transaction)
        case 7:
            guard let item = try any("Item", in: transaction) else { return }
            try transaction.append(try transaction.link(to: item), to: "items", of: sample)
        default: if dice.once(in: 2) { try transaction.delete(sample) }
        }
    }

    private func changeTags(of sample: ObjectID, _ transaction: inout WriteTransaction) throws {
        let count = try transaction.reader.elements("tags", of: sample).count
        let tag = Value.string(dice.pick(["red", "green", "blue"]) ?? "red")
        switch dice.roll(0...4) {
        case 0 where count > 1:
            try transaction.move(
                from: dice.roll(0...(count - 1)), to: dice.roll(0...(count - 1)), in: "tags",
                of: sample)
        case 1 where count > 0:
            try transaction.remove(at: dice.roll(0...(count - 1)), in: "tags", of: sample)
        case 2 where dice.once(in: 3): try transaction.clear("tags", of: sample)
        case 3: try transaction.insert(tag, at: dice.roll(0...count), in: "tags", of: sample)
        default: try transaction.append(tag, to: "tags", of: sample)
        }
    }
}
