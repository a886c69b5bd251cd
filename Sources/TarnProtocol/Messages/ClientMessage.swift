package import TarnModel

/// The number of a realm's stream on one connection, chosen by the client.
package struct Channel: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}

/// How somebody proves who they are.
package enum Credentials: Hashable, Sendable {
    case password(name: String, password: String, register: Bool)
    /// A bare name, where the server allows it.
    case nickname(String)
    /// What an earlier login answered.
    case token(String)

    package var provider: String {
        switch self {
        case .password: "password"
        case .nickname: "nickname"
        case .token: "token"
        }
    }
}

/// What a replica says when it opens its realm: where it stands, to be verified.
package struct OpenRequest: Hashable, Sendable {
    package let realm: RealmName
    package let replica: ReplicaID
    /// Its last transaction whose receipt it has, and the chain's link there.
    package let acknowledgedSequence: UInt64
    package let acknowledgedHash: ChainHash
    /// What it has integrated.
    package let integrated: ResumePoint
    /// Bytes that it is ready to take.
    package let credit: UInt64
    /// Where a series of groups was broken off, if one was.
    package let staged: StagedPoint?
    /// It only asks.
    package let inquiry: Inquiry?
    /// What its transactions are based on, where that is not of the server's history; nil where
    /// there is no such transaction.
    package let common: ResumePoint?

    package init(
        realm: RealmName, replica: ReplicaID, acknowledgedSequence: UInt64,
        acknowledgedHash: ChainHash, integrated: ResumePoint, credit: UInt64,
        staged: StagedPoint? = nil, inquiry: Inquiry? = nil, common: ResumePoint? = nil
    ) {
        self.realm = realm
        self.replica = replica
        self.acknowledgedSequence = acknowledgedSequence
        self.acknowledgedHash = acknowledgedHash
        self.integrated = integrated
        self.credit = credit
        self.staged = staged
        self.inquiry = inquiry
        self.common = common
    }
}

/// How far a series of groups has come that is stored and not applied yet.
package struct StagedPoint: Hashable, Sendable {
    /// What the last of its groups leads to.
    package let point: ResumePoint
    /// What that group said of how far it had come; for the server alone to read.
    package let cursor: [UInt8]

    package init(point: ResumePoint, cursor: [UInt8]) {
        self.point = point
        self.cursor = cursor
    }
}

/// A query to be kept up to date on the replica.
package struct SubscribeRequest: Hashable, Sendable {
    /// The replica's number for it.
    package let number: Int64
    package let query: String
    package let arguments: [Value]
    package let depth: Int
    /// The replica has the subscription's objects as of what it has integrated; otherwise it is
    /// sent all of them.
    package let isResumed: Bool
    /// The replica has objects of the subscription, and tells their digest if it is asked: so that
    /// a server that does not know what they are of need not send all of them.
    package let tellsDigest: Bool

    package init(
        number: Int64, query: String, arguments: [Value], depth: Int, isResumed: Bool,
        tellsDigest: Bool = false
    ) {
        self.number = number
        self.query = query
        self.arguments = arguments
        self.depth = depth
        self.isResumed = isResumed
        self.tellsDigest = tellsDigest
    }
}

/// A piece of something longer than a message: a transaction going up, a group coming down.
package struct Part: Hashable, Sendable {
    package let total: UInt64
    package let offset: UInt64
    package let bytes: [UInt8]

    package init(total: UInt64, offset: UInt64, bytes: [UInt8]) {
        self.total = total
        self.offset = offset
        self.bytes = bytes
    }
}

/// What a client says.
package enum ClientMessage: Hashable, Sendable {
    /// First of all: the versions it speaks, its clock in milliseconds since 1970, its name.
    case hello(versions: [UInt64], clock: Int64, program: String)
    case login(Credentials)
    /// Ends the session that the login's token stands for.
    case logout
    case open(Channel, OpenRequest)
    case subscribe(Channel, SubscribeRequest)
    case unsubscribe(Channel, number: Int64)
    /// All subscriptions that the replica holds are told: groups may come.
    case start(Channel)
    case upload(Channel, sequence: UInt64, Part)
    /// A group is applied and stored; receipts up to that sequence are known.
    case integrated(Channel, ResumePoint, acknowledgedSequence: UInt64)
    /// More bytes may come down.
    case credit(Channel, bytes: UInt64)
    case close(Channel)
    /// What the replica holds of a subscription, as `compare` asked for it.
    case digest(Channel, subscription: Int64, ContentDigest)
    /// What happened to a realm, or to an object. The channel is one that has nothing open, and is
    /// free again when the answer has come.
    case history(Channel, HistoryRequest)
}
