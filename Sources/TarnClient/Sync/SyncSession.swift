import TarnModel
import TarnProtocol
import TarnStorage

/// An open realm on a connection: what goes up and down between opening and the connection's end.
struct SyncSession {
    let channel: Channel
    private let replica: Replica
    /// What is to be done with the first group; nothing goes up before that.
    private var recovery: Recovery?
    /// What a recovery could not bring back, once it is done.
    private(set) var gap: Recovery.Gap?
    private var dictionary = ClassDictionary()
    private var assembler = PartAssembler(bytesMax: ProtocolLimits.groupBytesMax)
    private var uploads: UploadQueue
    /// Some of a series has come on this connection, and its last group not.
    private var isInSeries = false
    /// What is being compared, the first one just now.
    private var digests: [DigestInProgress] = []
    /// Subscriptions that the server has been told.
    private var announced: Set<Int64> = []
    /// Bytes that the server may still send.
    private var granted = UInt64(ProtocolLimits.creditInitial)
    private var duty = AnswerDuty()
    /// When the session began, by the steady clock.
    let began: Int64

    init(
        _ replica: Replica, on channel: Channel, reply: OpenReply, recovery: Recovery?,
        began: Int64
    ) {
        self.replica = replica
        self.channel = channel
        self.recovery = recovery
        self.began = began
        uploads = UploadQueue(on: channel, behind: reply.sequence, credit: reply.credit)
    }

    /// What a replica says when it opens its realm.
    static func request(
        for replica: Replica, recovering recovery: Recovery?
    ) throws -> OpenRequest {
        try replica.inTransaction(.reading) {
            let chain = try replica.store.chain()
            let identity = try replica.reader().identity
            let point = try recovery?.point ?? replica.store.resumePoint()
            return OpenRequest(
                realm: replica.identity.realmName,
                replica: recovery?.successor ?? identity.replica,
                acknowledgedSequence: recovery?.head.sequence ?? chain.acknowledgedSequence,
                acknowledgedHash: recovery?.head.hash ?? chain.acknowledgedHash,
                integrated: point, credit: UInt64(ProtocolLimits.creditInitial),
                staged: try replica.stagedPoint(from: point),
                common: recovery.map { $0.common(after: identity.common) } ?? identity.common)
        }
    }

    /// Whether the server's memory of the replica is right; the realm's id is kept when it is heard
    /// for the first time.
    static func check(
        _ reply: OpenReply, for replica: Replica, recovering recovery: Recovery?, epoch: UInt64?
    ) throws -> ProtocolError? {
        try replica.inTransaction(.writing(.relaxed)) {
            try replica.expectLease(epoch)
            let store = replica.store
            var identity = try replica.reader().identity
            let check = OpenCheck(
                identity: identity,
                chain: try recovery.map { ChainState(upTo: $0.head) } ?? store.chain(),
                resumePoint: try recovery?.point ?? store.resumePoint(),
                pendingHash: recovery == nil
                    ? try store.pending(reply.sequence)?.sealed.hash : nil)
            if let fault = check.fault(in: reply) { return fault }
            if !reply.goesOn { try replica.dropStaged() }
            if identity.realm == nil {
                identity.realm = reply.realm
                try store.setIdentity(identity)
            }
            return nil
        }
    }

    /// The first words after the opening: all subscriptions, then the work.
    mutating func begin() throws -> [ClientMessage] {
        try replica.inTransaction(.reading) {
            let told = try announce()
            return told + [.start(channel)] + (try nextUploads())
        }
    }

    /// What is new here since the server was told last.
    mutating func tellChanges() throws -> [ClientMessage] {
        try replica.inTransaction(.reading) {
            try announce() + (try nextUploads())
        }
    }

    mutating func grant(_ bytes: UInt64) throws -> [ClientMessage] {
        uploads.grant(bytes)
        return try replica.inTransaction(.reading) { try nextUploads() }
    }

    private mutating func nextUploads() throws(StorageError) -> [ClientMessage] {
        // Under which names they go up is settled by the first group.
        recovery == nil ? try uploads.next(from: replica.store) : []
    }

