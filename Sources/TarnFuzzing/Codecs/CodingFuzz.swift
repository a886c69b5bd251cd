import TarnModel
import TarnProtocol
import TarnStorage

/// Formats: what is read of any bytes is written as bytes that mean the same, and these are written
/// again as they are.
enum CodingFuzz {
    @Sendable static func clientMessage(_ bytes: [UInt8]) throws(BrokenLaw) {
        try check(
            bytes, hasTable: false,
            { (bytes) throws(FormatError) in try ClientMessage(decoding: bytes) },
            { $0.encoded() })
    }

    @Sendable static func serverMessage(_ bytes: [UInt8]) throws(BrokenLaw) {
        try check(
            bytes, hasTable: false,
            { (bytes) throws(FormatError) in try ServerMessage(decoding: bytes) },
            { $0.encoded() })
    }

    @Sendable static func upload(_ bytes: [UInt8]) throws(BrokenLaw) {
        let sealed = try check(
            bytes, hasTable: false,
            { (bytes) throws(FormatError) in try SealedTransaction(decoding: bytes) },
            { $0.encoded() })
        if let sealed { try transaction(sealed.body) }
    }

    @Sendable static func transaction(_ bytes: [UInt8]) throws(BrokenLaw) {
        let transaction = try check(
            bytes, hasTable: true,
            { (bytes) throws(FormatError) in try TransactionDecoder.transaction(from: bytes) },
            { TransactionEncoder.body(of: $0) })
        guard let transaction else { return }
        try require(
            transaction.changes.count <= bytes.count, "there are more changes than bytes")
    }

    @Sendable static func group(_ bytes: [UInt8]) throws(BrokenLaw) {
        let group = try check(
            bytes, hasTable: false,
            { (bytes) throws(FormatError) in try Group(decoding: bytes) }, { $0.encoded() })
        for view in group?.views ?? [] { try delta(view.delta) }
    }

    @Sendable static func delta(_ bytes: [UInt8]) throws(BrokenLaw) {
        try check(
            bytes, hasTable: true,
            { (bytes) throws(FormatError) in try ViewDelta(decoding: bytes) }, { $0.encoded() })
    }

    @Sendable static func logRecord(_ bytes: [UInt8]) throws(BrokenLaw) {
        guard let realm = RealmID(bytes: Array(repeating: 1, count: RealmID.byteCount)) else {
            preconditionFailure("that many bytes are a realm's id")
        }
        try check(
            bytes, hasTable: true,
            { (bytes) throws(FormatError) in
                try LogRecord(bytes, realm: realm, version: Version(1))
            },
            { $0.encoded })
    }

    /// - Parameter hasTable: what the format names by its place in a table may get longer names:
    ///   we fill tables in the order of first use.
    @discardableResult
    private static func check<Form: Equatable>(
        _ bytes: [UInt8], hasTable: Bool, _ read: ([UInt8]) throws(FormatError) -> Form,
        _ write: (Form) -> [UInt8]
    ) throws(BrokenLaw) -> Form? {
        let form: Form
        do throws(FormatError) {
            form = try read(bytes)
        } catch {
            try require(!error.description.isEmpty, "an error says nothing")
            return nil
        }
        let written = write(form)
        try require(
            written.count <= (hasTable ? 4 * bytes.count : bytes.count),
            "\(bytes.count) bytes are written as \(written.count)")
        let again: Form
        do throws(FormatError) {
            again = try read(written)
        } catch {
            throw BrokenLaw(sentence: "what is written cannot be read: \(error)")
        }
        try require(again == form, "what is written is read as something else")
        try require(write(again) == written, "what is written is not its own canonical form")
        return form
    }
}
