import TarnModel
import TarnProtocol

/// A transaction that waits to be decided.
struct Upload {
    /// As the messages that brought it said; the body must say the same.
    let sequence: UInt64
    let sealed: SealedTransaction
}

/// What a session sends up: transactions, put together from their parts, that wait to be decided.
///
/// What has been taken in is granted again at once while little waits, since one transaction may be
/// larger than the window; past that, when some of it has been decided. So a session never holds
/// more than two windows of small transactions, or one of the largest beside the next.
struct UploadQueue {
    private var assembler = PartAssembler(bytesMax: TransactionLimits.bodyBytesReadMax + 1024)
    /// The transaction that is coming in.
    private var assembling: UInt64?
    private var waiting: [Upload] = []
    /// How many of `waiting` have been taken.
    private var taken = 0
    private var waitingBytes = 0
    /// Bytes that the client may send before it is granted more.
    private var credit = UInt64(ProtocolLimits.creditInitial)
    /// Bytes that came and have not been granted again.
    private var owed: UInt64 = 0

    var isEmpty: Bool { taken == waiting.count }

    /// How long the next transaction's body is; nil where none waits whole.
    var nextByteCount: Int? {
        taken < waiting.count ? waiting[taken].sealed.body.count : nil
    }

    /// Counts a part against the credit as it comes in, before it has its turn: what waits for one
    /// is bounded as well.
    /// - Returns: false where more came than was granted.
    mutating func receive(_ part: Part) -> Bool {
        let count = UInt64(part.bytes.count)
        guard count <= credit else { return false }
        credit -= count
        return true
    }

    /// - Returns: the bytes in hand of a transaction that is not whole yet; nil for one that is.
    mutating func append(_ part: Part, of sequence: UInt64) throws(ProtocolError) -> UInt64? {
        if let assembling, assembling != sequence {
            throw ProtocolError(
                .protocolViolation,
                "A part of transaction \(sequence) came inside transaction \(assembling).")
        }
        owed += UInt64(part.bytes.count)
        assembling = sequence
        do throws(FormatError) {
            guard let whole = try assembler.append(part) else { return assembler.offset }
            assembling = nil
            waiting.append(
                Upload(sequence: sequence, sealed: try SealedTransaction(decoding: whole)))
            waitingBytes += whole.count
            return nil
        } catch {
            throw ProtocolError(
                .protocolViolation, "Transaction \(sequence) cannot be read: \(error).")
        }
    }

    mutating func next() -> Upload? {
        guard taken < waiting.count else { return nil }
        let upload = waiting[taken]
        taken += 1
        waitingBytes -= min(waitingBytes, upload.sealed.body.count)
        if isEmpty {
            waiting = []
            (taken, waitingBytes) = (0, 0)
        } else if taken >= 1024, taken * 2 >= waiting.count {
            waiting.removeFirst(taken)
            taken = 0
        }
        return upload
    }

    /// Nothing that waits will be decided.
    mutating func drop() {
        waiting = []
        (taken, waitingBytes) = (0, 0)
    }

    /// Takes note of what is granted now; zero where there is nothing to grant, or too much waits.
    mutating func grant() -> UInt64 {
        let hasRoom =
            waitingBytes < ProtocolLimits.creditInitial
            && waiting.count - taken < ServerLimits.uploadsWaitingMax
        guard hasRoom else { return 0 }
        defer { owed = 0 }
        credit += owed
        return owed
    }
}
