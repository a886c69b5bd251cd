import TarnModel
import TarnQuery
import TarnStorage

/// Classes, creations, values and deletions.
extension TransactionJudge {
    mutating func addClass(_ addition: ClassSchema) throws(JudgementStop) {
        switch store.schema.adding(addition) {
        case .changed(let schema):
            lastClass.found = nil
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
                meets: state, base: try horizon(of: state, key, in: owner.number),
                floor: store.floor)
        }
        switch outcome {
        case .creates:
            try apply(
                .create(className: className, key: key, life: transaction.id, values: resolved),
                touching: nil)
            let object = try stored { () throws(StorageError) in
                try store.object(key, in: owner.number)
            }
            if let object {
                touch(object)
                born(object, in: owner)
                for value in resolved {
                    guard let property = owner.schema.property(value.property) else { continue }
                    try hold(value.value, by: property)
                }
            }
        case .merges:
            try apply(.alias(transaction.id, className: className, key: key), touching: nil)
            for value in resolved {
                try merge(value, into: key, of: owner)
            }
        case .overridden:
            let name = ObjectName(className, key, life: transaction.id)
            override(className, key, nil, .objectDeleted, to: try deleter(of: name))
            for value in values {
                try orphan(
                    value.value, of: try find(property: value.property, of: owner).schema)
            }
        }
    }

    /// Up to where the author had seen what became of a key: the base, and its own delete above; or
    /// somebody else's, of what this transaction deleted, too.
    private func horizon(
        of state: KeyState, _ key: PrimaryKey, in classNumber: Int
    ) throws(StorageError) -> Version {
        let base = transaction.base.version
        guard case .deleted(let version) = state, version > base else { return base }
        if deletedTwice[classNumber]?.contains(key) == true { return version }
        let author = try store.author(of: version)?.replica
        return author == transaction.id.replica ? version : base
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
            guard property.schema.isCell, named.insert(value.property).inserted else {
                throw .refusal(
                    Refusal(
                        .wrongType,
                        "\(owner.schema.name).\(value.property) cannot be given so at creation."))
            }
            switch try resolve(value.value, for: property.schema, of: owner) {
            case .value(let held):
                resolved.append(
                    InitialValue(value.property, held, isDefault: value.isDefault))
            case .targetDeleted(let version):
                override(
                    owner.schema.name, key, value.property, .targetDeleted,
                    to: try winner(of: version))
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
        guard property.schema.isCell else {
            throw .refusal(
                Refusal(
                    .wrongType, "\(name.className).\(propertyName) is a collection, not a value."))
        }
        guard let object = try find(name, in: owner) else {
            try refuseIfDependent(on: name.life)
            try orphan(value, of: property.schema)
            return try override(name, propertyName, .objectDeleted)
        }
        switch try resolve(value, for: property.schema, of: owner) {
        case .value(let held):
            try setRegister(
                property, of: object, key: name.key, owner: owner, value: held, isDefault: false)
        case .targetDeleted(let version):
            // As if it had been set, and the delete had nulled it then.
            override(name, propertyName, .targetDeleted, to: try winner(of: version))
            try setRegister(
                property, of: object, key: name.key, owner: owner, value: .null, isDefault: false)
        }
    }

    private mutating func setRegister(
        _ property: NamedProperty, of object: ObjectID, key: PrimaryKey, owner: NamedClass,
        value: Value, isDefault: Bool
    ) throws(JudgementStop) {
        let setting = try stored { () throws(StorageError) in
            try store.setting(of: property.number, of: object)
        }
        let present = setting.mark
        let incoming = RegisterMark(stamp: origin.stamp, isDefault: isDefault)
        // One transaction may set a property twice: its own earlier value has the same stamp.
        let isOwn = present.stamp == incoming.stamp && !(isDefault && !present.isDefault)
        guard isOwn || RegisterRule.replaces(incoming, over: present) else {
            // That a default gave way is as it should be, and who said the same has lost nothing.
            let stands = try self.value(property, of: object)
            if !isDefault, value != stands {
                override(
                    owner.schema.name, key, property.schema.name, .laterValue,
                    to: try winner(of: setting.version, value: stands))
            }
            return
        }
        if store.schema.leadsToPart(property.schema) {
            try letGo(try self.value(property, of: object), of: property.schema)
        }
        try apply(
            .set(
                className: owner.schema.name, key: key, property: property.schema.name,
                value: try grown(value, property, of: object), isDefault: isDefault),
            touching: object)
        try hold(value, by: property.schema)
        if property.schema.isUnique {
            unique.insert(UniqueCell(object: object, property: property.number))
        }
    }

    private func value(
        _ property: NamedProperty, of object: ObjectID
    ) throws(JudgementStop) -> Value {
        try stored { () throws(StorageError) in
            try reading("reading a value") { try store.value(property.number, of: object) }
        }
    }

    /// A value that is set, with what others have added since its author looked.
    private func grown(
        _ value: Value, _ property: NamedProperty, of object: ObjectID
    ) throws(JudgementStop) -> Value {
        guard property.schema.type == .int else { return value }
        let base = transaction.base.version
        let increments = try stored { () throws(StorageError) in
            try store.increments(of: property.number, of: object, since: base)
        }
        return IncrementRule.value(
            setTo: value, by: transaction.id.replica, base: base, surviving: increments)
    }

    mutating func increment(
        _ name: ObjectName, _ propertyName: String, by amount: Int64
    ) throws(JudgementStop) {
        let owner = try find(class: name.className)
        let property = try find(property: propertyName, of: owner)
        guard property.schema.isCell, property.schema.type == .int else {
            throw .refusal(
                Refusal(.wrongType, "\(name.className).\(propertyName) is nothing to add to."))
        }
        guard let object = try find(name, in: owner) else {
            try refuseIfDependent(on: name.life)
            return try override(name, propertyName, .objectDeleted)
        }
        guard IncrementRule.adding(amount, to: try value(property, of: object)) != nil else {
            let setting = try stored { () throws(StorageError) in
                try store.setting(of: property.number, of: object)
            }
            return override(
                name, propertyName, .valueIsNull, to: try winner(of: setting.version, value: .null))
        }
        try apply(
            .increment(
                className: name.className, key: name.key, property: propertyName, by: amount),
            touching: object)
        if property.schema.isUnique {
            unique.insert(UniqueCell(object: object, property: property.number))
        }
    }

    mutating func delete(_ name: ObjectName) throws(JudgementStop) {
        let owner = try find(class: name.className)
        guard let object = try find(name, in: owner) else {
            // Deleted already: once is enough.
            deletedTwice[owner.number, default: []].insert(name.key)
            return try refuseIfDependent(on: name.life)
        }
        try deleteObject(object, name.className, name.key)
    }

    /// Deletes it at the end, unless another owner holds it then.
    mutating func deleteOwned(_ name: ObjectName) throws(JudgementStop) {
        let owner = try find(class: name.className)
        guard let object = try find(name, in: owner) else {
            return try refuseIfDependent(on: name.life)
        }
        doubtful[object] = .meant
    }

    mutating func deleteObject(
        _ object: ObjectID, _ className: String, _ key: PrimaryKey
    ) throws(JudgementStop) {
        try letGoOfAll(ownedBy: object)
        let holders = try stored { () throws(StorageError) in try store.holders(of: object) }
        for holder in holders where holder.object != object {
            try release(object, from: holder)
        }
        try apply(.delete(className: className, key: key), touching: object)
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
        if property.hasEntries {
            return try releaseEntries(
                holding: target, from: holder,
                ListEffect(className: schema.name, key: key, property: property.name))
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
