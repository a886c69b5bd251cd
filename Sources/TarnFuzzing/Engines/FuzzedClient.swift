import TarnClient
import TarnModel
import TarnProtocol
import TarnQuery
import TarnStorage

/// A client's engine on a replica in memory, with results that are looked at, and what must be true
/// of both whatever a server says.
struct FuzzedClient {
    static let channel = Channel(1)
    let replica: Replica
    private var engine: SyncEngine
    private var random = FuzzGenerator(seed: 3)
    private var steady: Int64 = 0
    private var results = FuzzSchema.queries.prefix(6).map {
        LiveResult(.query($0, arguments: []))
    }
    private(set) var isOpen = false

    init() throws(BrokenLaw) {
        guard let realm = RealmName(owner: "alice", name: "todo") else {
            preconditionFailure("this is a realm's name")
        }
        var random = FuzzGenerator(seed: 2)
        do throws(ReplicaError) {
            replica = try Replica.open(
                MemoryReplicaStore(on: MemoryReplica()), of: realm, user: "alice", random: &random,
                sha256: FuzzSchema.digest)
        } catch {
            throw BrokenLaw(sentence: "a replica cannot be opened: \(error)")
        }
        engine = SyncEngine(replica, credentials: .token("token"), program: "fuzz")
    }

    mutating func pass(_ milliseconds: Int64) { steady += milliseconds }

    mutating func say(_ message: ServerMessage) throws(BrokenLaw) {
        try tell(.received(message.encoded()))
    }

    mutating func tell(_ event: SyncEvent) throws(BrokenLaw) {
        let now = Moment(wall: 1_700_000_000_000 + steady, steady: steady)
        for action in engine.handle(event, at: now, random: &random) {
            switch action {
            case .send(let bytes):
                do throws(FormatError) {
                    _ = try ClientMessage(decoding: bytes)
                } catch {
                    throw BrokenLaw(sentence: "a server cannot read a message: \(error)")
                }
            case .stopped(let error):
                try require(error.code != .storageFailed, "the replica breaks: \(error)")
            case .wake(let delay):
                try require(delay >= 0, "a timer is asked for \(delay) milliseconds ago")
            case .connect, .disconnect, .replicaChanged, .statusChanged, .loggedIn, .loginNeeded:
                break
            }
        }
        isOpen = engine.isRunning
    }

    var status: ReplicaStatus? {
        try? replica.read { (reader) throws in try reader.status() }
    }

    var resumePoint: ResumePoint { status?.resumePoint ?? .zero }

    /// What it has, with what it has of a series.
    var place: ResumePoint {
        let staged = try? replica.read { (reader) throws in try reader.store.stagedSeries() }
        return staged.flatMap { $0 }?.to ?? resumePoint
    }

    /// Sends a group; it is taken in whole or not at all, at the end of its series.
    mutating func send(_ group: Group, partBytes: Int) throws(BrokenLaw) {
        let (before, place) = (resumePoint, place)
        let wasOpen = isOpen
        let bytes = group.encoded()
        var cutter = PartCutter(bytes)
        while let part = cutter.next(credit: partBytes) {
            try say(.group(Self.channel, part))
        }
        let after = resumePoint
        try require(
            after == before
                || wasOpen && group.from == place && after == group.to && group.progress == nil,
            "a group leads from \(before) to \(after)")
    }

    /// Each result follows by its change set, and everything in it can be read.
    mutating func look() throws(BrokenLaw) {
        do {
            for index in results.indices {
                let old = results[index].rows
                var result = results[index]
                let changes = try replica.read { reader in
                    do throws(ReplicaError) {
                        return try result.refresh(in: reader)
                    } catch {
                        // The class may not be there yet.
                        guard error.code == .queryInvalid || error.code == .unknownName else {
                            throw error
                        }
                        return ChangeSet()
                    }
                }
                results[index] = result
                let rows = result.rows
                try require(
                    changes.applied(to: old, inserting: rows) == rows,
                    "a change set does not lead to the new rows")
            }
            try replica.read { reader in
                for schema in reader.schema.classes {
                    for object in try reader.all(schema.name) {
                        _ = try reader.values(of: object)
                        for list in schema.properties where !list.isCell {
                            _ = try reader.elements(list.name, of: object)
                        }
                    }
                }
            }
        } catch let broken as BrokenLaw {
            throw broken
        } catch {
            throw BrokenLaw(sentence: "the replica cannot be read: \(error)")
        }
    }
}
