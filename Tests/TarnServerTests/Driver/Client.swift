import TarnModel
import TarnProtocol
import TarnStorage
import Testing

@testable import TarnServer

/// A replica that says what a test tells it to, over the encoded protocol, and keeps what it is
/// sent in a plain model.
final class Client {
    let stage: Stage
    let user: String
    var replica: ReplicaID
    var model = ReplicaModel()
    /// The subscriptions that the replica has, as it would ask for them again.
    private(set) var subscriptions: [Int64: SubscribeRequest] = [:]

    // The chain of its transactions.
    private(set) var sequence: UInt64 = 0
    private(set) var hash = ChainHash.zero
    var acknowledged: UInt64 = 0
    var acknowledgedHash = ChainHash.zero
    private var outbox: [(sequence: UInt64, sealed: SealedTransaction)] = []
    private(set) var receipts: [Receipt] = []
    /// What its clock is ahead of the server's, in milliseconds, as the server measured it too.
    var clockAhead: Int64 = 0

    // The session.
    private(set) var session: RealmSessionID?
    private(set) var opened: OpenReply?
    private(set) var errors: [ProtocolError] = []
    private(set) var groups: [Group] = []
    private(set) var grantedUploads: UInt64 = 0
    private(set) var received: [(sequence: UInt64, offset: UInt64)] = []
    private var assembler = PartAssembler(bytesMax: ProtocolLimits.groupBytesMax)
    private var unsent: [ClientMessage] = []
    /// Whether bytes taken are granted again, and groups confirmed, by themselves.
    var isPrompt = true
    /// Whether each group is compared with the server's state as it comes.
    var checksEveryGroup = false
    /// Whether it says that it will tell digests, and what it has of a series.
    var isThrifty = false
    /// How often it told a digest, stored a group of a series, and went on with one.
    private(set) var toldDigests = 0
    private(set) var stagedGroups = 0
    private(set) var continuations = 0
    /// The last transaction that was sent in this session.
    private var sent: UInt64 = 0
    /// Bytes that came, of parts too.
    private(set) var bytesTaken: UInt64 = 0

    init(_ stage: Stage, _ replica: UInt64, user: String = "alice") {
        self.stage = stage
        self.user = user
        self.replica = ReplicaID(replica)
    }

    var isOpen: Bool { session != nil }
    var lastGroup: Group? { groups.last }
    /// The transaction that `write` makes next.
    var nextID: TransactionID { TransactionID(replica: replica, sequence: sequence + 1) }
    var lastID: TransactionID { TransactionID(replica: replica, sequence: sequence) }
    var pending: Int { outbox.count }
    var unacknowledged: [(sequence: UInt64, sealed: SealedTransaction)] { outbox }

    // MARK: Opening

    func open(
        credit: UInt64 = 1 << 26, integrated: ResumePoint? = nil, offset: Int64? = nil,
        room: any OutputRoom = EndlessRoom()
    ) {
        let id = stage.nextSession()
        session = id
        opened = nil
        errors = []
        groups = []
        unsent = []
        sent = 0
        assembler = PartAssembler(bytesMax: ProtocolLimits.groupBytesMax)
        model.classes = [:]
        stage.connect(self, as: id)
        guard let realm = RealmName(owner: "alice", name: "todo") else { return }
        stage.engine.open(
            id, by: RealmVisitor(user: user, clockOffset: offset ?? -clockAhead),
            OpenRequest(
                realm: realm, replica: replica, acknowledgedSequence: acknowledged,
                acknowledgedHash: acknowledgedHash, integrated: integrated ?? model.integrated,
                credit: credit, staged: staged), room: room)
    }

    /// Opens to ask, and for nothing else.
    func ask(_ inquiry: Inquiry) {
        let id = stage.nextSession()
        session = id
        stage.connect(self, as: id)
        guard let realm = RealmName(owner: "alice", name: "todo") else { return }
        stage.engine.open(
            id, by: RealmVisitor(user: user, clockOffset: 0),
            OpenRequest(
                realm: realm, replica: replica, acknowledgedSequence: 0, acknowledgedHash: .zero,
                integrated: .zero, credit: 0, inquiry: inquiry))
    }

