import TarnModel
import TarnProtocol
import TarnQuery
import TarnStorage

/// The server's live result of one distinct question, shared by all who subscribe to it.
///
/// Its members are stored with the versions at which they entered and left; here is what keeps them
/// up to date without a look at the rest of the realm.
final class View {
    let number: Int64
    let key: ViewKey
    let query: BoundQuery
    var reach: Reach
    /// As stored: every object that is in, with whether it is a root.
    var members: ObjectMap<Bool>
    /// The version that it was first evaluated at, and what the store has lost since: of these its
    /// stored members can tell nothing.
    private let created: Version
    private let gaps: [VersionGap]
    /// From here on it has been kept up without a break.
    private let liveSince: Version
    /// Who is subscribed to it now.
    private(set) var listeners: Set<RealmSessionID> = []
    /// Of these, who is told of a change. The others cannot be sent anything before they say so; a
    /// change must not cost the more, the more of them there are.
    private(set) var awake: Set<RealmSessionID> = []
    /// The versions at which its content changed last and before that: who is at the earlier one or
    /// above needs just `lastDelta`.
    private(set) var lastChange: Version
    private(set) var changeBefore: Version
    private(set) var lastDelta: [UInt8]?
    /// Encoded differences since earlier versions, for sessions that fell behind.
    private var differences: [Version: [UInt8]] = [:]
    private var recent: RecentChanges

    init(
        number: Int64, key: ViewKey, query: BoundQuery, reach: Reach, members: ObjectMap<Bool>,
        created: Version, gaps: [VersionGap], at version: Version, remembering recentObjects: Int
    ) {
        self.number = number
        self.key = key
        self.query = query
        self.reach = reach
        self.members = members
        self.created = created
        self.gaps = gaps
        liveSince = version
        lastChange = version
        changeBefore = version
        recent = RecentChanges(since: version, limit: recentObjects)
    }

    func add(_ listener: RealmSessionID) {
        listeners.insert(listener)
        awake.insert(listener)
    }

    func remove(_ listener: RealmSessionID) {
        listeners.remove(listener)
        awake.remove(listener)
    }

    func setAwake(_ isAwake: Bool, _ listener: RealmSessionID) {
        if !isAwake {
            awake.remove(listener)
        } else if listeners.contains(listener) {
            awake.insert(listener)
        }
    }

    /// Whether the difference since a version can be told exactly to one who had the view then.
    ///
    /// Whoever had it at a version was kept up to date by then, so whatever changed since is noted:
    /// at its version while the view was live, else at the version that it was revived at. But not
    /// for who has seen what the store then lost in a crash: what came by then and was gone at the
    /// revival was never noted. Nor for who is below the floor: what left by then is forgotten.
    func canTell(since version: Version, floor: Version) -> Bool {
        guard version >= floor else { return false }
        if version >= liveSince { return true }
        return version >= created && !gaps.contains { $0.contains(version) }
    }

    /// Whether what happened above a version is more than a group should say at once, or than
    /// anybody remembers.
    func isTooMuch(since version: Version, for budget: WalkBudget) -> Bool {
        guard version < lastChange else { return false }
        guard let extent = recent.extent(since: version) else { return true }
        return extent.objects > budget.objects || extent.bytes > budget.bytes
    }

    /// The same, but for what is at hand as a difference of a bearable size: three times the bytes,
    /// since they need no thought any more. A transaction of the largest size goes out at once.
    func isFar(from version: Version, for budget: WalkBudget) -> Bool {
        if let shared = sharedDelta(since: version), shared.count <= 3 * budget.bytes {
            return false
        }
        return isTooMuch(since: version, for: budget)
    }

    /// The objects that came, left or changed above a version, in order; nil where nobody
    /// remembers.
    func recentObjects(since version: Version) -> [ObjectID]? { recent.objects(since: version) }

    /// Notes that its content changed, and how; the objects are those that came, left or changed.
    func changed(at version: Version, _ delta: ViewDelta, objects: [ObjectID]) {
        changeBefore = lastChange
        lastChange = version
        let encoded = delta.encoded()
        lastDelta = encoded
        differences = [:]
        recent.add(objects, at: version, byteCount: encoded.count)
    }

    /// The encoded difference for one who is at a version, where it is at hand.
    func sharedDelta(since version: Version) -> [UInt8]? {
        version >= changeBefore ? lastDelta : differences[version]
    }

    /// Keeps a difference for others who are as far behind, until the next change.
    func share(_ delta: [UInt8], since version: Version) {
        guard differences.count < ServerLimits.differencesSharedMax else { return }
        differences[version] = delta
    }

    /// The members whose content may have changed above a version.
    func changedMembers(since version: Version) -> [ObjectID] {
        if let objects = recent.objects(since: version) {
            return objects.filter { members.contains($0) }
        }
        return members.sortedKeys
    }
}
