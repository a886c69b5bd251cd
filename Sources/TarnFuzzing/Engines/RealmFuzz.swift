import TarnModel
import TarnProtocol

/// Whole conversations of two connections with a server's engines: greetings, logins, openings,
/// subscriptions, uploads and everything else, in any order, well-formed and not.
enum RealmFuzz {
    @Sendable static func run(_ bytes: [UInt8]) throws(BrokenLaw) {
        var input = FuzzInput(bytes)
        var talk = ServerTalk()
        // The first byte spares most inputs the way to an open channel.
        try talk.prepare(input.byte())
        var steps = 0
        while !input.isAtEnd, steps < 200 {
            try talk.step(&input)
            steps += 1
        }
        try talk.server.settle()
        try talk.server.checkReplay()
    }
}

/// What the clients of a `FuzzedServer` say, as an input has it.
private struct ServerTalk {
    var server = FuzzedServer()
    private var genes = ChangeGenes()
    private var replicas = (1...3).map { TalkingReplica(id: ReplicaID(UInt64($0))) }
    /// Which replica each channel of each connection has opened.
    private var opened: [[Channel: Int]] = [[:], [:]]

    mutating func prepare(_ flags: UInt8) throws(BrokenLaw) {
        for connection in 0..<2 where flags >> UInt8(connection) & 1 == 0 {
            try greet(connection, "alice")
            try open(connection, Channel(1), replica: connection, credit: 1 << 20)
            try server.settle()
            if flags & 4 == 0 {
                try server.say(.start(Channel(1)), on: connection)
            }
        }
        guard flags & 1 == 0, flags & 8 == 0 else { return }
        try upload(FuzzSchema.classes.map { .addClass($0) }, 0, Channel(1))
        try server.settle()
    }

    mutating func step(_ input: inout FuzzInput) throws(BrokenLaw) {
        let byte = input.byte()
        let connection = Int(byte >> 7)
        let channel = Channel(UInt64(byte >> 5 & 3))
        switch byte & 0x1F {
        case 0: try server.receive(input.take(Int(input.short() & 0x3FF)), on: connection)
        case 1: try greet(connection, input.byte() & 7 == 7 ? "bob" : "alice")
        case 2: try server.say(.login(.token("token")), on: connection)
        case 3: try server.say(.logout, on: connection)
        case 4, 5:
            let replica = input.choice(3)
            let credit: [UInt64] = [1 << 20, 0, 100, .max]
            try open(
                connection, channel, replica: replica, credit: credit[input.choice(4)],
                staged: staged(connection, &input))
        case 6, 7: try subscribe(connection, channel, &input)
        case 8:
            try server.say(.unsubscribe(channel, number: Int64(input.choice(4))), on: connection)
        case 9: try server.say(.start(channel), on: connection)
        case 10...15: try write(connection, channel, &input)
        case 16: try uploadRaw(connection, channel, &input)
        case 17: try uploadPart(connection, channel, &input)
        case 18: try integrate(connection, channel, &input)
        case 19:
            let bytes: [UInt64] = [1000, .max, 0, 1]
            try server.say(.credit(channel, bytes: bytes[input.choice(4)]), on: connection)
        case 20: try server.say(.close(channel), on: connection)
        case 21: try server.disconnect(connection)
        case 22: server.holdsLog = true
        case 23: try server.completeLog()
        case 24: try server.failLog()
        case 25: try server.restart()
        case 26: try server.settle()
        case 27: try tellDigest(connection, channel, &input)
        default: try server.turn()
        }
    }

    private mutating func greet(_ connection: Int, _ user: String) throws(BrokenLaw) {
        try server.say(
            .hello(versions: [1], clock: FuzzedServer.now, program: "fuzz"), on: connection)
        try server.say(.login(.nickname(user)), on: connection)
    }

    /// As a replica that has lost nothing: it stands where the server last said that it stands.
    private mutating func open(
        _ connection: Int, _ channel: Channel, replica: Int, credit: UInt64,
        staged: StagedPoint? = nil
    ) throws(BrokenLaw) {
        guard let realm = RealmName(owner: "alice", name: "todo") else { return }
        opened[connection][channel] = replica
        let known = replicas[replica]
        try server.say(
            .open(
                channel,
                OpenRequest(
                    realm: realm, replica: known.id, acknowledgedSequence: known.acknowledged,
                    acknowledgedHash: known.hash(of: known.acknowledged),
                    integrated: known.integrated, credit: credit, staged: staged)), on: connection)
    }

    /// What is kept of a series: as the server gave it, spoilt, or the input's own; mostly nothing.
    private func staged(_ connection: Int, _ input: inout FuzzInput) -> StagedPoint? {
        let byte = input.byte()
        guard byte & 3 == 3, let known = server.connections[connection].staged else { return nil }
        var cursor = known.cursor
        switch byte >> 2 & 3 {
        case 0, 1: break
        case 2: cursor = input.take(Int(byte >> 4))
        default:
            if !cursor.isEmpty { cursor[input.choice(cursor.count)] = input.byte() }
        }
        return StagedPoint(point: known.point, cursor: cursor)
    }

    private mutating func tellDigest(
        _ connection: Int, _ channel: Channel, _ input: inout FuzzInput
    ) throws(BrokenLaw) {
        let number = Int64(input.choice(4))
        guard let digest = ContentDigest(bytes: input.take(64)) else { return }
        try server.say(.digest(channel, subscription: number, digest), on: connection)
    }

