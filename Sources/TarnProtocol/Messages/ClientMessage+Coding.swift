import TarnCBOR
package import TarnModel

extension ClientMessage {
    private enum Kind: UInt64 {
        case hello = 1
        case login = 2
        case logout = 3
        case open = 4
        case subscribe = 5
        case unsubscribe = 6
        case start = 7
        case upload = 8
        case integrated = 9
        case credit = 10
        case close = 11
        case digest = 12
        case history = 13
    }

    package func encoded() -> [UInt8] {
        var writer = MessageWriter()
        switch self {
        case .hello(let versions, let clock, let program):
            writer.begin(Kind.hello.rawValue, fields: 3)
            writer.cbor.writeArrayHeader(versions.count)
            for version in versions { writer.cbor.write(version) }
            writer.cbor.write(clock)
            writer.cbor.write(program)
        case .login(let credentials):
            writer.begin(Kind.login.rawValue, fields: 4)
            writer.write(credentials)
        case .logout:
            writer.begin(Kind.logout.rawValue, fields: 0)
        case .open(let channel, let request):
            writer.begin(Kind.open.rawValue, channel, fields: 7)
            writer.cbor.write(request.realm.description)
            writer.cbor.write(bytes: request.replica.rawValue.bigEndianBytes)
            writer.cbor.write(request.acknowledgedSequence)
            writer.cbor.write(bytes: request.acknowledgedHash.bytes)
            writer.cbor.write(request.integrated)
            writer.cbor.write(request.credit)
            writer.writeOptions(of: request)
        case .subscribe(let channel, let request):
            writer.begin(Kind.subscribe.rawValue, channel, fields: 6)
            writer.cbor.write(request.number)
            writer.cbor.write(request.query)
            writer.cbor.writeArrayHeader(request.arguments.count)
            for argument in request.arguments { writer.cbor.write(argument) }
            writer.cbor.write(request.depth)
            writer.cbor.write(request.isResumed)
            writer.cbor.write(request.tellsDigest)
        case .unsubscribe(let channel, let number):
            writer.begin(Kind.unsubscribe.rawValue, channel, fields: 1)
            writer.cbor.write(number)
        case .start(let channel):
            writer.begin(Kind.start.rawValue, channel, fields: 0)
        case .upload(let channel, let sequence, let part):
            writer.begin(Kind.upload.rawValue, channel, fields: 4)
            writer.cbor.write(sequence)
            writer.write(part)
        case .integrated(let channel, let point, let sequence):
            writer.begin(Kind.integrated.rawValue, channel, fields: 2)
            writer.cbor.write(point)
            writer.cbor.write(sequence)
        case .credit(let channel, let bytes):
            writer.begin(Kind.credit.rawValue, channel, fields: 1)
            writer.cbor.write(bytes)
        case .close(let channel):
            writer.begin(Kind.close.rawValue, channel, fields: 0)
        case .digest(let channel, let subscription, let digest):
            writer.begin(Kind.digest.rawValue, channel, fields: 2)
            writer.cbor.write(subscription)
            writer.cbor.write(bytes: digest.bytes)
        case .history(let channel, let request):
            writer.begin(Kind.history.rawValue, channel, fields: 4)
            writer.write(request)
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
    ) throws(CBORError) -> ClientMessage {
        switch kind {
        case .hello:
            try reader.expect(fields: 3)
            var versions: [UInt64] = []
            for _ in 0..<(try reader.cbor.readArrayHeader()) {
                versions.append(try reader.cbor.readUInt64())
            }
            let clock = try reader.cbor.readInt64()
            return .hello(versions: versions, clock: clock, program: try reader.cbor.readText())
        case .login:
            try reader.expect(fields: 4)
            return .login(try reader.readCredentials())
        case .logout:
            return .logout
        case .open:
            try reader.expect(fields: 8)
            return .open(try reader.readChannel(), try reader.readOpenRequest())
        case .subscribe:
            try reader.expect(fields: 7)
            return .subscribe(try reader.readChannel(), try reader.readSubscribeRequest())
        case .unsubscribe:
            try reader.expect(fields: 2)
            return .unsubscribe(try reader.readChannel(), number: try reader.cbor.readInt64())
        case .start:
            try reader.expect(fields: 1)
            return .start(try reader.readChannel())
        case .upload:
            try reader.expect(fields: 5)
            let channel = try reader.readChannel()
            let sequence = try reader.cbor.readUInt64()
            return .upload(channel, sequence: sequence, try reader.readPart())
        case .integrated:
            try reader.expect(fields: 3)
            let channel = try reader.readChannel()
            let point = try reader.cbor.readResumePoint()
            return .integrated(
                channel, point, acknowledgedSequence: try reader.cbor.readUInt64())
        case .credit:
            try reader.expect(fields: 2)
            return .credit(try reader.readChannel(), bytes: try reader.cbor.readUInt64())
        case .close:
            try reader.expect(fields: 1)
            return .close(try reader.readChannel())
        case .digest:
            try reader.expect(fields: 3)
            let channel = try reader.readChannel()
            let subscription = try reader.cbor.readInt64()
            return .digest(channel, subscription: subscription, try reader.readDigest())
        case .history:
            try reader.expect(fields: 5)
            return .history(try reader.readChannel(), try reader.readHistoryRequest())
        }
    }
}

/// The keys of an `open`'s map of options.
private enum OpenOption: UInt64 {
    case staged = 1
    case inquiry = 2
    case common = 3
}

extension MessageWriter {
    fileprivate mutating func writeOptions(of request: OpenRequest) {
        let count =
            (request.staged == nil ? 0 : 1) + (request.inquiry == nil ? 0 : 1)
            + (request.common == nil ? 0 : 1)
        cbor.writeMapHeader(count)
        if let staged = request.staged {
            cbor.write(OpenOption.staged.rawValue)
            cbor.writeArrayHeader(2)
            cbor.write(staged.point)
            cbor.write(bytes: staged.cursor)
        }
        if let inquiry = request.inquiry {
            cbor.write(OpenOption.inquiry.rawValue)
            cbor.write(inquiry)
        }
        if let common = request.common {
            cbor.write(OpenOption.common.rawValue)
            cbor.write(common)
        }
    }

