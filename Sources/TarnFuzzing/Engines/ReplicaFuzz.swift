import TarnClient
import TarnModel
import TarnProtocol
import TarnStorage

/// What a server, or somebody in its place, may say to a client's engine, while its user writes,
/// subscribes and looks.
enum ReplicaFuzz {
    @Sendable static func run(_ bytes: [UInt8]) throws(BrokenLaw) {
        var input = FuzzInput(bytes)
        var talk = ClientTalk(client: try FuzzedClient())
        try talk.prepare(input.byte())
        var steps = 0
        while !input.isAtEnd, steps < 200 {
            try talk.step(&input)
            steps += 1
        }
        try talk.client.look()
    }
}

private struct ClientTalk {
    var client: FuzzedClient
    private var clock: UInt64 = 1 << 40

    init(client: FuzzedClient) { self.client = client }

    mutating func prepare(_ flags: UInt8) throws(BrokenLaw) {
        guard flags & 1 == 0 else { return }
        if flags & 2 == 0 {
            for query in FuzzSchema.queries.prefix(3) { subscribe(query) }
        }
        try client.tell(.started)
        try client.tell(.connected)
        try client.say(.welcome(version: 1, clock: 0))
        try client.say(.loggedIn(user: "alice", token: nil))
        try open(0)
        guard flags & 4 == 0 else { return }
        let classes = FuzzSchema.classes.enumerated().map {
            NumberedClass(number: $0.offset, schema: $0.element)
        }
        try send(classes: classes, views: [], receipts: [])
    }

    mutating func step(_ input: inout FuzzInput) throws(BrokenLaw) {
        let byte = input.byte()
        switch byte & 0x1F {
        case 0: try client.tell(.received(input.take(Int(input.short() & 0x3FF))))
        case 1: try client.tell(.started)
        case 2: try client.tell(.connected)
        case 3: try client.tell(.disconnected("the input says so"))
        case 4:
            client.pass(Int64(input.byte()) << 8)
            try client.tell(.timer)
        case 5: try client.tell(.localChange)
        case 6: try client.tell(.credentials(.token("other")))
        case 7: try client.say(.welcome(version: UInt64(byte >> 5 & 1) ^ 1, clock: 0))
        case 8:
            let user = byte & 0x20 == 0 ? "alice" : "bob"
            try client.say(.loggedIn(user: user, token: byte & 0x40 == 0 ? nil : "new"))
        case 9: try open(UInt64(byte >> 5))
        case 10...15: try sendGroup(&input)
        case 16: try sendRaw(&input)
        case 17: try client.say(.credit(FuzzedClient.channel, bytes: .max >> UInt64(byte >> 5)))
        case 18:
            let code = ErrorCode(rawValue: UInt64(input.byte() & 31)) ?? .overloaded
            let channel = byte & 0x20 == 0 ? nil : FuzzedClient.channel
            try client.say(.failed(channel, ProtocolError(code, "The input says so.")))
        case 19: subscribe(FuzzSchema.queries[Int(byte >> 5)])
        case 28: try client.say(.compare(FuzzedClient.channel, subscription: Int64(byte >> 5)))
        case 20: _ = try? client.replica.unsubscribe(named: "\(input.choice(3))")
        case 21...26: write(&input)
        default: try client.look()
        }
    }

    private func subscribe(_ query: String) {
        // Each under a number as its name; a query that makes no sense is refused.
        let name = FuzzSchema.queries.firstIndex(of: query).map(String.init)
        _ = try? client.replica.subscribe(to: query, name: name, update: true)
    }

    private mutating func open(_ sequence: UInt64) throws(BrokenLaw) {
        guard let realm = RealmID(bytes: Array(repeating: 9, count: RealmID.byteCount)),
            let chain = client.status?.chain
        else { return }
        // What it has or, for a higher number, what it cannot have.
        let known = sequence < 6 ? chain.acknowledgedSequence : sequence
        try client.say(
            .opened(
                FuzzedClient.channel,
                OpenReply(
                    realm: realm, sequence: known, hash: chain.acknowledgedHash,
                    latest: client.resumePoint, credit: sequence & 1 == 0 ? 1 << 20 : 100)))
    }

    // MARK: Groups

    private mutating func sendGroup(_ input: inout FuzzInput) throws(BrokenLaw) {
        let flags = input.byte()
        var classes: [NumberedClass] = []
        if flags & 7 == 7 {
            let schema = [FuzzSchema.grownItem, FuzzSchema.item, FuzzSchema.project]
            classes.append(
                NumberedClass(number: input.choice(3), schema: schema[input.choice(3)]))
        }
        var views: [GroupView] = []
        for _ in 0..<flags >> 3 & 3 {
            let byte = input.byte()
            views.append(
                GroupView(
                    subscription: Int64(byte & 3) + 1, replaced: Self.replaced(by: byte),
                    delta: DeltaGenes.delta(from: &input).encoded()))
        }
        let receipts = flags & 0x20 == 0 ? [] : receipts(&input)
        let faults =
            flags & 0xC0 == 0xC0 ? [SubscriptionFault(subscription: 2, sentence: "no")] : []
        try send(classes: classes, views: views, receipts: receipts, faults: faults, flags: flags)
    }

