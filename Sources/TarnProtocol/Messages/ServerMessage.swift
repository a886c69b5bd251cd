package import TarnModel

/// What the server answers to an open: what it knows of the replica.
package struct OpenReply: Hashable, Sendable {
    package let realm: RealmID
    /// The replica's last transaction that is decided, and the chain's link there.
    package let sequence: UInt64
    package let hash: ChainHash
    /// The realm's latest version.
    package let latest: ResumePoint
    /// Bytes that it is ready to take.
    package let credit: UInt64
    /// The series that the replica has staged goes on from where it was broken off. Otherwise it is
    /// to be thrown away.
    package let goesOn: Bool
    /// To one who only asks: the channel has ended with this.
    package let findings: Findings?

    package init(
        realm: RealmID, sequence: UInt64, hash: ChainHash, latest: ResumePoint, credit: UInt64,
        goesOn: Bool = false, findings: Findings? = nil
    ) {
        self.realm = realm
        self.sequence = sequence
        self.hash = hash
        self.latest = latest
        self.credit = credit
        self.goesOn = goesOn
        self.findings = findings
    }
}

/// What the server says.
package enum ServerMessage: Hashable, Sendable {
    /// The version to speak, and its clock in milliseconds since 1970.
    case welcome(version: UInt64, clock: Int64)
    /// The user's id; a token for the next time, where the login was not by one.
    case loggedIn(user: String, token: String?)
    case loggedOut
    /// Without a channel, the connection ends; with one, the channel is closed.
    case failed(Channel?, ProtocolError)
    case opened(Channel, OpenReply)
    case group(Channel, Part)
    /// The bytes of an unfinished upload are in hand up to there. It tells of progress: what was
    /// not finished when its channel ended begins anew.
    case received(Channel, sequence: UInt64, offset: UInt64)
    /// More bytes may go up.
    case credit(Channel, bytes: UInt64)
    /// The digest of a subscription is wanted, since nobody knows what the replica has of it.
    case compare(Channel, subscription: Int64)
    /// The answer to `history`.
    case historyPage(Channel, HistoryPage)
}
