import TarnModel
import TarnProtocol
import TarnTesting

/// Messages of every kind.
extension RandomForms {
    private mutating func channel() -> Channel { Channel(unsigned()) }

    mutating func part() -> Part {
        let bytes = generator.bytes(below(80))
        let offset = unsigned() >> 1
        return Part(
            total: offset + UInt64(bytes.count) + (unsigned() >> 2), offset: offset, bytes: bytes)
    }

    mutating func clientMessage() -> ClientMessage {
        switch below(13) {
        case 0:
            return .hello(
                versions: list(upTo: 4) { $0.unsigned() }, clock: signed(), program: text())
        case 1: return .login(credentials())
        case 2: return .logout
        case 3: return .open(channel(), openRequest())
        case 4:
            return .subscribe(
                channel(),
                SubscribeRequest(
                    number: signed(), query: text(), arguments: list(upTo: 4) { $0.value() },
                    depth: below(ProtocolLimits.depthMax + 1), isResumed: flag(),
                    tellsDigest: flag()))
        case 5: return .unsubscribe(channel(), number: signed())
        case 6: return .start(channel())
        case 7: return .upload(channel(), sequence: unsigned(), part())
        case 8: return .integrated(channel(), point(), acknowledgedSequence: unsigned())
        case 9: return .credit(channel(), bytes: unsigned())
        case 10: return .digest(channel(), subscription: signed(), digest())
        case 11: return .history(channel(), historyRequest())
        default: return .close(channel())
        }
    }

    private mutating func credentials() -> Credentials {
        switch below(3) {
        case 0: .password(name: text(), password: text(), register: flag())
        case 1: .nickname(text())
        default: .token(text())
        }
    }

    private mutating func openRequest() -> OpenRequest {
        OpenRequest(
            realm: RealmName("a.b/0-_")!, replica: replica(), acknowledgedSequence: unsigned(),
            acknowledgedHash: hash(), integrated: point(), credit: unsigned(),
            staged: flag() ? StagedPoint(point: point(), cursor: generator.bytes(below(20))) : nil,
            inquiry: flag() ? inquiry() : nil, common: flag() ? point() : nil)
    }

    private mutating func inquiry() -> Inquiry {
        Inquiry(
            points: list(upTo: 4) { $0.point() },
            probes: list(upTo: 4) {
                Inquiry.Probe(sequence: $0.unsigned(), hash: $0.hash())
            }, receiptsAfter: unsigned())
    }

    private mutating func findings() -> Findings {
        Findings(
            common: point(), known: unsigned(), receipts: list(upTo: 3) { $0.receipt() },
            isForeign: flag())
    }

    private mutating func digest() -> ContentDigest {
        ContentDigest(bytes: generator.bytes(64 << below(3)))!
    }

    mutating func serverMessage() -> ServerMessage {
        switch below(10) {
        case 0: return .welcome(version: unsigned(), clock: signed())
        case 1: return .loggedIn(user: text(), token: flag() ? text() : nil)
        case 2: return .loggedOut
        case 3:
            let code = ErrorCode.allCases[below(ErrorCode.allCases.count)]
            return .failed(
                flag() ? channel() : nil,
                ProtocolError(code, text(), advice: flag() ? text() : nil))
        case 4:
            return .opened(
                channel(),
                OpenReply(
                    realm: RealmID(bytes: generator.bytes(16))!, sequence: unsigned(),
                    hash: hash(), latest: point(), credit: unsigned(), goesOn: flag(),
                    findings: flag() ? findings() : nil))
        case 5: return .group(channel(), part())
        case 6: return .received(channel(), sequence: unsigned(), offset: unsigned())
        case 7: return .compare(channel(), subscription: signed())
        case 8: return .historyPage(channel(), historyPage())
        default: return .credit(channel(), bytes: unsigned())
        }
    }
}
