import TarnModel
import TarnStorage

/// One existence of an object, with all that was ever said of it. What it is follows from that.
final class OracleLife {
    /// Something said of a property.
    struct Saying {
        let isDefault: Bool
        let stamp: Stamp
        let author: ReplicaID
        let base: Version
        /// Of all sayings, which it was.
        let order: Int
        let value: Value
        /// What a link leads to; nil where that was dead when it was said.
        let target: OracleLife?

        /// Said by somebody rather than filled in, then later by its stamp, then later in one
        /// transaction.
        func beats(_ other: Saying) -> Bool {
            guard isDefault == other.isDefault else { return !isDefault }
            return (stamp, order) > (other.stamp, other.order)
        }

        /// A link leads to the life that was meant, and to nothing when that is over.
        var stands: Value {
            guard case .link = value else { return value }
            return target?.isOver == false ? value.withoutLife : .null
        }
    }

    /// What becomes of something said, for now.
    enum Reception {
        case stands
        /// It is beaten by what says the same.
        case standsAlready
        case lost
    }

    /// What was added to a number.
    struct Addition {
        let amount: Int64
        let author: ReplicaID
        let version: Version
        let order: Int
    }

    struct Death {
        let version: Version
        let replica: ReplicaID
    }

    let name: PlainName
    let creator: TransactionID
    let birth: Stamp
    /// The transactions that created it: the first, and those whose creation met it.
    private(set) var names: Set<TransactionID>
    private(set) var death: Death?
    private var sayings: [String: [Saying]] = [:]
    private var additions: [String: [Addition]] = [:]
    private var lists: [String: OracleList] = [:]
    private var entries: [String: OracleEntries] = [:]

    init(_ name: PlainName, by creator: TransactionID, at birth: Stamp) {
        self.name = name
        self.creator = creator
        self.birth = birth
        names = [creator]
    }

    var isOver: Bool { death != nil }

    func merge(_ transaction: TransactionID) { names.insert(transaction) }
    func end(_ death: Death) { self.death = death }

    func say(_ saying: Saying, of property: PropertySchema) -> Reception {
        let standing = standing(property)
        let isSame = saying.stands == value(property)
        sayings[property.name, default: []].append(saying)
        return saying.beats(standing) ? .stands : isSame ? .standsAlready : .lost
    }

    func list(_ property: String) -> OracleList {
        if let list = lists[property] { return list }
        let list = OracleList()
        lists[property] = list
        return list
    }

    func entries(_ property: String) -> OracleEntries {
        if let known = entries[property] { return known }
        let new = OracleEntries()
        entries[property] = new
        return new
    }

    /// - Returns: whether there is a number to add to.
    func add(_ addition: Addition, to property: PropertySchema) -> Bool {
        guard standing(property).value != .null else { return false }
        additions[property.name, default: []].append(addition)
        return true
    }

    /// What stands, with all that was added since by those whom its author had not heard of.
    private func value(_ property: PropertySchema) -> Value {
        let standing = standing(property)
        guard case .int(let number) = standing.value else { return standing.stands }
        return .int(
            (additions[property.name] ?? []).reduce(number) { sum, addition in
                let isKnown =
                    addition.order < standing.order
                    && (addition.version <= standing.base || addition.author == standing.author)
                return isKnown ? sum : sum &+ addition.amount
            })
    }

    /// The lives that a property leads to.
    func targets(_ property: PropertySchema) -> [OracleLife] {
        switch property.kind {
        case .value: standing(property).target.map { $0.isOver ? [] : [$0] } ?? []
        case .list: lists[property.name]?.targets ?? []
        case .set, .map: entries[property.name]?.targets ?? []
        }
    }

    /// Of all that was said, what nothing else beats.
    private func standing(_ property: PropertySchema) -> Saying {
        // What nobody said is a default of the creation, also of a property that came later.
        let unsaid = Saying(
            isDefault: true, stamp: birth, author: creator.replica, base: .zero, order: -1,
            value: property.initialValue, target: nil)
        let all = sayings[property.name] ?? []
        return all.first { saying in
            !all.contains { $0.order != saying.order && $0.beats(saying) } && saying.beats(unsaid)
        } ?? unsaid
    }

    func picture(by schema: ClassSchema) -> ObjectPicture {
        var picture = ObjectPicture(life: creator)
        for property in schema.properties {
            switch property.kind {
            case .value: picture.values[property.name] = value(property)
            case .list: picture.lists[property.name] = lists[property.name]?.picture ?? []
            case .set, .map:
                picture.entries[property.name] = entries[property.name]?.picture ?? []
            }
        }
        return picture
    }
}
