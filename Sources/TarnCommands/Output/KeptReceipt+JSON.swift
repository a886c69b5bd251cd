package import TarnModel
package import TarnStorage

/// A receipt of the drawer for programs; the format is in `docs/terminal.md`.
extension KeptReceipt {
    /// - Parameter changes: of the body, where all of them are to be shown.
    package func json(with changes: [Change]?) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(name: "type", value: "receipt"),
            .init(name: "sequence", value: .int(Int64(clamping: receipt.sequence))),
        ]
        if decided > 0 {
            members.append(.init(name: "time", value: .string(Age.moment(decided))))
        }
        func add(_ outcome: String, _ more: [JSONValue.Member]) {
            members.append(.init(name: "outcome", value: .string(outcome)))
            members += more
        }
        switch receipt.outcome {
        case .accepted: add("accepted", [])
        case .overridden(let overrides):
            add("overridden", [.init(name: "lost", value: .array(overrides.map(\.json)))])
        case .refused(let refusal):
            add(
                "refused",
                [
                    .init(name: "code", value: .string("\(refusal.code)")),
                    .init(name: "sentence", value: .string(refusal.sentence)),
                ])
        case .parked(let parking):
            add(
                "parked",
                [
                    .init(name: "waitsFor", value: .string("\(parking.creator)")),
                    .init(name: "sentence", value: .string(parking.sentence)),
                ])
        }
        if let changes {
            members.append(.init(name: "changes", value: .array(changes.map(\.json))))
        }
        return .object(members)
    }
}

extension Change {
    /// What it says; lives, slots and elements are left out, which mean nothing elsewhere.
    package var json: JSONValue {
        switch self {
        case .addClass(let schema):
            ["change": "addClass", "class": .string(schema.name)]
        case .create(let className, let key, let values):
            [
                "change": "create", "class": .string(className), "key": Value(key).json,
                "values": .object(
                    values.map { .init(name: $0.property, value: $0.value.json) }),
            ]
        case .set(let name, let property, let value):
            name.json("set", property, [.init(name: "value", value: value.json)])
        case .delete(let name): name.json("delete", nil, [])
        case .insert(let name, let property, _, _, let value):
            name.json("insert", property, [.init(name: "value", value: value.json)])
        case .move(let name, let property, _, _, _): name.json("move", property, [])
        case .remove(let name, let property, _): name.json("remove", property, [])
        case .increment(let name, let property, let amount):
            name.json("increment", property, [.init(name: "by", value: .int(amount))])
        case .setEntry(let name, let property, let entry, let value):
            name.json(
                "setEntry", property,
                [
                    .init(name: "entry", value: entry.json),
                    .init(name: "value", value: value.json),
                ])
        case .removeEntry(let name, let property, let entry):
            name.json("removeEntry", property, [.init(name: "entry", value: entry.json)])
        case .deleteOwned(let name): name.json("deleteOwned", nil, [])
        }
    }
}

extension ObjectName {
    fileprivate func json(
        _ change: String, _ property: String?, _ more: [JSONValue.Member]
    ) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(name: "change", value: .string(change)),
            .init(name: "class", value: .string(className)),
            .init(name: "key", value: Value(key).json),
        ]
        if let property { members.append(.init(name: "property", value: .string(property))) }
        return .object(members + more)
    }
}