    private var staged: StagedPoint? {
        guard isThrifty, let last = model.staged.last, let progress = last.progress else {
            return nil
        }
        return StagedPoint(point: last.to, cursor: progress.cursor)
    }

    /// Opens, asks again for its subscriptions, starts and sends what is not decided.
    func resume(credit: UInt64 = 1 << 26, room: any OutputRoom = EndlessRoom()) {
        open(credit: credit, room: room)
        askAgain()
        say(.start(channel))
        stage.settle()
        upload()
        stage.settle()
    }

    /// Asks for what it has asked for before.
    func askAgain() {
        for request in subscriptions.values.sorted(by: { $0.number < $1.number }) {
            // What it was never sent it cannot go on from.
            let isResumed = model.members[request.number] != nil
            say(
                .subscribe(
                    channel,
                    SubscribeRequest(
                        number: request.number, query: request.query,
                        arguments: request.arguments, depth: request.depth, isResumed: isResumed,
                        tellsDigest: isThrifty && isResumed)))
        }
    }

    func disconnect() {
        if let session { stage.cut(session) }
        session = nil
    }

    /// The engine, or the end of its machine, has ended the session.
    func ended() { session = nil }

    var channel: Channel { session?.channel ?? Channel(0) }

    func say(_ message: ClientMessage) {
        guard let session else { return }
        do throws(FormatError) {
            let read = try ClientMessage(decoding: message.encoded())
            #expect(read == message)
            stage.engine.receive(read, from: session)
        } catch {
            Issue.record("\(error)")
        }
    }

    /// Says what is due by itself.
    /// - Returns: whether there was anything.
    func deliver() -> Bool {
        guard isPrompt, !unsent.isEmpty else { return false }
        for message in unsent { say(message) }
        unsent = []
        return true
    }

    /// Says some of what is due.
    func deliver(atMost count: Int) {
        for message in unsent.prefix(count) { say(message) }
        unsent.removeFirst(min(count, unsent.count))
    }

    // MARK: Subscriptions

    /// Stands where another replica stands, with what that one has and has asked for.
    func adopt(_ other: Client) {
        model = other.model
        subscriptions = other.subscriptions
    }

    func forgetSubscriptions() {
        for number in subscriptions.keys { model.forget(number) }
        subscriptions = [:]
    }

    func subscribe(
        _ number: Int64, _ query: String, depth: Int = 3, arguments: [Value] = [],
        isResumed: Bool = false
    ) {
        let request = SubscribeRequest(
            number: number, query: query, arguments: arguments, depth: depth, isResumed: isResumed)
        subscriptions[number] = request
        say(.subscribe(channel, request))
    }

    func unsubscribe(_ number: Int64) {
        subscriptions[number] = nil
        model.forget(number)
        say(.unsubscribe(channel, number: number))
    }

    // MARK: Writing

    /// Writes a transaction on what it has integrated, or on another base.
    @discardableResult
    func write(_ changes: [Change], base: ResumePoint? = nil) -> TransactionID {
        let id = nextID
        let body = TransactionEncoder.body(
            of: Transaction(id: id, base: base ?? model.integrated, changes: changes))
        seal(body)
        return id
    }

    func seal(_ body: [UInt8]) {
        sequence += 1
        hash = hash.extended(by: body, sha256: Digest.of)
        let clock = Stamp.ticks(milliseconds: stage.now + clockAhead)
        outbox.append((sequence, SealedTransaction(body: body, hash: hash, clockTicks: clock)))
    }

    /// Sends what is not acknowledged, from the first that the server has not decided.
    func upload() {
        for entry in outbox where entry.sequence > (opened?.sequence ?? 0) {
            upload(entry.sealed, entry.sequence)
        }
    }

    /// Sends the next transaction that this session has not sent; none before the opening is
    /// answered.
    func uploadNext() {
        guard let opened else { return }
        let from = max(sent, opened.sequence)
        guard let next = outbox.first(where: { $0.sequence > from }) else { return }
        sent = next.sequence
        upload(next.sealed, next.sequence)
    }

