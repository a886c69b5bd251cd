import TarnClient
import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage
import TarnTesting
import Testing

/// One machine with one replica, whose folder can be copied, restored or robbed of its power.
final class Machine {
    let scene: Scene
    let user: String
    private let bounds: ArchiveBounds
    private(set) var disk: MemoryReplica
    private(set) var replica: Replica
    private var engine: SyncEngine
    private var random: SeededGenerator
    private var connection: UInt64?
    /// What it has sent, and what was sent to it.
    private var outgoing: [[UInt8]] = []
    private var incoming: [[UInt8]] = []
    private var wantsConnection = false
    private(set) var isOnline = false
    private(set) var stopped: ProtocolError?
    private var clock: UInt64 = 0

    /// - Parameter disk: another machine's, to be copied; nil for an empty one.
    init(
        in scene: Scene, seed: UInt64, user: String = "alice", copying disk: MemoryReplica? = nil,
        archiving bounds: ArchiveBounds = .standard
    ) throws {
        self.bounds = bounds
        self.scene = scene
        self.user = user
        self.disk = disk?.copied() ?? MemoryReplica()
        random = SeededGenerator(seed: seed)
        replica = try Self.open(self.disk, user, bounds, &random)
        engine = Self.engine(replica)
        scene.add(self)
    }

    private static func open(
        _ disk: MemoryReplica, _ user: String, _ bounds: ArchiveBounds,
        _ random: inout SeededGenerator
    ) throws -> Replica {
        var replica = try Replica.open(
            MemoryReplicaStore(on: disk), of: Scene.realmName, user: user, random: &random,
            sha256: ChainDigest.of)
        replica.archiveBounds = bounds
        return replica
    }

    private static func engine(_ replica: Replica) -> SyncEngine {
        var engine = SyncEngine(replica, credentials: .nickname("alice"), program: "test")
        // One that has the lease, so that whoever else goes by its id has another store.
        engine.epoch = 0
        return engine
    }

    func session(_ channel: Channel) -> RealmSessionID {
        RealmSessionID(connection: connection ?? 0, channel: channel)
    }

    // MARK: What happens to it

    func goOnline() {
        isOnline = true
        tell(.started)
    }

    func goOffline() {
        isOnline = false
        cut()
    }

    /// The connection is gone.
    func cut() {
        scene.leave(self)
        (outgoing, incoming) = ([], [])
        guard connection != nil else { return }
        connection = nil
        tell(.disconnected("it was cut"))
    }

    /// The program dies and is started again.
    func crash(losingPower: Bool = false) throws {
        scene.leave(self)
        (outgoing, incoming, connection, wantsConnection) = ([], [], nil, false)
        if losingPower { disk.crash() }
        replica = try Self.open(disk, user, bounds, &random)
        engine = Self.engine(replica)
        if isOnline { tell(.started) }
    }

    /// The disk is what it was when it was copied.
    func restore(_ copy: MemoryReplica) throws {
        disk = copy.copied()
        try crash()
    }

    // MARK: Running

    /// One message that it sent, or that was sent to it.
    /// - Returns: whether there was one.
    func step() -> Bool {
        if wantsConnection {
            wantsConnection = false
            if isOnline {
                connection = scene.connect(self)
                tell(.connected)
            } else {
                tell(.disconnected("nobody answers"))
            }
            return true
        }
        guard connection != nil else { return false }
        if !outgoing.isEmpty {
            scene.hear(outgoing.removeFirst(), from: self)
            return true
        }
        guard !incoming.isEmpty else { return false }
        tell(.received(incoming.removeFirst()))
        return true
    }

    func tick() { if isOnline { tell(.timer) } }

    func say(_ message: ServerMessage) { incoming.append(message.encoded()) }

    private func tell(_ event: SyncEvent) {
        let now = Moment(wall: scene.now, steady: scene.steady)
        for action in engine.handle(event, at: now, random: &random) {
            switch action {
            case .connect: wantsConnection = true
            case .send(let bytes): outgoing.append(bytes)
            case .disconnect:
                scene.leave(self)
                (outgoing, incoming, connection) = ([], [], nil)
            case .stopped(let error): stopped = error
            case .wake, .replicaChanged, .statusChanged, .loggedIn, .loginNeeded: break
            }
        }
    }

    // MARK: Its user

    func write(_ body: (inout WriteTransaction) throws -> Void) throws {
        clock += 1
        let ticks = Stamp.ticks(milliseconds: scene.now) + clock
        try replica.write(clockTicks: ticks, body)
        if isOnline { tell(.localChange) }
    }

    /// Makes a note.
    func create(_ key: Int64, _ text: String = "") throws {
        try write {
            _ = try $0.create("Note", .int(key), [InitialValue("text", .string(text))])
        }
    }

    /// Makes a note that is refused where another one has its code.
    func create(_ key: Int64, code: String) throws {
        try write {
            _ = try $0.create("Note", .int(key), [InitialValue("code", .string(code))])
        }
    }

    func set(_ key: Int64, _ text: String) throws {
        try write {
            guard let note = try $0.reader.find("Note", .int(key)) else {
                throw ReplicaError(.objectGone, "there is no note \(key)")
            }
            try $0.set("text", of: note, to: .string(text))
        }
    }

    /// Appends a label, which doubles where it is done twice.
    func label(_ key: Int64, _ label: String) throws {
        try write {
            guard let note = try $0.reader.find("Note", .int(key)) else {
                throw ReplicaError(.objectGone, "there is no note \(key)")
            }
            try $0.append(.string(label), to: "labels", of: note)
        }
    }

    /// Makes the class, and asks for all of it.
    func begin() throws {
        try write { try $0.addClass(Self.note) }
        try watch()
    }

    func watch() throws { _ = try replica.subscribe(to: "Note", name: "all") }

    static let note = ClassSchema(
        "Note", primaryKey: PropertySchema("id", .int),
        properties: [
            PropertySchema("text", .string),
            PropertySchema("code", .string, isOptional: true, isUnique: true),
            .list("labels", of: .string),
            PropertySchema("about", .link("Note"), isOptional: true),
        ])

    // MARK: What is there

    /// By key: the text and the labels, as its user sees them.
    func notes() throws -> [Int64: [String]] {
        try replica.read { reader in
            guard reader.schema["Note"] != nil else { return [:] }
            var notes: [Int64: [String]] = [:]
            for object in try reader.all("Note") {
                guard case .int(let key) = try reader.key(of: object) else { continue }
                notes[key] =
                    [Self.text(try reader.value("text", of: object))]
                    + (try reader.elements("labels", of: object)).map(Self.text)
            }
            return notes
        }
    }

    private static func text(_ value: Value) -> String {
        if case .string(let text) = value { text.string } else { "" }
    }

    var unsent: Int { get throws { try replica.read { try $0.status().unsentCount } } }
    var chain: ChainState { get throws { try replica.read { try $0.status().chain } } }
    var point: ResumePoint { get throws { try replica.read { try $0.status().resumePoint } } }
    var id: ReplicaID { get throws { try replica.read { $0.identity.replica } } }
    var drawer: [KeptReceipt] { get throws { try replica.read { try $0.keptReceipts() } } }
}
