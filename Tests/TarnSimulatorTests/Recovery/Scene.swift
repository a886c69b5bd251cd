import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage
import Testing

/// A server of one realm, as its backups bring it back, and the machines that talk with it: both
/// engines, message by message, and every step is the test's.
final class Scene {
    static let realmName: RealmName = {
        guard let name = RealmName(owner: "alice", name: "todo") else {
            preconditionFailure("it is a name")
        }
        return name
    }()

    private(set) var log = MemoryCommitLog()
    private(set) var store = MemoryRealmStore()
    private var engine: RealmEngine
    let realm: RealmID
    private let environment: RealmEnvironment
    private(set) var machines: [Machine] = []
    private var opened: [RealmSessionID: Machine] = [:]
    private var connections: UInt64 = 0
    var now: Int64 = 1_700_000_000_000
    var steady: Int64 = 0

    /// Salts are counted rather than thrown.
    private final class Box: @unchecked Sendable {
        // One test uses it, on one thread.
        var count: UInt64 = 0
    }

    init() {
        let box = Box()
        environment = RealmEnvironment(sha256: ChainDigest.of) {
            box.count += 1
            return box.count &* 0x9E37_79B9_7F4A_7C15
        }
        guard let realm = RealmID(bytes: Array(repeating: 7, count: 16)) else {
            preconditionFailure("a realm's id has 16 bytes")
        }
        self.realm = realm
        engine = RealmEngine(id: realm, store: store, environment: environment)
    }

    func add(_ machine: Machine) { machines.append(machine) }

    // MARK: Backups

    /// What a backup holds that is made now.
    func backup() -> Version { store.applied.version }

    /// The server dies and comes up again with what it was at a version.
    func restore(_ version: Version) throws {
        let kept = try log.records(of: realm, after: .zero, limit: Int(version.number))
        log = MemoryCommitLog()
        try log.append(kept)
        store = MemoryRealmStore()
        try RealmRecovery.replay(log, of: realm, into: store)
        engine = RealmEngine(id: realm, store: store, environment: environment)
        for machine in machines { machine.cut() }
        opened = [:]
    }

    // MARK: Running

    func connect(_ machine: Machine) -> UInt64 {
        connections += 1
        return connections
    }

    func leave(_ machine: Machine) {
        for (id, other) in opened where other === machine {
            engine.leave(id)
            opened[id] = nil
        }
        turn()
    }

    /// One message of a machine's, once it is connected.
    func hear(_ bytes: [UInt8], from machine: Machine) {
        do {
            switch try ClientMessage(decoding: bytes) {
            case .hello: machine.say(.welcome(version: 1, clock: now))
            case .login: machine.say(.loggedIn(user: machine.user, token: nil))
            case .logout: machine.say(.loggedOut)
            case .open(let channel, let request):
                let id = machine.session(channel)
                opened[id] = machine
                engine.open(
                    id, by: RealmVisitor(user: machine.user, clockOffset: 0), request)
            case .close(let channel):
                engine.leave(machine.session(channel))
                opened[machine.session(channel)] = nil
            case .subscribe(let channel, _), .unsubscribe(let channel, _), .start(let channel),
                .upload(let channel, _, _), .integrated(let channel, _, _),
                .credit(let channel, _), .digest(let channel, _, _), .history(let channel, _):
                let id = machine.session(channel)
                guard opened[id] === machine else { return }
                engine.receive(try ClientMessage(decoding: bytes), from: id)
            }
        } catch {
            Issue.record("\(error)")
        }
    }

    @discardableResult
    private func turn() -> Bool {
        let actions = engine.turn(now: now)
        perform(actions)
        return !actions.isEmpty
    }

    private func perform(_ actions: [RealmAction]) {
        for action in actions {
            switch action {
            case .send(let id, let message): opened[id]?.say(message)
            case .closed(let id): opened[id] = nil
            case .append(let records):
                do {
                    try log.append(records)
                } catch {
                    Issue.record("\(error)")
                }
                perform(engine.logCompleted(now: now))
            }
        }
    }

    /// Lets everything happen that is going to, also what waits for its time.
    /// - Parameter steps: messages of machines after which it is left as it is.
    @discardableResult
    func run(steps limit: Int = .max) -> Int {
        var steps = 0
        var quiet = 0
        while quiet < 4 {
            var isBusy = turn()
            for machine in machines where steps < limit && machine.step() {
                steps += 1
                isBusy = true
            }
            if steps >= limit { return steps }
            if isBusy {
                quiet = 0
                guard steps < 20_000 else {
                    Issue.record("it does not come to rest")
                    return steps
                }
            } else {
                quiet += 1
                now += 70_000
                steady += 70_000
                for machine in machines { machine.tick() }
            }
        }
        return steps
    }
}

/// Not SHA-256, but as long, and another one for other bytes: the chain does not care.
enum ChainDigest {
    static let of: @Sendable ([UInt8]) -> [UInt8] = { bytes in
        var state: UInt64 = 14_695_981_039_346_656_037
        for byte in bytes { state = (state ^ UInt64(byte)) &* 1_099_511_628_211 }
        return (0..<4).flatMap { _ -> [UInt8] in
            state = (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9
            state ^= state >> 32
            return state.bigEndianBytes
        }
    }
}
