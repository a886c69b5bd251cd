import TarnModel

/// All that a realm holds, as one plain value: a copy of it is a snapshot, and to put the copy back
/// is to roll back. Nothing is indexed that need not be; what it answers is meant to be seen at a
/// glance to be right.
struct RealmState: Sendable {
    var schema = Schema()
    var floor = Version.zero
    /// What is at or below it and was forgotten has been freed; what was passed since has not.
    var freed = Version.zero
    var moments: [VersionMoment] = []
    /// Version n stands at n - 1; nil where it was forgotten.
    var versions: [StoredVersion?] = []
    /// By class number, then by the object's number less one; tombstones among them, and nil where
    /// they were forgotten.
    var objects: [[StoredObject?]] = []
    /// By class number: the numbers of those that live.
    var living: [[PrimaryKey: Int64]] = []
    var aliases: [AliasName: TransactionID] = [:]
    /// How many slots were ever placed.
    var placings: Int64 = 0
    var heads: [ReplicaID: ReplicaHead] = [:]
    var receipts: [ReplicaID: [UInt64: Receipt]] = [:]
    var views: [ViewKey: ViewRecord] = [:]
    /// By the view's number, in the order in which they entered.
    var members: [Int64: [Member]] = [:]
    var gaps: [VersionGap] = []

    var applied: ResumePoint { versions.last??.point ?? .zero }
}

/// One version of a realm.
struct StoredVersion: Sendable {
    let point: ResumePoint
    let origin: Origin
    /// Of this version and all before it.
    let highestTicks: UInt64
}

/// A merged creation, by which a life has another name.
struct AliasName: Hashable, Sendable {
    let classNumber: Int
    let key: PrimaryKey
    let transaction: TransactionID
}

struct StoredObject: Sendable {
    let key: PrimaryKey
    let life: TransactionID
    let created: Version
    /// Nil while it lives.
    var deleted: Version?
    /// By property number; collections have one that is not used.
    var cells: [StoredCell]
    /// By property number; what is no list has an empty one.
    var lists: [[StoredSlot]]
    /// By property number, of sets and maps.
    var entries: [Int: [StoredValue: StoredEntry]] = [:]
    /// By property number, in order.
    var increments: [Int: [StoredIncrement]] = [:]
}

/// One entry of a set or map.
struct StoredEntry: Sendable {
    /// Nil where it was taken out.
    var value: StoredValue?
    /// Whose stamp it has.
    var stamped: Version
    /// At or above `stamped`: a link may have lost its target since.
    var changed: Version
}

/// What one version added to a cell.
struct StoredIncrement: Sendable {
    let version: Version
    var amount: Int64
}

struct StoredCell: Sendable {
    var value: StoredValue
    /// Whose stamp it has.
    var stamped: Version
    /// At or above `stamped`: a link may have lost its target since.
    var changed: Version
    var isDefault: Bool
}

/// A value whose link is an object, not a key: the key may come to name another one.
enum StoredValue: Hashable, Sendable {
    case plain(Value)
    case link(ObjectID)

    var target: ObjectID? {
        if case .link(let object) = self { object } else { nil }
    }
}

struct StoredSlot: Sendable {
    let id: SlotID
    let element: ElementID
    let place: ListPlace
    var value: StoredValue
    /// Which of all placings it was.
    let placing: Int64
    let placed: Version
    /// Nil while its element stands in it.
    var vacated: Version?

    var isLive: Bool { vacated == nil }
}

extension StorageError {
    /// An effect that does not fit what is stored, so one of the two is not what was written.
    package static func wrongEffect(_ cause: String) -> StorageError {
        StorageError(.corrupt, while: "applying an effect", cause: cause)
    }
}
