import TarnCBOR
import TarnModel

/// Reads one message. Fields behind those that a kind has are stepped over, so that later versions
/// may add some.
struct MessageReader {
    var cbor: CBORReader
    let kind: UInt64
    private let fields: Int
    private let start: Int

    private init(_ bytes: [UInt8]) throws(CBORError) {
        cbor = CBORReader(bytes)
        // The bytes are one item, whatever its header promises and whatever is stepped over in it.
        var whole = cbor
        try whole.skipItem()
        try whole.expectEnd()
        let count = try cbor.readArrayHeader()
        guard count > 0 else { throw CBORError(.malformed, at: 0) }
        fields = count - 1
        start = cbor.offset
        kind = try cbor.readUInt64()
    }

    static func read<Message>(
        _ noun: String, _ bytes: [UInt8],
        _ body: (inout MessageReader) throws(CBORError) -> Message
    ) throws(FormatError) -> Message {
        do throws(CBORError) {
            guard bytes.count <= ProtocolLimits.messageBytesMax else {
                throw CBORError(.tooLarge, at: 0)
            }
            var reader = try MessageReader(bytes)
            return try body(&reader)
        } catch {
            throw FormatError(reading: noun, .cbor(error))
        }
    }

    var unknownKind: CBORError { CBORError(.outOfRange, at: start) }

    func expect(fields count: Int) throws(CBORError) {
        guard fields >= count else { throw CBORError(.malformed, at: start) }
    }

    /// Reads a map of numbered options, each once and in their order. The body reads each one's
    /// value, and steps over those that it does not know.
    mutating func readOptions(
        _ body: (_ option: UInt64, inout CBORReader) throws(CBORError) -> Void
    ) throws(CBORError) {
        var last: UInt64 = 0
        for _ in 0..<(try cbor.readMapHeader()) {
            let start = cbor.offset
            let option = try cbor.readUInt64()
            guard option > last else { throw CBORError(.malformed, at: start) }
            last = option
            try body(option, &cbor)
        }
    }

    mutating func readChannel() throws(CBORError) -> Channel {
        Channel(try cbor.readUInt64())
    }

    mutating func readPart() throws(CBORError) -> Part {
        let start = cbor.offset
        let total = try cbor.readUInt64()
        let offset = try cbor.readUInt64()
        let bytes = try cbor.readBytes()
        let (end, overflow) = offset.addingReportingOverflow(UInt64(bytes.count))
        guard !overflow, end <= total else { throw CBORError(.outOfRange, at: start) }
        return Part(total: total, offset: offset, bytes: bytes)
    }
}
