/// What both sides hold each other to.
package enum ProtocolLimits {
    /// The one version there is, and the oldest that is still spoken.
    package static let version: UInt64 = 1
    package static let versionMin: UInt64 = 1
    /// Bytes of one WebSocket message, so that realms on one connection take turns.
    package static let messageBytesMax = 64 << 10
    /// Bytes of a part: a message, less what stands around the part in it.
    package static let partBytesMax = (64 << 10) - 128
    /// Bytes that each side grants a channel when it opens: enough that a round trip of 100 ms does
    /// not hold back 40 MB/s, little enough to hold for every session.
    package static let creditInitial = 4 << 20
    /// Bytes of credit that are counted; more is as good as this.
    package static let creditMax: UInt64 = 64 << 20
    /// Realms that one connection may have open.
    package static let channelsMax = 64
    /// Subscriptions of one replica.
    package static let subscriptionsMax = 256
    /// Bytes of a query's text.
    package static let queryBytesMax = 8 << 10
    package static let argumentsMax = 64
    /// Links that held objects may be away from a root.
    package static let depthMax = 8
    package static let depthDefault = 3
    /// Bytes of a group that a client puts together: a first download of ten million tasks.
    package static let groupBytesMax = 1 << 30
    /// Bytes of a name, a password or a token in a login.
    package static let credentialBytesMax = 1024
    package static let passwordBytesMin = 8
    /// Points and probes of an inquiry: together with what else stands there, some 30 KB.
    package static let pointsMax = 1_000
    package static let probesMax = 256
    /// Bytes of the receipts in the answer to one.
    package static let findingsBytesMax = 48 << 10
}
