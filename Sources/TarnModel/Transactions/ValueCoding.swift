package import TarnCBOR

extension CBORWriter {
    /// A value by itself: its CBOR type tells what it is, but for a UUID (16 bytes), a date (an
    /// array of seconds and nanoseconds), data (a tag around its bytes) and a link (a one-key map:
    /// 0 and its key; with its life, a second pair: 1 and the life). A double always has eight
    /// bytes.
    package mutating func write(_ value: Value) {
        switch value {
        case .null: writeNull()
        case .bool(let value): write(value)
        case .int(let value): write(value)
        case .string(let text): write(text.string)
        case .uuid(let value): write(bytes: value.bytes)
        case .date(let time):
            writeArrayHeader(2)
            write(time.seconds)
            write(Int64(time.nanoseconds))
        case .double(let value): write(doubleBits: value.bits)
        case .data(let bytes):
            writeTag(Self.dataTag)
            write(bytes: bytes)
        case .link(let link):
            writeMapHeader(link.life == nil ? 1 : 2)
            write(0)
            write(link.key)
            if let life = link.life {
                write(1)
                write(life)
            }
        }
    }

    /// In front of the bytes of a value that is data.
    package static let dataTag: UInt64 = 32_769

    package mutating func write(_ key: PrimaryKey) { write(Value(key)) }

    /// An array of the replica's eight bytes and the sequence.
    package mutating func write(_ id: TransactionID) {
        writeArrayHeader(2)
        write(bytes: id.replica.rawValue.bigEndianBytes)
        write(id.sequence)
    }

    package mutating func write(_ point: ResumePoint) {
        writeArrayHeader(2)
        write(point.version.number)
        write(bytes: point.salt.rawValue.bigEndianBytes)
    }
}

extension CBORReader {
    package mutating func readValue() throws(CBORError) -> Value {
        switch try peekType() {
        case .null:
            try readNull()
            return .null
        case .boolean: return .bool(try readBool())
        case .unsigned, .negative: return .int(try readInt64())
        case .text: return .string(Text(try readText()))
        case .bytes: return .uuid(try readUUID())
        case .array: return .date(try readTimestamp())
        case .map: return .link(try readLink())
        case .float: return .double(Real(bits: try readDoubleBits()))
        case .tag:
            let start = offset
            guard try readTag() == CBORWriter.dataTag else {
                throw CBORError(.malformed, at: start)
            }
            return .data(try readBytes())
        case .other: throw CBORError(.unexpectedType, at: offset)
        }
    }

    package mutating func readKey() throws(CBORError) -> PrimaryKey {
        let start = offset
        guard let key = try readValue().primaryKey else {
            throw CBORError(.unexpectedType, at: start)
        }
        if case .string(let text) = key, text.string.utf8.count > TransactionLimits.keyBytesMax {
            throw CBORError(.tooLarge, at: start)
        }
        return key
    }

    package mutating func readUUID() throws(CBORError) -> UUIDValue {
        let start = offset
        guard let value = UUIDValue(bytes: try readBytes()) else {
            throw CBORError(.malformed, at: start)
        }
        return value
    }

    package mutating func readTimestamp() throws(CBORError) -> Timestamp {
        let start = offset
        try expectArray(2)
        let seconds = try readInt64()
        guard let nanoseconds = Int32(exactly: try readInt64()),
            let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
        else { throw CBORError(.outOfRange, at: start) }
        return time
    }

    package mutating func readReplicaID() throws(CBORError) -> ReplicaID {
        ReplicaID(try readEightBytes())
    }

    /// Eight bytes, the most significant first.
    package mutating func readEightBytes() throws(CBORError) -> UInt64 {
        let start = offset
        guard let value = UInt64(bigEndianBytes: try readBytes()) else {
            throw CBORError(.malformed, at: start)
        }
        return value
    }

    package mutating func readTransactionID() throws(CBORError) -> TransactionID {
        try expectArray(2)
        let replica = try readReplicaID()
        let start = offset
        let sequence = try readUInt64()
        guard sequence > 0 else { throw CBORError(.outOfRange, at: start) }
        return TransactionID(replica: replica, sequence: sequence)
    }

    package mutating func readResumePoint() throws(CBORError) -> ResumePoint {
        try expectArray(2)
        let version = Version(try readUInt64())
        return ResumePoint(version: version, salt: Salt(try readEightBytes()))
    }

    package mutating func readChainHash() throws(CBORError) -> ChainHash {
        let start = offset
        guard let hash = ChainHash(prefixOf: try readBytes(count: ChainHash.byteCount)) else {
            throw CBORError(.malformed, at: start)
        }
        return hash
    }

    private mutating func readLink() throws(CBORError) -> Link {
        let start = offset
        let count = try readMapHeader()
        guard count == 1 || count == 2, try readUInt64() == 0 else {
            throw CBORError(.malformed, at: start)
        }
        // A key is never a map, so this cannot recurse.
        guard ![.map, .array].contains(try peekType()) else {
            throw CBORError(.unexpectedType, at: offset)
        }
        let key = try readKey()
        guard count == 2 else { return Link(key: key, life: nil) }
        guard try readUInt64() == 1 else { throw CBORError(.malformed, at: start) }
        return Link(key: key, life: try readTransactionID())
    }
}