    private static func replaced(by byte: UInt8) -> GroupView.Replacement {
        guard byte & 4 != 0 else { return .nothing }
        guard byte & 0x30 == 0x30 else { return .everything }
        return BucketSet(bytes: [byte]).map { .buckets($0) } ?? .everything
    }

    private mutating func send(
        classes: [NumberedClass], views: [GroupView], receipts: [Receipt],
        faults: [SubscriptionFault] = [], flags: UInt8 = 0
    ) throws(BrokenLaw) {
        let from = client.place
        let next = ResumePoint(version: Version(from.version.number + 1), salt: Salt(5))
        try client.send(
            Group(
                from: from, to: flags == 0x40 ? from : next, time: 1_700_000_000_000,
                classes: classes, views: views, receipts: receipts, faults: faults,
                progress: flags & 6 == 6
                    ? SeriesProgress(cursor: [flags], done: 1, total: 2) : nil),
            partBytes: flags & 1 == 0 ? 60_000 : 40)
    }

    /// Of what waits in the outbox, from its first on.
    private func receipts(_ input: inout FuzzInput) -> [Receipt] {
        let pending =
            (try? client.replica.read { try $0.store.pending(after: 0, limit: 3) }) ?? []
        return pending.map { entry in
            let byte = input.byte()
            let outcome: Outcome =
                switch byte & 3 {
                case 0, 1: .accepted
                case 2: .refused(Refusal(.wrongType, "The input says so."))
                default:
                    .overridden([
                        Override(
                            className: "Item", key: .int(1), property: "done",
                            reason: .laterValue)
                    ])
                }
            return Receipt(
                sequence: entry.sequence + UInt64(byte >> 7), hash: entry.sealed.hash,
                version: client.resumePoint.version.next, ticks: clock, outcome: outcome)
        }
    }

    /// A group whose views are the input's own bytes; what stands before them is right.
    private mutating func sendRaw(_ input: inout FuzzInput) throws(BrokenLaw) {
        let subscription = Int64(input.choice(3)) + 1
        let view = GroupView(
            subscription: subscription, isFull: input.byte() & 1 == 1,
            delta: input.take(Int(input.byte())))
        try send(classes: [], views: [view], receipts: [])
    }

    // MARK: Writes

    /// One write of up to four steps; the first that is refused takes all back.
    private mutating func write(_ input: inout FuzzInput) {
        clock += 1
        let steps = 1 + input.choice(4)
        var rest = input
        _ = try? client.replica.write(clockTicks: clock) { write in
            for _ in 0..<steps { try Self.step(&write, &rest) }
        }
        input = rest
    }

    private static func step(
        _ write: inout WriteTransaction, _ input: inout FuzzInput
    ) throws {
        let byte = input.byte()
        let schema = FuzzSchema.classes[Int(byte & 1)]
        let number = Int64(byte >> 1 & 3)
        let key: PrimaryKey = byte & 1 == 0 ? .string(Text("p\(number)")) : .int(number)
        let property = schema.properties[input.choice(schema.properties.count)]
        let kind = byte >> 3 & 7
        // One that was a list's is now and then another collection's or a counter's.
        if byte & 0xC0 == 0xC0 { return try changeMore(schema, key, &write, &input) }
        if kind == 0 {
            try write.addClass(byte & 1 == 0 ? FuzzSchema.project : FuzzSchema.grownItem)
            return
        }
        if kind == 1 {
            let value = DeltaGenes.value(of: property, from: &input)
            _ = try write.create(schema.name, key, [InitialValue(property.name, value)])
            return
        }
        guard let object = try write.reader.find(schema.name, key) else { return }
        let list = schema.properties.first(where: \.isList) ?? property
        switch kind {
        case 2: try write.delete(object)
        case 3:
            let value = DeltaGenes.value(of: list, from: &input)
            try write.append(value, to: list.name, of: object)
        case 4:
            let value = DeltaGenes.value(of: list, from: &input)
            try write.insert(value, at: input.choice(3), in: list.name, of: object)
        case 5:
            try write.move(
                from: input.choice(4), to: input.choice(4), in: list.name, of: object)
        case 6: try write.remove(at: input.choice(3), in: list.name, of: object)
        default:
            let value = DeltaGenes.value(of: property, from: &input)
            try write.set(property.name, of: object, to: value)
        }
    }

    private static func changeMore(
        _ schema: ClassSchema, _ key: PrimaryKey, _ write: inout WriteTransaction,
        _ input: inout FuzzInput
    ) throws {
        guard let object = try write.reader.find(schema.name, key),
            let set = schema.properties.first(where: { $0.kind == .set }),
            let map = schema.properties.first(where: { $0.kind == .map })
        else { return }
        let key = "k\(input.byte() & 3)"
        switch input.choice(5) {
        case 0: try write.increment("count", of: object, by: Int64(input.byte()))
        case 1:
            let value = DeltaGenes.value(of: set, from: &input)
            try write.insert(member: value, into: set.name, of: object)
        case 2:
            let value = DeltaGenes.value(of: set, from: &input)
            try write.remove(member: value, from: set.name, of: object)
        case 3:
            let value = DeltaGenes.value(of: map, from: &input)
            try write.set(value, under: key, in: map.name, of: object)
        default: try write.remove(key: key, from: map.name, of: object)
        }
    }
}
