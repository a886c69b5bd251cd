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
    var members: [ObjectID: Bool]
    /// The versions for which the stored members can tell what changed since: from the view's
    /// creation to the version that it was last maintained at before it became live; and from when
    /// it became live on.
    private let knownHistory: ClosedRange<Version>
    private let liveSince: Version
    /// Who is subscribed to it now.
    var listeners: Set<RealmSessionID> = []
    /// The versions at which its content changed last and before that: who is at the earlier one or
    /// above needs just `lastDelta`.
    private(set) var lastChange: Version
    private(set) var changeBefore: Version
    private(set) var lastDelta: [UInt8]?

    init(
        number: Int64, key: ViewKey, query: BoundQuery, reach: Reach, members: [ObjectID: Bool],
        created: Version, maintained: Version, at version: Version
    ) {
        self.number = number
        self.key = key
        self.query = query
        self.reach = reach
        self.members = members
        knownHistory = created...max(created, maintained)
        liveSince = version
        lastChange = version
        changeBefore = version
    }

    /// Whether the difference since a version can be told exactly. Not below the creation; and not
    /// for who has seen what the store then lost in a crash, since what came and went in between
    /// was never noted.
    func canTell(since version: Version) -> Bool {
        knownHistory.contains(version) || version >= liveSince
    }

    /// Notes that its content changed, and how.
    func changed(at version: Version, _ delta: ViewDelta) {
        changeBefore = lastChange
        lastChange = version
        lastDelta = delta.encoded()
    }

    /// The encoded difference for one who is at a version, where it is at hand.
    func sharedDelta(since version: Version) -> [UInt8]? {
        version >= changeBefore ? lastDelta : nil
    }
}
