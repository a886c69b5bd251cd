import TarnModel

/// What each change says.
extension Oracle {
    func take(_ change: Change, _ context: inout Context) {
        switch change {
        case .addClass(let addition): add(addition)
        case .create(let className, let key, let values):
            create(PlainName(className: className, key: key), values, &context)
        case .delete(let name):
            guard let life = life(name) else { return context.knowEnd(of: PlainName(name)) }
            end(life, &context)
        case .deleteOwned(let name): context.doubts.doubt(life(name), isMeant: true)
        case .set(let name, let property, _), .insert(let name, let property, _, _, _),
            .move(let name, let property, _, _, _), .remove(let name, let property, _),
            .increment(let name, let property, _), .setEntry(let name, let property, _, _),
            .removeEntry(let name, let property, _):
            guard let schema = self.property(property, of: name.className) else { return }
            guard let life = life(name) else {
                if let value = change.owned(by: schema) { orphan(value, of: schema, &context) }
                return context.lose(PlainName(name), property, .objectDeleted)
            }
            take(change, schema, of: life, &context)
        }
    }

    private func take(
        _ change: Change, _ property: PropertySchema, of life: OracleLife,
        _ context: inout Context
    ) {
        let name = life.name
        switch change {
        case .addClass, .create, .delete, .deleteOwned: break
        case .set(_, _, let value):
            let target = target(of: value, property)
            if case .link = value, target == nil {
                context.lose(name, property.name, .targetDeleted)
            }
            say(InitialValue(property.name, value), property, to: target, of: life, &context)
        case .increment(_, _, let amount):
            let addition = OracleLife.Addition(
                amount: amount, author: context.transaction.id.replica, version: context.version,
                order: nextOrder())
            if !life.add(addition, to: property) { context.lose(name, property.name, .valueIsNull) }
        case .insert(_, _, let slot, let place, let value):
            let target = target(of: value, property)
            if case .link = value, target == nil {
                return context.lose(name, property.name, .targetDeleted)
            }
            life.list(property.name).insert(slot, place, value, to: target, context.stamp)
            if schema.leadsToPart(property) { context.doubts.doubt(target, isMeant: false) }
        case .move(_, _, let element, let slot, let place):
            if !life.list(property.name).move(element, to: slot, place, context.stamp) {
                context.lose(name, property.name, .elementGone)
            }
        case .remove(_, _, let element):
            let list = life.list(property.name)
            if schema.leadsToPart(property) {
                context.doubts.doubt(list.target(of: element), isMeant: true)
            }
            list.remove(element)
        case .setEntry(_, _, let entry, let value):
            put(value, under: entry, property, of: life, &context)
        case .removeEntry(_, _, let entry):
            take(entry, outOf: property, of: life, &context)
        }
    }

    // MARK: Values

    private func create(
        _ name: PlainName, _ values: [InitialValue], _ context: inout Context
    ) {
        guard let schema = schema[name.className] else { return }
        // Links mean what they meant before the creation.
        let targets = values.map { value in
            schema.property(value.property).flatMap { target(of: value.value, $0) }
        }
        for (value, target) in zip(values, targets) {
            if case .link = value.value, target == nil {
                context.lose(name, value.property, .targetDeleted)
            }
        }
        guard let life = life(created: name, &context) else {
            return context.lose(name, nil, .objectDeleted)
        }
        for (value, target) in zip(values, targets) {
            guard let property = schema.property(value.property) else { continue }
            say(value, property, to: target, of: life, &context)
        }
    }

    private func say(
        _ value: InitialValue, _ property: PropertySchema, to target: OracleLife?,
        of life: OracleLife, _ context: inout Context
    ) {
        let before = life.targets(property)
        let reception = life.say(
            .init(
                isDefault: value.isDefault, stamp: context.stamp,
                author: context.transaction.id.replica, base: context.transaction.base.version,
                order: nextOrder(), value: value.value, target: target),
            of: property)
        guard reception == .stands else {
            if reception == .lost, !value.isDefault {
                context.lose(life.name, property.name, .laterValue)
            }
            return
        }
        guard schema.leadsToPart(property) else { return }
        for part in before { context.doubts.doubt(part, isMeant: true) }
        context.doubts.doubt(target, isMeant: false)
    }

    // MARK: Entries

    private func put(
        _ value: Value, under entry: Value, _ property: PropertySchema, of life: OracleLife,
        _ context: inout Context
    ) {
        let isSet = property.kind == .set
        let linked = isSet ? entry : value
        let target = target(of: linked, property)
        if case .link = linked, target == nil {
            context.lose(life.name, property.name, .targetDeleted)
            // As if it had been put there, and the delete had taken it out then.
            if !isSet { say(nil, under: entry, to: nil, property, of: life, &context) }
            return
        }
        say(value, under: entry, to: target, property, of: life, &context)
    }

    private func take(
        _ entry: Value, outOf property: PropertySchema, of life: OracleLife,
        _ context: inout Context
    ) {
        var target: OracleLife?
        if case .link = entry {
            target = self.target(of: entry, property)
            // What led to a deleted object has gone with it.
            guard target != nil else { return }
        }
        say(nil, under: entry, to: target, property, of: life, &context)
    }

    private func say(
        _ value: Value?, under entry: Value, to target: OracleLife?, _ property: PropertySchema,
        of life: OracleLife, _ context: inout Context
    ) {
        let outcome = life.entries(property.name).say(
            value, under: entry, to: target, isInEntry: property.kind == .set, context.stamp,
            nextOrder())
        switch outcome {
        case .nothingNew: break
        case .lost: context.lose(life.name, property.name, .laterValue)
        case .stands(let old):
            guard schema.leadsToPart(property) else { return }
            context.doubts.doubt(old, isMeant: true)
            if value != nil { context.doubts.doubt(target, isMeant: false) }
        }
    }
}

extension Change {
    /// The value by which a property was to own something.
    fileprivate func owned(by property: PropertySchema) -> Value? {
        switch self {
        case .set(_, _, let value), .insert(_, _, _, _, let value): value
        case .setEntry(_, _, let entry, let value): property.kind == .set ? entry : value
        default: nil
        }
    }
}
