import TarnModel
import TarnProtocol

/// Messages of both sides.
extension JSON {
    private var kind: String { get throws { try self["kind"].text } }
    private var channel: Channel { get throws { Channel(try self["channel"].integer()) } }

    var part: Part {
        get throws {
            Part(
                total: try self["total"].integer(), offset: try self["offset"].integer(),
                bytes: try self["bytes"].bytes)
        }
    }

    var clientMessage: ClientMessage {
        get throws {
            switch try kind {
            case "hello":
                return .hello(
                    versions: try self["versions"].elements.map { try $0.integer() },
                    clock: try self["clock"].integer(), program: try self["program"].text)
            case "login": return .login(try credentials)
            case "logout": return .logout
            case "open": return .open(try channel, try openRequest)
            case "subscribe": return .subscribe(try channel, try subscribeRequest)
            case "unsubscribe":
                return .unsubscribe(try channel, number: try self["number"].integer())
            case "start": return .start(try channel)
            case "upload": return .upload(try channel, sequence: try sequence, try part)
            case "integrated":
                return .integrated(
                    try channel, try self["point"].resumePoint,
                    acknowledgedSequence: try self["acknowledgedSequence"].integer())
            case "credit": return .credit(try channel, bytes: try self["bytes"].integer())
            case "close": return .close(try channel)
            case "digest":
                guard let digest = ContentDigest(bytes: try self["digest"].bytes) else {
                    throw Fault("no digest")
                }
                return .digest(
                    try channel, subscription: try self["subscription"].integer(), digest)
            case "history": return .history(try channel, try historyRequest)
            default: throw Fault("no message")
            }
        }
    }

    private var credentials: Credentials {
        get throws {
            switch try self["provider"].text {
            case "password":
                return .password(
                    name: try self["name"].text, password: try self["secret"].text,
                    register: try self["register"].flag)
            case "nickname": return .nickname(try self["name"].text)
            default: return .token(try self["secret"].text)
            }
        }
    }

    private var openRequest: OpenRequest {
        get throws {
            guard let realm = RealmName(try self["realm"].text) else { throw Fault("no realm") }
            return OpenRequest(
                realm: realm, replica: try self["replica"].replica,
                acknowledgedSequence: try self["acknowledgedSequence"].integer(),
                acknowledgedHash: try self["acknowledgedHash"].hash,
                integrated: try self["integrated"].resumePoint,
                credit: try self["credit"].integer(),
                staged: try self["options"].member("staged").map {
                    StagedPoint(
                        point: try $0["point"].resumePoint, cursor: try $0["cursor"].bytes)
                }, inquiry: try self["options"].member("inquiry").map { try $0.inquiry },
                common: try self["options"].member("common").map { try $0.resumePoint })
        }
    }

    private var subscribeRequest: SubscribeRequest {
        get throws {
            SubscribeRequest(
                number: try self["number"].integer(), query: try self["query"].text,
                arguments: try self["arguments"].elements.map { try $0.value },
                depth: try self["depth"].integer(), isResumed: try self["isResumed"].flag,
                tellsDigest: try self["tellsDigest"].flag)
        }
    }

    var serverMessage: ServerMessage {
        get throws {
            switch try kind {
            case "welcome":
                return .welcome(
                    version: try self["version"].integer(), clock: try self["clock"].integer())
            case "loggedIn":
                return .loggedIn(
                    user: try self["user"].text, token: try self["token"].orNil { try $0.text })
            case "loggedOut": return .loggedOut
            case "failed": return try failure
            case "opened": return .opened(try channel, try openReply)
            case "group": return .group(try channel, try part)
            case "received":
                return .received(
                    try channel, sequence: try sequence, offset: try self["offset"].integer())
            case "credit": return .credit(try channel, bytes: try self["bytes"].integer())
            case "compare":
                return .compare(try channel, subscription: try self["subscription"].integer())
            case "historyPage": return .historyPage(try channel, try historyPage)
            default: throw Fault("no message")
            }
        }
    }

    private var failure: ServerMessage {
        get throws {
            guard let code = ErrorCode(rawValue: try self["code"].integer()) else {
                throw Fault("no code")
            }
            guard try code.isTransient == self["isTransient"].flag else {
                throw Fault("\(code) is of the other kind")
            }
            return .failed(
                try self["channel"].orNil { Channel(try $0.integer()) },
                ProtocolError(
                    code, try self["sentence"].text,
                    advice: try self["advice"].orNil { try $0.text }))
        }
    }

    private var openReply: OpenReply {
        get throws {
            guard let realm = RealmID(bytes: try self["realm"].bytes) else {
                throw Fault("no realm id")
            }
            return OpenReply(
                realm: realm, sequence: try sequence, hash: try self["hash"].hash,
                latest: try self["latest"].resumePoint, credit: try self["credit"].integer(),
                goesOn: try self["options"].member("goesOn").map { try $0.flag } ?? false,
                findings: try self["options"].member("findings").map { try $0.findings })
        }
    }

    private var inquiry: Inquiry {
        get throws {
            Inquiry(
                points: try self["points"].elements.map { try $0.resumePoint },
                probes: try self["probes"].elements.map {
                    Inquiry.Probe(sequence: try $0.sequence, hash: try $0["hash"].hash)
                }, receiptsAfter: try self["receiptsAfter"].integer())
        }
    }

    private var findings: Findings {
        get throws {
            Findings(
                common: try self["common"].resumePoint, known: try self["known"].integer(),
                receipts: try self["receipts"].elements.map { try $0.receipt },
                isForeign: try self["isForeign"].flag)
        }
    }
}
