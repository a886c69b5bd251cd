import TarnCBOR
package import TarnModel

extension ServerMessage {
    private enum Kind: UInt64 {
        case welcome = 64
        case loggedIn = 65
        case loggedOut = 66
        case failed = 67
        case opened = 68
        case group = 69
        case received = 70
        case credit = 71
        case compare = 72
        case historyPage = 73
    }

    package func encoded() -> [UInt8] {
        var writer = MessageWriter()
        switch self {
        case .welcome(let version, let clock):
            writer.begin(Kind.welcome.rawValue, fields: 2)
            writer.cbor.write(version)
            writer.cbor.write(clock)
        case .loggedIn(let user, let token):
            writer.begin(Kind.loggedIn.rawValue, fields: 2)
            writer.cbor.write(user)
            if let token { writer.cbor.write(token) } else { writer.cbor.writeNull() }
        case .loggedOut:
            writer.begin(Kind.loggedOut.rawValue, fields: 0)
        case .failed(let channel, let error):
            writer.begin(Kind.failed.rawValue, fields: 5)
            if let channel { writer.cbor.write(channel.number) } else { writer.cbor.writeNull() }
            writer.cbor.write(error.code.rawValue)
            writer.cbor.write(error.sentence)
            writer.cbor.write(error.code.isTransient)
            if let advice = error.advice {
                writer.cbor.write(advice)
            } else {
                writer.cbor.writeNull()
            }
        case .opened(let channel, let reply):
            writer.begin(Kind.opened.rawValue, channel, fields: 6)
            writer.cbor.write(bytes: reply.realm.bytes)
            writer.cbor.write(reply.sequence)
            writer.cbor.write(bytes: reply.hash.bytes)
            writer.cbor.write(reply.latest)
            writer.cbor.write(reply.credit)
            writer.writeOptions(of: reply)
        case .group(let channel, let part):
            writer.begin(Kind.group.rawValue, channel, fields: 3)
            writer.write(part)
        case .received(let channel, let sequence, let offset):
            writer.begin(Kind.received.rawValue, channel, fields: 2)
            writer.cbor.write(sequence)
            writer.cbor.write(offset)
        case .credit(let channel, let bytes):
            writer.begin(Kind.credit.rawValue, channel, fields: 1)
            writer.cbor.write(bytes)
        case .compare(let channel, let subscription):
            writer.begin(Kind.compare.rawValue, channel, fields: 1)
            writer.cbor.write(subscription)
        case .historyPage(let channel, let page):
            writer.begin(Kind.historyPage.rawValue, channel, fields: 3)
            writer.write(page)
        }
        return writer.cbor.bytes
    }

    package init(decoding bytes: [UInt8]) throws(FormatError) {
        self = try MessageReader.read("message", bytes) {
            (reader: inout MessageReader) throws(CBORError) in
            guard let kind = Kind(rawValue: reader.kind) else { throw reader.unknownKind }
            return try Self.read(kind, from: &reader)
        }
    }

    private static func read(
        _ kind: Kind, from reader: inout MessageReader
    ) throws(CBORError) -> ServerMessage {
        switch kind {
        case .welcome:
            try reader.expect(fields: 2)
            let version = try reader.cbor.readUInt64()
            return .welcome(version: version, clock: try reader.cbor.readInt64())
        case .loggedIn:
            try reader.expect(fields: 2)
            let user = try reader.cbor.readText()
            let token: String? = try reader.cbor.skipNull() ? nil : try reader.cbor.readText()
            return .loggedIn(user: user, token: token)
        case .loggedOut:
            return .loggedOut
        case .failed:
            try reader.expect(fields: 5)
            return try reader.readFailure()
        case .opened:
            try reader.expect(fields: 7)
            return .opened(try reader.readChannel(), try reader.readOpenReply())
        case .group:
            try reader.expect(fields: 4)
            return .group(try reader.readChannel(), try reader.readPart())
        case .received:
            try reader.expect(fields: 3)
            let channel = try reader.readChannel()
            let sequence = try reader.cbor.readUInt64()
            return .received(channel, sequence: sequence, offset: try reader.cbor.readUInt64())
        case .credit:
            try reader.expect(fields: 2)
            return .credit(try reader.readChannel(), bytes: try reader.cbor.readUInt64())
        case .compare:
            try reader.expect(fields: 2)
            return .compare(try reader.readChannel(), subscription: try reader.cbor.readInt64())
        case .historyPage:
            try reader.expect(fields: 4)
            return .historyPage(try reader.readChannel(), try reader.readHistoryPage())
        }
    }
}

/// The keys of an `opened`'s map of options.
private enum OpenedOption: UInt64 {
    case goesOn = 1
    case findings = 2
}

extension MessageWriter {
    fileprivate mutating func writeOptions(of reply: OpenReply) {
        cbor.writeMapHeader((reply.goesOn ? 1 : 0) + (reply.findings == nil ? 0 : 1))
        if reply.goesOn {
            cbor.write(OpenedOption.goesOn.rawValue)
            cbor.write(true)
        }
        if let findings = reply.findings {
            cbor.write(OpenedOption.findings.rawValue)
            cbor.write(findings)
        }
    }
}

extension MessageReader {
    fileprivate mutating func readFailure() throws(CBORError) -> ServerMessage {
        let channel: Channel? = try cbor.skipNull() ? nil : try readChannel()
        let number = try cbor.readUInt64()
        let sentence = try cbor.readText()
        // Told again for programs that do not know the code.
        let isTransient = try cbor.readBool()
        let advice: String? = try cbor.skipNull() ? nil : try cbor.readText()
        let unknown: ErrorCode = isTransient ? .overloaded : .protocolViolation
        return .failed(
            channel,
            ProtocolError(ErrorCode(rawValue: number) ?? unknown, sentence, advice: advice))
    }

    fileprivate mutating func readOpenReply() throws(CBORError) -> OpenReply {
        let start = cbor.offset
        guard let realm = RealmID(bytes: try cbor.readBytes()) else {
            throw CBORError(.malformed, at: start)
        }
        let sequence = try cbor.readUInt64()
        let hash = try cbor.readChainHash()
        let latest = try cbor.readResumePoint()
        let credit = try cbor.readUInt64()
        var goesOn = false
        var findings: Findings?
        try readOptions { (option, cbor) throws(CBORError) in
            switch OpenedOption(rawValue: option) {
            case .goesOn: goesOn = try cbor.readBool()
            case .findings: findings = try cbor.readFindings()
            case nil: try cbor.skipItem()
            }
        }
        return OpenReply(
            realm: realm, sequence: sequence, hash: hash, latest: latest, credit: credit,
            goesOn: goesOn, findings: findings)
    }
}
