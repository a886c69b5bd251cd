import TarnCBOR
import TarnModel
import TarnProtocol

/// How far a series has come, as its session's replica keeps it for the server: by the replica's
/// numbers of its subscriptions, what is left of each walk.
struct SeriesCursor: Hashable {
    struct Entry: Hashable {
        /// What the subscription asks, in little: a client's numbers may mean something else.
        let question: UInt64
        /// Nil where it was too long to say: the view is told whole again.
        let walk: ViewWalk?
    }

    var entries: [Int64: Entry] = [:]

    /// A cursor stands in an `open`, which is one message.
    private static let bytesMax = 24 << 10

    /// `[[number, question, begun, done, total, place, [[place, base], ...]], ...]`, with null for
    /// the place before or behind all; a base is null, a version, or `[version, buckets]`.
    /// `[number, question]` for a walk that begins again, as all do that have no room.
    func encoded() -> [UInt8] {
        var writer = CBORWriter()
        writer.writeArrayHeader(entries.count)
        for (number, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard let walk = entry.walk, writer.bytes.count < Self.bytesMax else {
                writer.writeArrayHeader(2)
                writer.write(number)
                writer.write(entry.question)
                continue
            }
            writer.writeArrayHeader(7)
            writer.write(number)
            writer.write(entry.question)
            writer.write(walk.isBegun)
            writer.write(UInt64(UInt32(clamping: walk.done)))
            writer.write(UInt64(UInt32(clamping: walk.total)))
            Self.write(walk.position, &writer)
            writer.writeArrayHeader(walk.segments.count)
            for segment in walk.segments {
                writer.writeArrayHeader(2)
                Self.write(segment.last, &writer)
                Self.write(segment.base, &writer)
            }
        }
        return writer.bytes
    }

    private static func write(_ place: ObjectID?, _ writer: inout CBORWriter) {
        guard let place else { return writer.writeNull() }
        writer.writeArrayHeader(2)
        writer.write(place.classNumber)
        writer.write(place.number)
    }

    private static func write(_ base: ViewWalk.Base, _ writer: inout CBORWriter) {
        switch base {
        case .nothing: writer.writeNull()
        case .version(let version): writer.write(version.number)
        case .compared(let version, let buckets):
            writer.writeArrayHeader(2)
            writer.write(version.number)
            writer.write(bytes: buckets.bytes)
        }
    }
}

extension SeriesCursor {
    /// Nil for bytes that no server wrote.
    init?(decoding bytes: [UInt8]) {
        do throws(CBORError) {
            var reader = CBORReader(bytes)
            for _ in 0..<(try reader.readArrayHeader()) {
                let count = try reader.readArrayHeader()
                let number = try reader.readInt64()
                let question = try reader.readUInt64()
                entries[number] = Entry(
                    question: question, walk: count == 2 ? nil : try Self.readWalk(&reader))
            }
            try reader.expectEnd()
        } catch {
            return nil
        }
    }

    private static func readWalk(_ reader: inout CBORReader) throws(CBORError) -> ViewWalk {
        let isBegun = try reader.readBool()
        let done = Int(try reader.readUInt32())
        let total = Int(try reader.readUInt32())
        let position = try readPlace(&reader)
        var segments: [ViewWalk.Segment] = []
        for _ in 0..<(try reader.readArrayHeader()) {
            try reader.expectArray(2)
            let last = try readPlace(&reader)
            segments.append(ViewWalk.Segment(last: last, base: try readBase(&reader)))
        }
        return ViewWalk(
            position: position, segments: segments, isBegun: isBegun, done: done, total: total)
    }

    private static func readPlace(_ reader: inout CBORReader) throws(CBORError) -> ObjectID? {
        if try reader.skipNull() { return nil }
        try reader.expectArray(2)
        let classNumber = try reader.readInt()
        return ObjectID(classNumber: classNumber, number: try reader.readInt64())
    }

    private static func readBase(_ reader: inout CBORReader) throws(CBORError) -> ViewWalk.Base {
        switch try reader.peekType() {
        case .unsigned: return .version(Version(try reader.readUInt64()))
        case .array:
            try reader.expectArray(2)
            let version = Version(try reader.readUInt64())
            let start = reader.offset
            guard let buckets = BucketSet(bytes: try reader.readBytes()) else {
                throw CBORError(.malformed, at: start)
            }
            return .compared(version, buckets)
        default:
            try reader.readNull()
            return .nothing
        }
    }
}

extension SubscribeRequest {
    /// The first eight bytes of a hash over what makes it another one than others.
    func question(sha256: ([UInt8]) -> [UInt8]) -> UInt64 {
        var writer = CBORWriter()
        writer.writeArrayHeader(2 + arguments.count)
        writer.write(query)
        writer.write(depth)
        for argument in arguments { writer.write(argument) }
        return sha256(writer.bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
