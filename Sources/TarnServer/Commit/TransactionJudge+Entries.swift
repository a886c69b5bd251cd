import TarnModel
import TarnStorage

/// Sets and maps: each entry is a register by itself.
extension TransactionJudge {
    /// The set or map that a change is on, where its owner lives.
    private struct NamedCollection {
        let id: ListID
        let owner: NamedClass
        let property: NamedProperty
        let effect: ListEffect
    }

    private func find(
        entriesOf propertyName: String, of name: ObjectName
    ) throws(JudgementStop) -> (property: NamedProperty, collection: NamedCollection?) {
        let owner = try find(class: name.className)
        let property = try find(property: propertyName, of: owner)
        guard property.schema.hasEntries else {
            throw .refusal(
                Refusal(.wrongType, "\(owner.schema.name).\(propertyName) is no set or map."))
        }
        guard let object = try find(name, in: owner) else {
            try refuseIfDependent(on: name.life)
            return (property, nil)
        }
        let collection = NamedCollection(
            id: ListID(object: object, property: property.number), owner: owner,
            property: property,
            effect: ListEffect(className: name.className, key: name.key, property: propertyName))
        return (property, collection)
    }

    mutating func setEntry(
        _ name: ObjectName, _ propertyName: String, _ entry: Value, _ value: Value
    ) throws(JudgementStop) {
        let (property, found) = try find(entriesOf: propertyName, of: name)
        guard property.schema.acceptsEntry(entry, holding: value) else {
            throw .refusal(cannotHold(property.schema, of: name.className))
        }
        try checkLength(of: value, for: property.schema, of: name.className)
        guard let collection = found else {
            try orphan(property.schema.kind == .set ? entry : value, of: property.schema)
            return try override(name, propertyName, .objectDeleted)
        }
        let resolved: Resolved
        if property.schema.kind == .set {
            resolved = try resolve(entry, for: property.schema, of: collection.owner)
        } else {
            resolved = try resolve(value, for: property.schema, of: collection.owner)
        }
        switch (resolved, property.schema.kind) {
        case (.value(let held), .set):
            try put(.bool(true), under: held, in: collection)
        case (.value(let held), _):
            try put(held, under: entry, in: collection)
        case (.targetDeleted(let version), let kind):
            override(name, propertyName, .targetDeleted, to: try winner(of: version))
            // As if it had been put there, and the delete had taken it out then.
            if kind == .map { try put(nil, under: entry, in: collection) }
        }
    }

    mutating func removeEntry(
        _ name: ObjectName, _ propertyName: String, _ entry: Value
    ) throws(JudgementStop) {
        let (property, found) = try find(entriesOf: propertyName, of: name)
        let sample: Value = property.schema.kind == .set ? .bool(true) : .null
        guard
            property.schema.acceptsEntry(entry, holding: sample)
                || property.schema.kind == .map && entry.isText
        else { throw .refusal(cannotHold(property.schema, of: name.className)) }
        guard let collection = found else {
            return try override(name, propertyName, .objectDeleted)
        }
        guard case .link = entry else { return try put(nil, under: entry, in: collection) }
        // What led to a deleted object has been taken out with it.
        guard
            case .value(let held) = try resolve(
                entry, for: property.schema, of: collection.owner)
        else { return }
        try put(nil, under: held, in: collection)
    }

    /// - Parameter value: nil takes the entry out.
    private mutating func put(
        _ value: Value?, under entry: Value, in collection: NamedCollection
    ) throws(JudgementStop) {
        let present = try stored { () throws(StorageError) in
            try store.state(of: entry, in: collection.id)
        }
        // What was never there, or is forgotten, need not be taken out.
        if value == nil, present == nil { return }
        if let present {
            let incoming = RegisterMark(stamp: origin.stamp, isDefault: false)
            let isOwn = present.setting.mark.stamp == incoming.stamp
            guard isOwn || RegisterRule.replaces(incoming, over: present.setting.mark) else {
                // Both took it out, or put the same in.
                if present.value == value { return }
                return override(
                    collection, .laterValue,
                    to: try winner(of: present.setting.version, value: present.value))
            }
        }
        try letGo(present?.value, of: collection.property.schema)
        if collection.property.schema.kind == .set, present?.value != nil {
            try letGo(entry, of: collection.property.schema)
        }
        if let value {
            try apply(
                .setEntry(collection.effect, entry: entry, value: value),
                touching: collection.id.object)
            try hold(
                collection.property.schema.kind == .set ? entry : value,
                by: collection.property.schema)
        } else {
            try apply(
                .removeEntry(collection.effect, entry: entry), touching: collection.id.object)
        }
    }

    private mutating func override(
        _ collection: NamedCollection, _ reason: Override.Reason, to winner: Override.Winner?
    ) {
        overrides.append(
            Override(
                className: collection.effect.className, key: collection.effect.key,
                property: collection.effect.property, reason: reason, winner: winner))
    }

    /// Takes out the entries that lead to an object that is about to be deleted.
    mutating func releaseEntries(
        holding target: ObjectID, from holder: Holder, _ effect: ListEffect
    ) throws(JudgementStop) {
        let list = ListID(object: holder.object, property: holder.property)
        let entries = try stored { () throws(StorageError) in
            try store.entries(holding: target, in: list)
        }
        for entry in entries {
            try apply(.unlinkEntry(effect, entry: entry), touching: holder.object)
        }
    }
}

extension Value {
    fileprivate var isText: Bool { if case .string = self { true } else { false } }
}
