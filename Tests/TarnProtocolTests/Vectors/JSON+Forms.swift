import TarnModel

/// Values, identities and schemas.
extension JSON {
    var value: Value {
        get throws {
            if member("null") != nil { return .null }
            if let flag = member("bool") { return .bool(try flag.flag) }
            if let date = member("date") {
                let seconds: Int64 = try date["seconds"].integer()
                let nanoseconds: Int32 = try date["nanoseconds"].integer()
                guard let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds) else {
                    throw Fault("no date")
                }
                return .date(time)
            }
            if let double = member("double") { return .double(Real(bits: try double.eightBytes)) }
            if let data = member("data") { return .data(try data.bytes) }
            if let link = member("link") {
                let life = try link["life"].orNil { try $0.transactionID }
                return .link(Link(key: try link["key"].key, life: life))
            }
            return Value(try key)
        }
    }

    var key: PrimaryKey {
        get throws {
            if let number = member("int") { return .int(try number.integer()) }
            if let text = member("string") { return .string(Text(try text.text)) }
            guard let text = try member("uuid")?.text, let uuid = UUIDValue(text) else {
                throw Fault("no value")
            }
            return .uuid(uuid)
        }
    }

    private var eightBytes: UInt64 {
        get throws {
            guard let value = UInt64(bigEndianBytes: try bytes) else { throw Fault("not 8 bytes") }
            return value
        }
    }

    var replica: ReplicaID { get throws { ReplicaID(try eightBytes) } }

    var transactionID: TransactionID {
        get throws {
            TransactionID(replica: try self["replica"].replica, sequence: try sequence)
        }
    }

    var sequence: UInt64 { get throws { try self["sequence"].integer() } }

    var slot: SlotID {
        get throws {
            SlotID(transaction: try transactionID, ordinal: try self["ordinal"].integer())
        }
    }

    var resumePoint: ResumePoint {
        get throws {
            ResumePoint(
                version: Version(try self["version"].integer()),
                salt: Salt(try self["salt"].eightBytes))
        }
    }

    var hash: ChainHash {
        get throws {
            let bytes = try bytes
            guard bytes.count == ChainHash.byteCount, let hash = ChainHash(prefixOf: bytes) else {
                throw Fault("no hash")
            }
            return hash
        }
    }

    var property: PropertySchema {
        get throws {
            let types = ["bool", "int", "string", "uuid", "date", "link", "double", "data"]
            guard let index = types.firstIndex(of: try self["type"].text),
                let type = ValueType(
                    number: UInt64(index + 1),
                    linkedClass: try self["linkedClass"].orNil { try $0.text })
            else { throw Fault("no type") }
            let standard = try self["default"].value
            return PropertySchema(
                try self["name"].text, type, try propertyKind,
                isOptional: try self["isOptional"].flag, isUnique: try self["isUnique"].flag,
                isOwning: try self["isOwning"].flag,
                default: standard == .null ? nil : standard)
        }
    }

    private var propertyKind: PropertyKind {
        get throws {
            switch try self["kind"].text {
            case "value": .value
            case "list": .list
            case "set": .set
            case "map": .map
            default: throw Fault("no kind")
            }
        }
    }

    var classSchema: ClassSchema {
        get throws {
            ClassSchema(
                try self["name"].text, primaryKey: try self["primaryKey"].property,
                properties: try self["properties"].elements.map { try $0.property },
                isEmbedded: try self["isEmbedded"].flag)
        }
    }
}
