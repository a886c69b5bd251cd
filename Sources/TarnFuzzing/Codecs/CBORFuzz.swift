import TarnCBOR

/// One CBOR item, stepped over, and read item by item and written again.
enum CBORFuzz {
    @Sendable static func run(_ bytes: [UInt8]) throws(BrokenLaw) {
        var skipped = CBORReader(bytes)
        let skipFault = fault { () throws(CBORError) in try skipped.skipItem() }
        var walk = CBORWalk(bytes)
        let walkFault = fault { () throws(CBORError) in try walk.item(depth: 0) }
        try require(skipped.offset <= bytes.count, "the reader is behind the end")

        switch (skipFault?.code, walkFault?.code) {
        case (nil, nil):
            try require(
                skipped.offset == walk.reader.offset, "an item has another length when it is read")
        // Only what is read has a meaning to be wrong.
        case (nil, .notUTF8), (nil, .outOfRange): return
        case (nil, let code?): throw BrokenLaw(sentence: "a good item is \(code) when it is read")
        case (.tooLarge, _): return
        case (let code?, nil): throw BrokenLaw(sentence: "a read item is \(code) when skipped")
        case (_?, _?): return
        }
        try checkWritten(walk.writer.bytes, from: skipped.offset)
    }

    private static func checkWritten(_ bytes: [UInt8], from count: Int) throws(BrokenLaw) {
        try require(bytes.count <= count, "\(count) bytes are written as \(bytes.count)")
        var again = CBORWalk(bytes)
        let fault = fault { () throws(CBORError) in
            try again.item(depth: 0)
            try again.reader.expectEnd()
        }
        if let fault { throw BrokenLaw(sentence: "what is written cannot be read: \(fault)") }
        try require(again.writer.bytes == bytes, "what is written is not its own shortest form")
    }

    private static func fault(_ body: () throws(CBORError) -> Void) -> CBORError? {
        do throws(CBORError) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}

/// Reads an item with all that is in it, and writes what it reads.
private struct CBORWalk {
    var reader: CBORReader
    var writer = CBORWriter()
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        reader = CBORReader(bytes)
    }

    mutating func item(depth: Int) throws(CBORError) {
        guard depth <= 64 else { throw CBORError(.tooLarge, at: reader.offset) }
        switch try reader.peekType() {
        case .unsigned: writer.write(try reader.readUInt64())
        case .negative: writer.write(try reader.readInt64())
        case .bytes: writer.write(bytes: try reader.readBytes())
        case .text: writer.write(try reader.readText())
        case .boolean: writer.write(try reader.readBool())
        case .null:
            try reader.readNull()
            writer.writeNull()
        case .array:
            let count = try reader.readArrayHeader()
            writer.writeArrayHeader(count)
            for _ in 0..<count { try item(depth: depth + 1) }
        case .map:
            let count = try reader.readMapHeader()
            writer.writeMapHeader(count)
            for _ in 0..<count * 2 { try item(depth: depth + 1) }
        case .tag:
            writer.writeTag(try reader.readTag())
            try item(depth: depth + 1)
        case .float, .other:
            // Stepped over where it is allowed at all, and kept as it is.
            let start = reader.offset
            try reader.skipItem()
            writer.writeEncoded(Array(bytes[start..<reader.offset]))
        }
    }
}