    /// - Returns: whether there was something to send.
    func uploadRest() -> Bool {
        let before = sent
        uploadNext()
        return sent != before
    }

    /// Writes, sends and waits for the group.
    @discardableResult
    func commit(_ changes: Change..., base: ResumePoint? = nil) -> TransactionID {
        let id = write(changes, base: base)
        if let last = outbox.last { upload(last.sealed, last.sequence) }
        stage.settle()
        return id
    }

    func upload(_ sealed: SealedTransaction, _ sequence: UInt64) {
        var cutter = PartCutter(sealed.encoded())
        while let part = cutter.next(credit: .max) {
            say(.upload(channel, sequence: sequence, part))
        }
    }

    func sealed(_ sequence: UInt64) -> SealedTransaction? {
        outbox.first { $0.sequence == sequence }?.sealed
    }

    /// The outcome of one of its transactions, once known.
    func outcome(_ id: TransactionID) -> Outcome? {
        receipts.last { $0.sequence == id.sequence }?.outcome
    }

    // MARK: Hearing

    func receive(_ message: ServerMessage) {
        do throws(FormatError) {
            let read = try ServerMessage(decoding: message.encoded())
            #expect(read == message)
            hear(read)
        } catch {
            Issue.record("\(error)")
        }
    }

    private func hear(_ message: ServerMessage) {
        switch message {
        case .opened(_, let reply):
            opened = reply
            if reply.goesOn { continuations += 1 } else { model.dropStaged() }
        case .failed(_, let error): errors.append(error)
        case .group(_, let part): take(part)
        case .credit(_, let bytes): grantedUploads += bytes
        case .received(_, let sequence, let offset): received.append((sequence, offset))
        case .compare(_, let number):
            toldDigests += 1
            unsent.append(
                .digest(channel, subscription: number, model.digest(of: number)))
        case .welcome, .loggedIn, .loggedOut, .historyPage:
            Issue.record("not one of a realm's messages")
        }
    }

    private func take(_ part: Part) {
        bytesTaken += UInt64(part.bytes.count)
        unsent.append(.credit(channel, bytes: UInt64(part.bytes.count)))
        do {
            guard let whole = try assembler.append(part) else { return }
            let group = try Group(decoding: whole)
            groups.append(group)
            model.take(group, known: Set(subscriptions.keys))
            guard group.progress == nil else {
                stagedGroups += 1
                return
            }
            for receipt in group.receipts { take(receipt) }
            if checksEveryGroup { try checkIfCurrent(group) }
            unsent.append(
                .integrated(channel, group.to, acknowledgedSequence: acknowledged))
        } catch {
            Issue.record("\(error)")
        }
    }

    /// A group that has just been made brings the replica to what the server has now.
    private func checkIfCurrent(_ group: Group) throws {
        guard group.to == stage.store.applied, stage.waiting == nil else { return }
        try expectAgreement("at version \(group.to.version)")
    }

    private func take(_ receipt: Receipt) {
        #expect(receipt.sequence == acknowledged + 1, "receipts come in order, each once")
        #expect(sealed(receipt.sequence)?.hash == receipt.hash)
        acknowledged = receipt.sequence
        acknowledgedHash = receipt.hash
        receipts.append(receipt)
        outbox.removeAll { $0.sequence <= receipt.sequence }
    }

    // MARK: Checking

    /// Whether it holds just what its subscriptions select now.
    func expectAgreement(
        _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(model.misfits == [], comment, sourceLocation: sourceLocation)
        var held: Set<ObjectKey> = []
        for (number, request) in subscriptions where model.faults[number] == nil {
            // What it was not told of at all yet is on its way.
            if checksEveryGroup && model.members[number] == nil { continue }
            let expected = try stage.state.members(of: request, by: user)
            #expect(
                model.members[number] == expected, comment, sourceLocation: sourceLocation)
            held.formUnion(expected.keys)
        }
        #expect(Set(model.objects.keys) == held, comment, sourceLocation: sourceLocation)
        for (key, object) in model.objects {
            let expected = try stage.state.object(key)
            #expect(object == expected, comment, sourceLocation: sourceLocation)
        }
    }
}
