import TarnModel
import TarnStorage

/// What the names in a change lead to.
extension TransactionJudge {
    final class NamedClass {
        let number: Int
        let schema: ClassSchema

        init(number: Int, schema: ClassSchema) {
            self.number = number
            self.schema = schema
        }
    }

    struct NamedProperty {
        let number: Int
        let schema: PropertySchema
    }

    /// The class that was named last: most changes of a transaction name the same one.
    final class LastClass {
        var found: NamedClass?
    }

    func find(class name: String) throws(JudgementStop) -> NamedClass {
        if let last = lastClass.found, last.schema.name == name { return last }
        guard let number = store.schema.number(of: name),
            let schema = store.schema.schema(number: number)
        else { throw .refusal(Refusal(.unknownName, "There is no class \(name).")) }
        let found = NamedClass(number: number, schema: schema)
        lastClass.found = found
        return found
    }

    func find(property name: String, of owner: NamedClass) throws(JudgementStop) -> NamedProperty {
        guard let number = owner.schema.number(of: name) else {
            let isKey = name == owner.schema.primaryKey.name
            throw .refusal(
                Refusal(
                    .unknownName,
                    isKey
                        ? "The primary key \(owner.schema.name).\(name) never changes."
                        : "There is no property \(owner.schema.name).\(name)."))
        }
        return NamedProperty(number: number, schema: owner.schema.properties[number])
    }

    func find(list name: String, of owner: NamedClass) throws(JudgementStop) -> NamedProperty {
        let property = try find(property: name, of: owner)
        guard property.schema.isList else {
            throw .refusal(Refusal(.wrongType, "\(owner.schema.name).\(name) is not a list."))
        }
        return property
    }

    func check(key: PrimaryKey, of owner: NamedClass) throws(JudgementStop) {
        guard owner.schema.accepts(key: key) else {
            throw .refusal(
                Refusal(.wrongType, "The key of a \(owner.schema.name) is of another type."))
        }
    }

    /// The living object that a change names; nil where it is gone.
    ///
    /// An object that only a refused transaction created refuses this one, too.
    func find(_ name: ObjectName, in owner: NamedClass) throws(JudgementStop) -> ObjectID? {
        try check(key: name.key, of: owner)
        return try stored { () throws(StorageError) in
            let living = try store.living(name.key, in: owner.number)
            if let living, living.life == name.life { return living.object }
            let state = try store.keyState(of: name.key, in: owner.number)
            // A transaction's creation may have met an object, which it then deleted to create its
            // own: its id is the name of both, and means the later one.
            if LifeRule.change(names: name.life, meets: state) == .gone {
                let life = try store.resolved(name.life, of: name.key, in: owner.number)
                guard LifeRule.change(names: life, meets: state) == .present else { return nil }
            }
            return living?.object
        }
    }

    /// Refuses the transaction if what is gone was created by a refused one.
    ///
    /// What another replica created that has not come back to a server that was restored is not
    /// gone for good: the transaction is parked.
    func refuseIfDependent(on creator: TransactionID) throws(JudgementStop) {
        guard creator.replica == transaction.id.replica else {
            let decided = try stored { () throws(StorageError) in
                try store.head(of: creator.replica)?.sequence ?? 0
            }
            if decided < creator.sequence { throw .parking(Parking(waitingFor: creator)) }
            return
        }
        if let parking = parked[creator.sequence] { throw .parking(parking) }
        guard refused[creator.sequence] != nil else { return }
        throw .refusal(
            Refusal(
                .dependsOnRefused,
                "It needs what transaction \(creator.sequence) was to create, which was refused."))
    }

    /// A value as it is stored: a link to a living object, by its key.
    enum Resolved {
        case value(Value)
        /// The object that it links to is deleted; the version of that, where it is known.
        case targetDeleted(at: Version?)
    }

    func resolve(
        _ value: Value, for property: PropertySchema, of owner: NamedClass
    ) throws(JudgementStop) -> Resolved {
        guard property.accepts(value) else {
            throw .refusal(cannotHold(property, of: owner.schema.name))
        }
        try checkLength(of: value, for: property, of: owner.schema.name)
        guard case .link(let link) = value, let className = property.type.linkedClass else {
            return .value(value)
        }
        guard let life = link.life else {
            throw .refusal(
                Refusal(.wrongType, "A link in a transaction names the life of its target."))
        }
        let target = try find(class: className)
        if try find(ObjectName(className, link.key, life: life), in: target) != nil {
            return .value(.link(Link(key: link.key, life: nil)))
        }
        try refuseIfDependent(on: life)
        let state = try stored { () throws(StorageError) in
            try store.keyState(of: link.key, in: target.number)
        }
        if case .deleted(let version) = state { return .targetDeleted(at: version) }
        return .targetDeleted(at: nil)
    }

    func cannotHold(_ property: PropertySchema, of className: String) -> Refusal {
        Refusal(.wrongType, "\(className).\(property.name) cannot hold that value.")
    }

    func checkLength(
        of value: Value, for property: PropertySchema, of className: String
    ) throws(JudgementStop) {
        guard value.byteCount > TransactionLimits.stringBytesMax else { return }
        throw .refusal(
            Refusal(
                .tooLarge,
                "\(className).\(property.name) has at most \(TransactionLimits.stringBytesMax) "
                    + "bytes; these are \(value.byteCount)."))
    }
}

extension Parking {
    init(waitingFor creator: TransactionID) {
        self.init(
            creator: creator,
            sentence: "It changes what another replica created, whose work has not come back since "
                + "the server was restored from a backup.")
    }
}