    /// `provider, name, secret, register`; a token stands as the secret.
    fileprivate mutating func write(_ credentials: Credentials) {
        cbor.write(credentials.provider)
        switch credentials {
        case .password(let name, let password, let register):
            cbor.write(name)
            cbor.write(password)
            cbor.write(register)
        case .nickname(let name):
            cbor.write(name)
            cbor.writeNull()
            cbor.write(false)
        case .token(let token):
            cbor.writeNull()
            cbor.write(token)
            cbor.write(false)
        }
    }
}

extension MessageReader {
    fileprivate mutating func readCredentials() throws(CBORError) -> Credentials {
        let start = cbor.offset
        let provider = try cbor.readText()
        let name: String? = try cbor.skipNull() ? nil : try cbor.readText()
        let secret: String? = try cbor.skipNull() ? nil : try cbor.readText()
        let register = try cbor.readBool()
        let lengths = [name, secret].map { $0?.utf8.count ?? 0 }
        guard lengths.allSatisfy({ $0 <= ProtocolLimits.credentialBytesMax }) else {
            throw CBORError(.tooLarge, at: start)
        }
        switch (provider, name, secret) {
        case ("password", let name?, let secret?):
            return .password(name: name, password: secret, register: register)
        case ("nickname", let name?, nil): return .nickname(name)
        case ("token", nil, let token?): return .token(token)
        default: throw CBORError(.malformed, at: start)
        }
    }

    fileprivate mutating func readOpenRequest() throws(CBORError) -> OpenRequest {
        let start = cbor.offset
        guard let realm = RealmName(try cbor.readText()) else {
            throw CBORError(.malformed, at: start)
        }
        let replica = try cbor.readReplicaID()
        let sequence = try cbor.readUInt64()
        let hash = try cbor.readChainHash()
        let integrated = try cbor.readResumePoint()
        let credit = try cbor.readUInt64()
        var staged: StagedPoint?
        var inquiry: Inquiry?
        var common: ResumePoint?
        try readOptions { (option, cbor) throws(CBORError) in
            switch OpenOption(rawValue: option) {
            case .staged:
                try cbor.expectArray(2)
                let point = try cbor.readResumePoint()
                staged = StagedPoint(point: point, cursor: try cbor.readBytes())
            case .inquiry: inquiry = try cbor.readInquiry()
            case .common: common = try cbor.readResumePoint()
            case nil: try cbor.skipItem()
            }
        }
        return OpenRequest(
            realm: realm, replica: replica, acknowledgedSequence: sequence, acknowledgedHash: hash,
            integrated: integrated, credit: credit, staged: staged, inquiry: inquiry,
            common: common)
    }

    fileprivate mutating func readDigest() throws(CBORError) -> ContentDigest {
        let start = cbor.offset
        guard let digest = ContentDigest(bytes: try cbor.readBytes()) else {
            throw CBORError(.malformed, at: start)
        }
        return digest
    }

    fileprivate mutating func readSubscribeRequest() throws(CBORError) -> SubscribeRequest {
        let start = cbor.offset
        let number = try cbor.readInt64()
        let query = try cbor.readText()
        let count = try cbor.readArrayHeader()
        guard query.utf8.count <= ProtocolLimits.queryBytesMax,
            count <= ProtocolLimits.argumentsMax
        else { throw CBORError(.tooLarge, at: start) }
        var arguments: [Value] = []
        for _ in 0..<count { arguments.append(try cbor.readValue()) }
        let depth = try cbor.readInt()
        guard (0...ProtocolLimits.depthMax).contains(depth) else {
            throw CBORError(.outOfRange, at: start)
        }
        let isResumed = try cbor.readBool()
        return SubscribeRequest(
            number: number, query: query, arguments: arguments, depth: depth, isResumed: isResumed,
            tellsDigest: try cbor.readBool())
    }
}
