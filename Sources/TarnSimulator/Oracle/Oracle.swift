import TarnModel
import TarnStorage

/// What a realm has to be, worked out from what people wrote and from the order in which that was
/// decided, and from nothing that the engines made of it. It keeps all that was ever said, and says
/// what follows from it by the definitions of the chapter on merge rules; it shares no code with
/// those who merge.
final class Oracle {
    private(set) var schema = Schema()
    private var lives: [PlainName: [OracleLife]] = [:]
    private var sayings = 0
    /// By version, the highest ticks up to it.
    private var ticks: [UInt64] = [0]
    private var ticksLast: [ReplicaID: UInt64] = [:]

    /// What was said where, by whom, when.
    struct Context {
        let transaction: Transaction
        let stamp: Stamp
        let version: Version
        fileprivate(set) var losses: [Override] = []
        var doubts = Doubts()
        /// What it was to delete, and was deleted already: so its author knows.
        private(set) var deletedTwice: Set<PlainName> = []

        mutating func knowEnd(of name: PlainName) { deletedTwice.insert(name) }

        mutating func lose(_ name: PlainName, _ property: String?, _ reason: Override.Reason) {
            losses.append(
                Override(
                    className: name.className, key: name.key, property: property, reason: reason))
        }
    }

    /// Takes in what was decided, and holds it against what should have been lost.
    func take(_ transaction: Transaction, _ record: LogRecord) throws(Violation) {
        try checkStamp(of: record, transaction)
        guard record.outcome.isApplied else { return }
        var context = Context(
            transaction: transaction, stamp: record.origin.stamp, version: record.point.version)
        for change in transaction.changes { take(change, &context) }
        let count = context.losses.count
        settle(&context)
        // What dies at the end dies in no order.
        let lost =
            context.losses[..<count].map(\.text) + context.losses[count...].map(\.text).sorted()
        var told: [String] = []
        if case .overridden(let all) = record.outcome { told = all.map(\.text) }
        told = told.prefix(count) + told.dropFirst(count).sorted()
        guard told == lost else {
            throw Violation(
                .receipts, "\(transaction.id) lost something else than its receipt says",
                "told: \(told)", "lost: \(lost)")
        }
    }

    /// Stamps rise within a replica, and above all that its author had seen.
    private func checkStamp(of record: LogRecord, _ transaction: Transaction) throws(Violation) {
        let replica = transaction.id.replica
        let base = Int(transaction.base.version.number)
        let floor = max(ticksLast[replica] ?? 0, ticks.indices.contains(base) ? ticks[base] : 0)
        guard record.origin.ticks > floor else {
            throw Violation(
                .receipts, "the stamp of \(transaction.id) is not above what its author had seen",
                "stamp: \(record.origin.ticks)", "seen: \(floor)")
        }
        ticksLast[replica] = record.origin.ticks
        ticks.append(max(ticks.last ?? 0, record.origin.ticks))
    }

    // MARK: Classes

    func add(_ addition: ClassSchema) {
        guard let present = schema[addition.name] else { return schema.put(addition) }
        let new = addition.properties.filter { present.property($0.name) == nil }
        schema.put(
            ClassSchema(
                present.name, primaryKey: present.primaryKey, properties: present.properties + new,
                isEmbedded: present.isEmbedded))
    }

    func property(_ name: String, of className: String) -> PropertySchema? {
        schema[className]?.property(name)
    }

    // MARK: Lives

    /// The life that a change means, where it goes on.
    func life(_ name: ObjectName) -> OracleLife? {
        let meant = lives[PlainName(name)]?.last { $0.names.contains(name.life) }
        return meant?.isOver == false ? meant : nil
    }

    func living(_ className: String) -> [OracleLife] {
        lives.values.compactMap(\.last).filter { $0.name.className == className && !$0.isOver }
    }

    func target(of value: Value, _ property: PropertySchema) -> OracleLife? {
        guard case .link(let link) = value, let className = property.type.linkedClass,
            let life = link.life
        else { return nil }
        return self.life(ObjectName(className, link.key, life: life))
    }

    /// The life that a creation is of: a new one, where its author knew of the last one's end; nil
    /// where he did not.
    func life(created name: PlainName, _ context: inout Context) -> OracleLife? {
        let id = context.transaction.id
        if let present = lives[name]?.last {
            guard let death = present.death else {
                present.merge(id)
                return present
            }
            let isKnown =
                death.version <= context.transaction.base.version || death.replica == id.replica
                || context.deletedTwice.contains(name)
            guard isKnown else { return nil }
        }
        let life = OracleLife(name, by: id, at: context.stamp)
        lives[name, default: []].append(life)
        if schema[name.className]?.isEmbedded == true { context.doubts.doubt(life, isMeant: false) }
        return life
    }

    func nextOrder() -> Int {
        sayings += 1
        return sayings
    }

    // MARK: The state

    var objects: [PlainName: ObjectPicture] {
        var objects: [PlainName: ObjectPicture] = [:]
        for (name, all) in lives {
            guard let life = all.last, !life.isOver, let schema = schema[name.className] else {
                continue
            }
            objects[name] = life.picture(by: schema)
        }
        return objects
    }

    /// That the realm is what follows from what was said.
    /// - Parameter isOrdered: whether lists have to be in the same order.
    func check(
        _ realm: RealmPicture, at version: Version, isOrdered: Bool
    ) throws(Violation) {
        var (realm, wanted) = (realm, RealmPicture(objects: objects, schema: schema))
        if !isOrdered { (realm, wanted) = (realm.withoutOrder, wanted.withoutOrder) }
        guard realm == wanted else {
            throw Violation(
                .agreement, "at version \(version) the server has merged otherwise than the rules",
                "server / rules: " + realm.difference(to: wanted))
        }
        try checkUnique(at: version)
    }
}

extension Override {
    fileprivate var text: String { "\(className) \(key) \(property ?? "-") \(reason)" }
}

extension Outcome {
    /// Whether any of it was done.
    var isApplied: Bool {
        switch self {
        case .accepted, .overridden: true
        case .refused, .parked: false
        }
    }
}