    private mutating func subscribe(
        _ connection: Int, _ channel: Channel, _ input: inout FuzzInput
    ) throws(BrokenLaw) {
        let byte = input.byte()
        let query = FuzzSchema.queries[Int(byte & 7)]
        let request = SubscribeRequest(
            number: Int64(byte >> 3 & 3), query: query, arguments: [], depth: Int(byte >> 5 & 3),
            isResumed: byte & 0x80 != 0, tellsDigest: byte & 0x81 != 0)
        try server.say(.subscribe(channel, request), on: connection)
    }

    // MARK: Uploads

    private mutating func write(
        _ connection: Int, _ channel: Channel, _ input: inout FuzzInput
    ) throws(BrokenLaw) {
        guard let replica = author(connection, channel) else { return }
        let changes = genes.changes(of: replicas[replica].next, from: &input)
        try upload(changes, connection, channel)
    }

    private mutating func upload(
        _ changes: [Change], _ connection: Int, _ channel: Channel
    ) throws(BrokenLaw) {
        guard let replica = author(connection, channel) else { return }
        let body = TransactionEncoder.body(
            of: Transaction(
                id: replicas[replica].next, base: base(connection, channel), changes: changes))
        try upload(body, of: replica, connection, channel)
    }

    /// A body whose names and changes are the input's own; what stands before them is right.
    private mutating func uploadRaw(
        _ connection: Int, _ channel: Channel, _ input: inout FuzzInput
    ) throws(BrokenLaw) {
        guard let replica = author(connection, channel) else { return }
        let empty = TransactionEncoder.body(
            of: Transaction(
                id: replicas[replica].next, base: base(connection, channel), changes: []))
        // An empty table and no changes are the last two bytes.
        let body = Array(empty.dropLast(2)) + input.take(Int(input.byte()))
        try upload(body, of: replica, connection, channel)
    }

    private mutating func upload(
        _ body: [UInt8], of replica: Int, _ connection: Int, _ channel: Channel
    ) throws(BrokenLaw) {
        let sealed = replicas[replica].seal(body)
        var cutter = PartCutter(sealed.encoded())
        while let part = cutter.next(credit: .max) {
            try server.say(
                .upload(channel, sequence: replicas[replica].sequence, part), on: connection)
        }
    }

    private mutating func uploadPart(
        _ connection: Int, _ channel: Channel, _ input: inout FuzzInput
    ) throws(BrokenLaw) {
        let (sequence, total, offset) = (input.byte(), input.byte(), input.byte())
        let bytes = input.take(Int(input.byte() & 0x3F))
        guard Int(offset) + bytes.count <= Int(total) else { return }
        let part = Part(total: UInt64(total), offset: UInt64(offset), bytes: bytes)
        try server.say(
            .upload(channel, sequence: UInt64(sequence), part), on: connection)
    }

    /// The replica that a channel has open. When its opening has just been answered, it goes on
    /// from what the server has of it, as one that sends its outbox again.
    private mutating func author(_ connection: Int, _ channel: Channel) -> Int? {
        guard let replica = opened[connection][channel] else { return nil }
        if let head = server.takeHead(of: channel, on: connection) {
            replicas[replica].rewind(to: head)
        }
        return replica
    }

    private func base(_ connection: Int, _ channel: Channel) -> ResumePoint {
        server.connections[connection].points[channel] ?? .zero
    }

    private mutating func integrate(
        _ connection: Int, _ channel: Channel, _ input: inout FuzzInput
    ) throws(BrokenLaw) {
        let point = base(connection, channel)
        let byte = input.byte()
        let known = server.connections[connection].receipts[channel] ?? 0
        let sequence = byte & 1 == 0 ? known : UInt64(byte)
        if let replica = opened[connection][channel], byte & 2 == 0 {
            replicas[replica].integrated = point
            replicas[replica].acknowledge(known)
        }
        try server.say(
            .integrated(channel, point, acknowledgedSequence: sequence), on: connection)
    }
}

/// A replica as the server may believe it to be.
private struct TalkingReplica {
    let id: ReplicaID
    private var hashes: [ChainHash] = [.zero]
    var integrated = ResumePoint.zero
    private(set) var acknowledged: UInt64 = 0

    init(id: ReplicaID) { self.id = id }

    var sequence: UInt64 { UInt64(hashes.count - 1) }
    var next: TransactionID { TransactionID(replica: id, sequence: sequence + 1) }

    func hash(of sequence: UInt64) -> ChainHash {
        sequence <= self.sequence ? hashes[Int(sequence)] : .zero
    }

    mutating func rewind(to sequence: UInt64) {
        guard sequence < self.sequence else { return }
        hashes.removeLast(Int(self.sequence - sequence))
    }

    mutating func acknowledge(_ sequence: UInt64) {
        if sequence <= self.sequence { acknowledged = max(acknowledged, sequence) }
    }

    mutating func seal(_ body: [UInt8]) -> SealedTransaction {
        let hash = hashes[hashes.count - 1].extended(by: body, sha256: FuzzSchema.digest)
        hashes.append(hash)
        return SealedTransaction(body: body, hash: hash, clockTicks: 1 << 40)
    }
}
