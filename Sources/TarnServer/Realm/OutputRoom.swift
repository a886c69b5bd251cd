/// Room on the way to a session's client, which the sessions of one connection share. What a
/// connection has not written yet is in memory; that has a bound, whoever the client is and
/// whatever credit it gives.
///
/// A session without room makes nothing to be sent. It falls behind by version, not by bytes, and
/// `RealmEngine.roomCame` tells it when to go on.
package protocol OutputRoom: Sendable {
    /// Whether there is room for a part. If not, `roomCame` follows when there is.
    func isThere(for session: RealmSessionID) -> Bool

    /// Takes the room of a part, which is given back when the part is written.
    /// - Returns: false, and nothing is taken, where there is no room; then `roomCame` follows.
    func take(_ byteCount: Int, for session: RealmSessionID) -> Bool
}

/// As much room as anybody wants, where nothing is sent or somebody else sees to it.
package struct EndlessRoom: OutputRoom {
    package init() {}

    package func isThere(for session: RealmSessionID) -> Bool { true }
    package func take(_ byteCount: Int, for session: RealmSessionID) -> Bool { true }
}
