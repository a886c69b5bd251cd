import TarnModel

/// What a realm store keeps of its file in memory. It is a value, so that to roll back is to put an
/// earlier one back.
struct RealmCache {
    var schema = Schema()
    /// By class number.
    var classes: [RealmClass] = []
    /// What reads a whole row, by class number; forgotten when any class changes.
    var rowSelects: [Int: String] = [:]
    var applied = ResumePoint.zero
    /// Of the ticks of all versions.
    var highestTicks: UInt64 = 0
    var floor = Version.zero
    /// Numbers and names of replicas and users that were met so far.
    var replicaNumbers: [ReplicaID: Int64] = [:]
    var replicas: [Int64: ReplicaID] = [:]
    var userNumbers: [String: Int64] = [:]
    var users: [Int64: String] = [:]
}

/// The list, set or map of one object, with what its statements are made of.
struct RealmList {
    let owner: Int64
    let table: String
    let property: PropertySchema
    /// The class that elements lead to; nil where they are no links.
    let target: RealmClass?

    /// What to select for an element's value: a link's is the key of its target.
    var valueColumns: String {
        if let target { return "(SELECT k FROM \(target.table) WHERE n = v)" }
        return ClassLayout.elementColumns(property.type).joined(separator: ", ")
    }
}
