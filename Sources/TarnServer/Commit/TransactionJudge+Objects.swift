import TarnModel
import TarnQuery
import TarnStorage

/// Classes, creations, values and deletions.
extension TransactionJudge {
    mutating func addClass(_ addition: ClassSchema) throws(JudgementStop) {
        switch store.schema.adding(addition) {
        case .changed(let schema):
            try apply(.putClass(schema), touching: nil)
        case .nothingNew:
            break
        case .conflict(let fault):
            throw .refusal(Refusal(.schemaConflict, "The schema cannot change so: \(fault)."))
        }
    }

    mutating func create(
        _ className: String, _ key: PrimaryKey, _ values: [InitialValue]
    ) throws(JudgementStop) {
        let owner = try find(class: className)
        try check(key: key, of: owner)
        let resolved = try resolve(values, of: owner, key: key)
        let outcome = try stored { () throws(StorageError) in
            let state = try store.keyState(of: key, in: owner.number)
            return LifeRule.creation(
                meets: state, base: try horizon(of: state), floor: store.floor)
        }
        switch outcome {
        case .creates:
            try apply(
                .create(className: className, key: key, life: transaction.id, values: resolved),
                touching: nil)
            let object = try stored { () throws(StorageError) in
                try store.object(key, in: owner.number)
            }
            if let object { touch(object) }
        case .merges:
            try apply(.alias(transaction.id, className: className, key: key), touching: nil)
            for value in resolved {
                try merge(value, into: key, of: owner)
            }
        case .overridden:
            override(className, key, nil, .objectDeleted)
        }
    }

    /// Up to where the author had seen what became of a key: the base, and its own delete above.
    private func horizon(of state: KeyState) throws(StorageError) -> Version {
        let base = transaction.base.version
        guard case .deleted(let version) = state, version > base,
            try store.author(of: version) == transaction.id.replica
        else { return base }
        return version
    }

    /// Every named value checked, and links to what is deleted turned to null.
    private mutating func resolve(
        _ values: [InitialValue], of owner: NamedClass, key: PrimaryKey
    ) throws(JudgementStop) -> [InitialValue] {
        var resolved: [InitialValue] = []
        resolved.reserveCapacity(values.count)
        var named: Set<String> = []
        for value in values {
            let property = try find(property: value.property, of: owner)
            guard !property.schema.isList, named.insert(value.property).inserted else {
                throw .refusal(
                    Refusal(
                        .wrongType,
                        "\(owner.schema.name).\(value.property) cannot be given so at creation."))
            }
            switch try resolve(value.value, for: property.schema, of: owner) {
            case .value(let held):
                resolved.append(
                    InitialValue(value.property, held, isDefault: value.isDefault))
            case .targetDeleted:
                override(owner.schema.name, key, value.property, .targetDeleted)
                resolved.append(InitialValue(value.property, .null, isDefault: value.isDefault))
            }
        }
        return resolved
    }

    /// A value of a creation that met an existing object.
    private mutating func merge(
        _ value: InitialValue, into key: PrimaryKey, of owner: NamedClass
    ) throws(JudgementStop) {
        let property = try find(property: value.property, of: owner)
        let object = try stored { () throws(StorageError) in
            try store.object(key, in: owner.number)
        }
        guard let object else { return }
        try setRegister(
            property, of: object, key: key, owner: owner, value: value.value,
            isDefault: value.isDefault)
    }

    mutating func set(
        _ name: ObjectName, _ propertyName: String, _ value: Value
    ) throws(JudgementStop) {
        let owner = try find(class: name.className)
        let property = try find(property: propertyName, of: owner)
        guard !property.schema.isList else {
            throw .refusal(
                Refusal(.wrongType, "\(name.className).\(propertyName) is a list, not a value."))
        }
        guard let object = try find(name, in: owner) else {
            try refuseIfDependent(on: name.life)
            override(name.className, name.key, propertyName, .objectDeleted)
            return
        }
        switch try resolve(value, for: property.schema, of: owner) {
        case .value(let held):
            try setRegister(
                property, of: object, key: name.key, owner: owner, value: held, isDefault: false)
        case .targetDeleted:
            // As if it had been set, and the delete had nulled it then.
            override(name.className, name.key, propertyName, .targetDeleted)
            try setRegister(
                property, of: object, key: name.key, owner: owner, value: .null, isDefault: false)
        }
    }

    private mutating func setRegister(
        _ property: NamedProperty, of object: ObjectID, key: PrimaryKey, owner: NamedClass,
        value: Value, isDefault: Bool
    ) throws(JudgementStop) {
        let present = try stored { () throws(StorageError) in
            try store.registerMark(of: property.number, of: object)
        }
        let incoming = RegisterMark(stamp: origin.stamp, isDefault: isDefault)
        // One transaction may set a property twice: its own earlier value has the same stamp.
        let isOwn = present.stamp == incoming.stamp && !(isDefault && !present.isDefault)
        guard isOwn || RegisterRule.replaces(incoming, over: present) else {
            // That a default gave way is as it should be, and no loss to tell of.
            if !isDefault {
                override(owner.schema.name, key, property.schema.name, .laterValue)
            }
            return
        }
        try apply(
            .set(
                className: owner.schema.name, key: key, property: property.schema.name,
                value: value, isDefault: isDefault),
            touching: object)
    }

    mutating func delete(_ name: ObjectName) throws(JudgementStop) {
        let owner = try find(class: name.className)
        guard let object = try find(name, in: owner) else {
            // Deleted already: once is enough.
            return try refuseIfDependent(on: name.life)
        }
        let holders = try stored { () throws(StorageError) in try store.holders(of: object) }
        for holder in holders where holder.object != object {
            try release(object, from: holder)
        }
        try apply(.delete(className: name.className, key: name.key), touching: object)
    }

    /// Nulls or empties what leads to an object that is about to be deleted: the store keeps no
    /// link that leads nowhere.
    private mutating func release(
        _ target: ObjectID, from holder: Holder
    ) throws(JudgementStop) {
        guard let schema = store.schema.schema(number: holder.object.classNumber),
            schema.properties.indices.contains(holder.property)
        else { return }
        let property = schema.properties[holder.property]
        let key: PrimaryKey
        do {
            key = try store.key(of: holder.object)
        } catch {
            throw .storage(StorageError(wrapping: error, while: "reading a key"))
        }
        guard property.isList else {
            return try apply(
                .unlink(className: schema.name, key: key, property: property.name),
                touching: holder.object)
        }
        let list = ListID(object: holder.object, property: holder.property)
        let slots = try stored { () throws(StorageError) in
            try store.slots(holding: target, in: list)
        }
        let effect = ListEffect(className: schema.name, key: key, property: property.name)
        for slot in slots {
            try apply(.vacate(effect, slot: slot.slot), touching: holder.object)
        }
    }
}
