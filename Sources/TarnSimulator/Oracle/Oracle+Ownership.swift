import TarnModel

/// What dies with what, and what stands once.
extension Oracle {
    /// Whose owners are counted at the end of a transaction, and whether its author meant it.
    struct Doubts {
        private(set) var lives: [ObjectIdentifier: (life: OracleLife, isMeant: Bool)] = [:]

        mutating func doubt(_ life: OracleLife?, isMeant: Bool) {
            guard let life else { return }
            let known = lives[ObjectIdentifier(life)]?.isMeant ?? false
            lives[ObjectIdentifier(life)] = (life, known || isMeant)
        }

        mutating func next() -> (life: OracleLife, isMeant: Bool)? {
            guard let (id, doubt) = lives.first else { return nil }
            lives[id] = nil
            return doubt
        }
    }

    /// Whatever a deleted object owned is owned by another, or dies; a part is held, or dies.
    func settle(_ context: inout Context) {
        while let (life, isMeant) = context.doubts.next() {
            guard !life.isOver, ownerCount(of: life) == 0 else { continue }
            if !isMeant { context.lose(life.name, nil, .ownerDeleted) }
            end(life, &context)
        }
    }

    func end(_ life: OracleLife, _ context: inout Context) {
        if let properties = schema[life.name.className]?.properties {
            for property in properties where schema.isOwning(property) {
                for target in life.targets(property) where target !== life {
                    context.doubts.doubt(target, isMeant: true)
                }
            }
        }
        life.end(.init(version: context.version, replica: context.transaction.id.replica))
    }

    private func ownerCount(of life: OracleLife) -> Int {
        var count = 0
        for owner in schema.classes {
            for property in owner.properties
            where property.type.linkedClass == life.name.className && schema.isOwning(property) {
                for holder in living(owner.name) where holder !== life {
                    count += holder.targets(property).count { $0 === life }
                }
            }
        }
        return count
    }

    /// A place that was to own what this transaction made is gone.
    func orphan(_ value: Value, of property: PropertySchema, _ context: inout Context) {
        guard schema.isOwning(property), case .link(let link) = value,
            link.life == context.transaction.id, let target = target(of: value, property),
            target.creator == context.transaction.id
        else { return }
        context.doubts.doubt(target, isMeant: false)
    }

    /// After each transaction no two objects have the same value of a unique property.
    func checkUnique(at version: Version) throws(Violation) {
        for owner in schema.classes {
            for property in owner.properties where property.isUnique {
                var seen: [Value: PlainName] = [:]
                for life in living(owner.name) {
                    guard let value = life.picture(by: owner).values[property.name], value != .null
                    else { continue }
                    if let other = seen.updateValue(life.name, forKey: value) {
                        throw Violation(
                            .agreement, "at version \(version) two objects have one unique value",
                            "\(life.name)", "\(other)")
                    }
                }
            }
        }
    }
}