    private mutating func announce() throws(StorageError) -> [ClientMessage] {
        let subscriptions = try replica.store.subscriptions()
        let present = Set(subscriptions.map(\.number))
        var messages: [ClientMessage] = []
        for number in announced.subtracting(present).sorted() {
            messages.append(.unsubscribe(channel, number: number))
        }
        announced.formIntersection(present)
        for subscription in subscriptions where !announced.contains(subscription.number) {
            // One with an error is asked for again, too: its class may be there by now.
            let isComplete = if case .complete = subscription.state { true } else { false }
            // What a server had that was restored since is fetched anew.
            let isResumed = isComplete && recovery?.isRewound != true
            announced.insert(subscription.number)
            messages.append(
                .subscribe(
                    channel,
                    SubscribeRequest(
                        number: subscription.number, query: subscription.query,
                        arguments: subscription.arguments, depth: subscription.depth,
                        isResumed: isResumed, tellsDigest: isComplete)))
        }
        return messages
    }

    /// When `answerIfDue` has something to say, by the steady clock.
    var answerDue: Int64? { duty.due }

    /// What a part of a group came to.
    enum Taken {
        case part
        /// A group is whole and stored: others follow before it is taken in.
        case staged
        case applied
    }

    /// Takes a part of a group.
    ///
    /// - Returns: what to answer, and what it came to.
    mutating func take(
        _ part: Part, epoch: UInt64?, now: Int64
    ) throws -> (messages: [ClientMessage], came: Taken) {
        let count = UInt64(part.bytes.count)
        guard count <= granted else {
            throw ReplicaError(.misfit, "the server sent more than it was granted")
        }
        granted -= count
        let mustGrant = duty.took(count)
        guard let bytes = try assembler.append(part) else {
            return (mustGrant ? [credit(duty.granted())] : [], .part)
        }
        let group = try Group(decoding: bytes)
        if group.progress != nil {
            try replica.stage(
                group, as: bytes, from: recovery?.point, dictionary: &dictionary,
                isFirst: !isInSeries, epoch: epoch)
            isInSeries = true
            return (mustGrant ? [credit(duty.granted())] : [], .staged)
        }
        try apply(group, epoch: epoch)
        let mustAnswer = duty.applied(at: now)
        return try replica.inTransaction(.reading) {
            // Receipts make room for more.
            (try (mustAnswer ? answer() : []) + nextUploads(), .applied)
        }
    }

    private mutating func apply(_ group: Group, epoch: UInt64?) throws {
        do {
            try replica.integrate(
                group, dictionary: &dictionary, epoch: epoch, recovering: recovery)
        } catch {
            // What makes no sense now makes none the next time.
            if error.code == .misfit { try replica.giveUpSeries(epoch) }
            throw error
        }
        isInSeries = false
        gap = recovery?.gap
        recovery = nil
    }

    /// The server does not know what the replica holds of a subscription; one that has been given
    /// up meanwhile is nobody's.
    mutating func compare(_ subscription: Int64) throws {
        guard announced.contains(subscription) else { return }
        let (replica, subscription) = (replica, subscription)
        let digest = try replica.inTransaction(.reading) {
            try DigestInProgress(of: subscription, in: replica.store)
        }
        digests.append(digest)
    }

    /// Whether `goOnComparing` has something to do.
    var isComparing: Bool { !digests.isEmpty }

    /// Looks at some of what is to be compared.
    /// - Returns: a digest, where one is done.
    mutating func goOnComparing() throws -> [ClientMessage] {
        guard var digest = digests.first else { return [] }
        guard announced.contains(digest.subscription) else {
            digests.removeFirst()
            return []
        }
        try replica.inTransaction(.reading) { try digest.goOn(in: replica) }
        guard digest.isDone else {
            digests[0] = digest
            return []
        }
        digests.removeFirst()
        return [.digest(channel, subscription: digest.subscription, digest.digest)]
    }

    /// What was left unanswered, when its time has come.
    mutating func answerIfDue(at now: Int64) throws -> [ClientMessage] {
        guard let due = duty.due, due <= now else { return [] }
        return try replica.inTransaction(.reading) { try answer() }
    }

    private mutating func answer() throws(StorageError) -> [ClientMessage] {
        let integrated = ClientMessage.integrated(
            channel, try replica.store.resumePoint(),
            acknowledgedSequence: try replica.store.chain().acknowledgedSequence)
        return [integrated, credit(duty.answered())]
    }

    private mutating func credit(_ bytes: UInt64) -> ClientMessage {
        granted += bytes
        return .credit(channel, bytes: bytes)
    }
}

extension ChainState {
    /// A chain of which nothing is known but its last link.
    fileprivate init(upTo link: Link) {
        self.init(
            sequence: link.sequence, hash: link.hash, acknowledgedSequence: link.sequence,
            acknowledgedHash: link.hash, ticks: 0)
    }
}
