import TarnModel
package import TarnProtocol
import TarnStorage

/// One opening of a realm on a channel of a connection. A channel's number may come again, with
/// another user behind it: what is still on its way for the one must not reach the other.
package struct RealmSessionID: Hashable, Comparable, Sendable {
    package let connection: UInt64
    package let channel: Channel
    /// Which of the connection's openings it is.
    package let opening: UInt64

    package init(connection: UInt64, channel: Channel, opening: UInt64 = 0) {
        self.connection = connection
        self.channel = channel
        self.opening = opening
    }

    package static func < (left: RealmSessionID, right: RealmSessionID) -> Bool {
        (left.connection, left.channel.number, left.opening)
            < (right.connection, right.channel.number, right.opening)
    }
}

/// Who opens a realm, as the connection knows it.
package struct RealmVisitor: Hashable, Sendable {
    package let user: String
    /// Milliseconds that the client's clock is behind the server's.
    package let clockOffset: Int64

    package init(user: String, clockOffset: Int64) {
        self.user = user
        self.clockOffset = clockOffset
    }
}

/// A replica that has its realm open: what it has been sent, and what it sends.
final class RealmSession {
    let id: RealmSessionID
    let replica: ReplicaID
    let visitor: RealmVisitor
    /// What the server keeps of the replica; stored again whenever it matters.
    var head: ReplicaHead
    /// This replica's refused transactions by sequence, with the version of the refusal, until the
    /// replica has written on top of it.
    var refused: [UInt64: Version]
    /// Those of them that are parked, and what they wait for.
    var parked: [UInt64: Parking]
    /// What a base counts as that is not of this history; nil where there is to be none.
    let common: ResumePoint?
    /// The highest base that the replica has written on in this session.
    var lastBase = Version.zero

    var isStarted = false
    /// The next group is sent though it may say nothing new.
    var owesGroup = false
    /// What the replica is at once it has all that was sent.
    var sent: ResumePoint
    var receiptsSent: UInt64
    /// The same of the last group that went out to its last byte: what the replica can have.
    var delivered: ResumePoint
    var receiptsDelivered: UInt64
    var subscriptions: [Int64: SessionSubscription] = [:]
    /// Some of a series has been sent, and its last group not.
    var isInSeries = false
    /// Where an earlier session's series was broken off that goes on in this one.
    let cursor: SeriesCursor?
    /// By class number, how many properties of the class the connection's dictionary has; nil for a
    /// class that it does not have.
    var dictionary: [Int: Int] = [:]

    /// The group under way, and the bytes that the client is ready to take.
    var cutter: PartCutter?
    private(set) var credit: UInt64
    private let room: any OutputRoom
    /// It will be told when there is room again.
    private(set) var isWaitingForRoom = false
    /// Its views tell it of changes.
    var isAwake = true

    var uploads = UploadQueue()

    init(
        id: RealmSessionID, visitor: RealmVisitor, request: OpenRequest, head: ReplicaHead,
        refused: [UInt64: Version], parked: [UInt64: Parking], cursor: SeriesCursor?,
        room: any OutputRoom
    ) {
        self.id = id
        self.visitor = visitor
        self.head = head
        self.refused = refused
        self.parked = parked
        common = request.common
        replica = request.replica
        self.cursor = cursor
        isInSeries = cursor != nil
        sent = (cursor == nil ? nil : request.staged?.point) ?? request.integrated
        receiptsSent = request.acknowledgedSequence
        delivered = request.integrated
        receiptsDelivered = request.acknowledgedSequence
        self.room = room
        credit = min(request.credit, ProtocolLimits.creditMax)
    }

    func grant(_ bytes: UInt64) {
        let (sum, overflow) = credit.addingReportingOverflow(bytes)
        credit = overflow ? ProtocolLimits.creditMax : min(sum, ProtocolLimits.creditMax)
    }

    /// It cannot be sent anything before credit or room comes.
    var isStalled: Bool { credit == 0 || isWaitingForRoom }

    func roomCame() { isWaitingForRoom = false }

    /// Whether a part could be sent, of whatever length.
    func mayBeSentTo() -> Bool {
        guard credit > 0, !isWaitingForRoom else { return false }
        isWaitingForRoom = !room.isThere(for: id)
        return !isWaitingForRoom
    }

    /// The next part of the group under way; nil where there is none, or no credit or room for it.
    func nextPart() -> Part? {
        guard let cutter, !isWaitingForRoom else { return nil }
        let count = cutter.nextByteCount(credit: Int(clamping: credit))
        guard count > 0 else { return nil }
        guard room.take(count, for: id) else {
            isWaitingForRoom = true
            return nil
        }
        credit -= UInt64(count)
        return self.cutter?.next(credit: count)
    }
}

/// A subscription of a session.
struct SessionSubscription {
    let request: SubscribeRequest
    /// What it asks, in little.
    let question: UInt64
    /// Nil where the query cannot be answered.
    var view: View?
    /// Why it cannot.
    var fault: String?
    /// The replica is to be sent all of it.
    var needsFull: Bool
    /// On its way to the replica, a piece with each group; through where the series has others.
    var walk: ViewWalk?
    /// What the replica has of it is being found out.
    var comparison: Comparison?
    /// The fault, if any, has been told.
    var isFaultTold = false
}
