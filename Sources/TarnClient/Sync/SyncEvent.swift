package import TarnProtocol
package import TarnStorage

/// What happens to a `SyncEngine`.
package enum SyncEvent: Sendable {
    /// Be connected from now on; while waiting for the next try: try at once.
    case started
    /// The connection that was asked for is there.
    case connected
    /// One binary message of the connection.
    case received([UInt8])
    /// The connection is gone, or did not come about. The sentence says why.
    case disconnected(String)
    /// Something was written, or subscribed to, by whatever process.
    case localChange
    /// The time that `wake` asked for has passed; too early or too often does no harm.
    case timer
    /// How to log in, when `loginNeeded` asked for it.
    case credentials(Credentials)
}

/// What a `SyncEngine` wants done, in this order.
package enum SyncAction: Equatable, Sendable {
    case connect
    /// One binary message.
    case send([UInt8])
    /// End the connection, and report nothing of it any more.
    case disconnect
    /// Tell `timer` after so many milliseconds; replaces what was asked before.
    case wake(afterMilliseconds: Int64)
    /// Results, subscriptions or receipts are others now.
    case replicaChanged
    case statusChanged(SyncStatus)
    /// Keep the token for the next time.
    case loggedIn(user: String, token: String)
    /// There are no credentials, or they were refused: somebody must log in.
    case loginNeeded(ProtocolError?)
    /// Waiting does not mend it.
    case stopped(ProtocolError)
}

/// The clocks as an event met them.
package struct Moment: Sendable {
    /// Milliseconds since 1970, as people have it.
    package let wall: Int64
    /// Milliseconds of a clock that never jumps.
    package let steady: Int64

    package init(wall: Int64, steady: Int64) {
        self.wall = wall
        self.steady = steady
    }
}
