import TarnModel
import TarnProtocol
import TarnStorage

/// Sends up what a replica did under an id that it has given up since, and that the server has
/// lost. It goes up under that id: whoever else goes by it holds the same work, and the server
/// sees that it is the same. What comes down but receipts is ignored.
struct ErrandRun {
    let errand: Recovery.Errand
    private let channel: Channel
    private var waiting: ArraySlice<TransactionID>
    private var current: (sequence: UInt64, cutter: PartCutter)?
    private var assembler = PartAssembler(bytesMax: ProtocolLimits.groupBytesMax)
    /// Bytes of parts that the server is ready to take; nil until it has opened the realm.
    private var credit: UInt64?
    /// The last transaction whose receipt has come.
    private var told: UInt64

    init(_ errand: Recovery.Errand, on channel: Channel) {
        self.errand = errand
        self.channel = channel
        waiting = errand.ids[...]
        told = errand.head.sequence
    }

    var isDone: Bool { told == errand.ids.last?.sequence ?? told }

    func request(
        realm: RealmName, at point: ResumePoint, common: ResumePoint?
    ) -> ClientMessage {
        .open(
            channel,
            OpenRequest(
                realm: realm, replica: errand.replica,
                acknowledgedSequence: errand.head.sequence, acknowledgedHash: errand.head.hash,
                integrated: point, credit: UInt64(ProtocolLimits.creditInitial), common: common))
    }

    /// - Returns: false where the server is not where it was when it was asked.
    mutating func begin(_ reply: OpenReply) -> Bool {
        guard errand.head == ChainState.Link(sequence: reply.sequence, hash: reply.hash) else {
            return false
        }
        credit = reply.credit
        return true
    }

    mutating func grant(_ bytes: UInt64) {
        guard let credit else { return }
        let (sum, overflow) = credit.addingReportingOverflow(bytes)
        self.credit = overflow ? .max : sum
    }

    /// What may be sent now. Must be called inside a storage transaction.
    mutating func next(from store: any ReplicaStore) throws -> [ClientMessage] {
        var messages: [ClientMessage] = []
        while let credit, credit > 0 {
            if current?.cutter.isFinished != false {
                guard let id = waiting.first else { break }
                guard let archived = try store.archived(id) else {
                    throw ReplicaError(.misfit, "the archive lacks what was to be sent again")
                }
                waiting.removeFirst()
                current = (id.sequence, PartCutter(archived.sealed.encoded()))
            }
            guard let sequence = current?.sequence,
                let part = current?.cutter.next(credit: Int(clamping: credit))
            else { break }
            self.credit = credit - UInt64(part.bytes.count)
            messages.append(.upload(channel, sequence: sequence, part))
        }
        return messages
    }

    /// Takes a part of a group, and files the receipts in it.
    mutating func take(_ part: Part, into store: any ReplicaStore) throws -> [ClientMessage] {
        let granted = ClientMessage.credit(channel, bytes: UInt64(part.bytes.count))
        guard let bytes = try assembler.append(part) else { return [granted] }
        let group = try Group(decoding: bytes)
        for receipt in group.receipts {
            let id = TransactionID(replica: errand.replica, sequence: receipt.sequence)
            guard receipt.sequence == told + 1, let known = try store.archived(id),
                known.sealed.hash == receipt.hash
            else {
                throw ReplicaError(.forked, "the server has decided other work under a former id")
            }
            told = receipt.sequence
            // What became of it may be something else than before.
            let entry = OutboxEntry(sequence: receipt.sequence, sealed: known.sealed)
            try store.settle(entry, by: receipt, as: id, behind: known.previous, at: group.time)
        }
        return [granted]
    }
}
