import TarnModel
import TarnProtocol
import TarnServer

/// One client's connection to a `FuzzedServer`: its engine, and what it has been sent.
struct ServedConnection {
    let number: UInt64
    var engine = SessionEngine()
    private(set) var sessions: [Channel: RealmSessionID] = [:]
    private var openings: UInt64 = 0
    private var assemblers: [Channel: PartAssembler] = [:]
    /// Where the last group of each channel led; nil before the opening is answered.
    private var ends: [Channel: ResumePoint] = [:]
    /// The same of the last group that no other had to follow.
    private(set) var points: [Channel: ResumePoint] = [:]
    /// Where the last series on any channel had come to, as a replica keeps it.
    private(set) var staged: StagedPoint?
    /// The last receipt of each channel.
    private(set) var receipts: [Channel: UInt64] = [:]
    /// What the answer to an opening said that the server has of the replica, until it is asked.
    private var heads: [Channel: UInt64] = [:]

    init(number: UInt64) { self.number = number }

    /// A new connection takes this one's place.
    mutating func begin() {
        engine = SessionEngine()
        sessions = [:]
        assemblers = [:]
        (ends, points) = ([:], [:])
        receipts = [:]
        heads = [:]
    }

    mutating func takeHead(of channel: Channel) -> UInt64? { heads.removeValue(forKey: channel) }

    mutating func nextSession(on channel: Channel) -> RealmSessionID {
        openings += 1
        let session = RealmSessionID(connection: number, channel: channel, opening: openings)
        sessions[channel] = session
        assemblers[channel] = nil
        (ends[channel], points[channel]) = (nil, nil)
        receipts[channel] = nil
        heads[channel] = nil
        return session
    }

    mutating func leave(_ channel: Channel) -> RealmSessionID? {
        sessions.removeValue(forKey: channel)
    }

    mutating func closed(_ session: RealmSessionID) {
        guard sessions[session.channel] == session else { return }
        sessions[session.channel] = nil
        engine.channelEnded(session.channel)
    }

    /// What a realm sends to a session that may be over by now.
    mutating func take(_ message: ServerMessage, of session: RealmSessionID) throws(BrokenLaw) {
        guard sessions[session.channel] == session else { return }
        try take(message)
    }

    /// Every message can be read by a client, and every group follows on the one before.
    mutating func take(_ message: ServerMessage) throws(BrokenLaw) {
        let bytes = message.encoded()
        try require(
            bytes.count <= ProtocolLimits.messageBytesMax,
            "a message has \(bytes.count) bytes")
        let read: ServerMessage
        do throws(FormatError) {
            read = try ServerMessage(decoding: bytes)
        } catch {
            throw BrokenLaw(sentence: "a message cannot be read: \(error)")
        }
        try require(read == message, "a message is read as another one")
        switch message {
        case .group(let channel, let part): try take(part, on: channel)
        case .opened(let channel, let reply): heads[channel] = reply.sequence
        default: break
        }
    }

    private mutating func take(_ part: Part, on channel: Channel) throws(BrokenLaw) {
        var assembler =
            assemblers[channel] ?? PartAssembler(bytesMax: ProtocolLimits.groupBytesMax)
        let group: Group
        do throws(FormatError) {
            let whole = try assembler.append(part)
            assemblers[channel] = assembler
            guard let whole else { return }
            group = try Group(decoding: whole)
            for view in group.views { _ = try ViewDelta(decoding: view.delta) }
        } catch {
            throw BrokenLaw(sentence: "a group cannot be read: \(error)")
        }
        try require(group.to.version >= group.from.version, "a group leads backwards")
        if let point = ends[channel] {
            try require(group.from == point, "a group does not follow on the one before")
        }
        ends[channel] = group.to
        if let progress = group.progress {
            try require(group.receipts.isEmpty, "receipts come before a series ends")
            staged = StagedPoint(point: group.to, cursor: progress.cursor)
            return
        }
        points[channel] = group.to
        for receipt in group.receipts { receipts[channel] = receipt.sequence }
    }
}
