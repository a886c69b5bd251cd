import TarnModel
import TarnStorage

/// What a realm was at each of its versions, made from what is in the log and nothing else.
final class RealmHistory {
    private static let keptMax: UInt64 = 400
    private let realm: RealmID
    private let store = MemoryRealmStore()
    private var versions: [UInt64: MemoryRealmStore] = [:]
    private var pictures: [UInt64: RealmPicture] = [:]
    private var salts: [Salt] = [.zero]
    private(set) var latest: MemoryRealmStore

    init(of realm: RealmID) {
        self.realm = realm
        latest = store.crashed(losingTail: 0)
        versions[0] = latest
    }

    func append(_ record: LogRecord) throws {
        guard record.realm == realm, Int(record.point.version.number) == salts.count else {
            throw Violation(
                .durability, "the log goes on with \(record.point) after \(salts.count - 1)")
        }
        try store.begin()
        try store.append(record.point, origin: record.origin)
        for effect in record.effects { try store.apply(effect) }
        try store.commit()
        try store.checkpoint()
        salts.append(record.point.salt)
        latest = store.crashed(losingTail: 0)
        let number = record.point.version.number
        versions[number] = latest
        if number > Self.keptMax {
            versions[number - Self.keptMax] = nil
            pictures[number - Self.keptMax] = nil
        }
    }

    /// Nil for one that is too old.
    func version(_ version: Version) -> MemoryRealmStore? { versions[version.number] }

    func picture(of version: Version) throws -> RealmPicture? {
        if let known = pictures[version.number] { return known }
        guard let store = versions[version.number] else { return nil }
        let picture = try RealmPicture(of: store)
        pictures[version.number] = picture
        return picture
    }

    /// That a version which somebody knows is one of the log's.
    func check(_ point: ResumePoint, whose: String) throws(Violation) {
        let number = Int(point.version.number)
        guard salts.indices.contains(number), salts[number] == point.salt else {
            throw Violation(
                .durability, "\(whose) is of version \(point), which is not in the log",
                "the log ends at \(salts.count - 1)")
        }
    }

    /// That the server's state is what the log says.
    func check(_ store: MemoryRealmStore, after what: String) throws {
        let version = store.applied.version
        try check(store.applied, whose: "the server's state")
        guard let wanted = try picture(of: version) else { return }
        let found = try RealmPicture(of: store)
        guard found == wanted else {
            throw Violation(
                .durability,
                "after \(what) the server's state is not what the log says at "
                    + "version \(version)", found.difference(to: wanted))
        }
    }
}
