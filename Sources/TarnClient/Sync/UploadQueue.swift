import TarnModel
import TarnProtocol
import TarnStorage

/// Sends the outbox up, in order, each transaction once in a session, as the channel's credit
/// allows. Several may be on their way at once. The server takes a repeated one for what it is, so
/// it does no harm that a new session begins at the server's head again.
struct UploadQueue {
    private static let readAhead = 64
    /// Transactions on their way without a receipt: at a round trip of 100 ms some 40,000 a second,
    /// and well below what a server lets wait.
    static let inFlightMax: UInt64 = 4_096
    private let channel: Channel
    /// Bytes of parts that the server is ready to take.
    private var credit: UInt64
    /// The last transaction that was read from the outbox.
    private var last: UInt64
    private var waiting: ArraySlice<OutboxEntry> = []
    private var current: (sequence: UInt64, cutter: PartCutter)?

    /// - Parameter head: the last transaction that the server has.
    init(on channel: Channel, behind head: UInt64, credit: UInt64) {
        self.channel = channel
        self.credit = credit
        last = head
    }

    mutating func grant(_ bytes: UInt64) {
        let (sum, overflow) = credit.addingReportingOverflow(bytes)
        credit = overflow ? .max : sum
    }

    /// What may be sent now. Must be called inside a storage transaction.
    mutating func next(from store: any ReplicaStore) throws(StorageError) -> [ClientMessage] {
        var messages: [ClientMessage] = []
        let acknowledged = try store.chain().acknowledgedSequence
        let (end, overflow) = acknowledged.addingReportingOverflow(Self.inFlightMax)
        while credit > 0,
            let (sequence, part) = try nextPart(from: store, upTo: overflow ? .max : end)
        {
            credit -= UInt64(part.bytes.count)
            messages.append(.upload(channel, sequence: sequence, part))
        }
        return messages
    }

    private mutating func nextPart(
        from store: any ReplicaStore, upTo end: UInt64
    ) throws(StorageError) -> (UInt64, Part)? {
        if current == nil || current?.cutter.isFinished == true {
            if waiting.isEmpty {
                waiting = try store.pending(after: last, limit: Self.readAhead)[...]
            }
            guard let entry = waiting.first, entry.sequence <= end else { return nil }
            waiting.removeFirst()
            last = entry.sequence
            current = (entry.sequence, PartCutter(entry.sealed.encoded()))
        }
        guard let sequence = current?.sequence,
            let part = current?.cutter.next(credit: Int(clamping: credit))
        else { return nil }
        return (sequence, part)
    }
}
