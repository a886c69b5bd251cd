import TarnClient
import TarnModel
import TarnProtocol
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

/// A replica in memory or in a file, with what a test asks of it.
struct ReplicaFixture {
    let memory: MemoryReplica
    let store: any ReplicaStore
    let replica: Replica
    var dictionary = ClassDictionary()
    private(set) var clock: UInt64 = 1

    init(
        owner: String = "alice", memory: MemoryReplica = MemoryReplica(), schema: Bool = true,
        seed: UInt64 = 5, path: String? = nil
    ) throws {
        self.memory = memory
        if let path {
            store = try SQLiteReplicaStore(path: path)
        } else {
            store = MemoryReplicaStore(on: memory)
        }
        var random = SeededGenerator(seed: seed)
        replica = try Replica.open(
            store, of: RealmName(owner: owner, name: "todo")!, user: "alice", random: &random,
            sha256: Self.digest)
        guard schema else { return }
        try store.begin(.writing(.full))
        for entry in TodoSchema.all where store.schema[entry.name] == nil {
            try store.putClass(entry)
        }
        try store.commit()
    }

    /// Not SHA-256, but as long, and another one for other bytes: the chain does not care.
    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var generator = SeededGenerator(
            seed: bytes.reduce(14_695_981_039_346_656_037) {
                ($0 ^ UInt64($1)) &* 1_099_511_628_211
            })
        return generator.bytes(32)
    }

    @discardableResult
    mutating func write<Answer>(
        _ body: (inout WriteTransaction) throws -> Answer
    ) throws -> Answer {
        clock += 1
        return try replica.write(clockTicks: clock, body)
    }

    mutating func integrate(_ group: Group) throws {
        try replica.integrate(group, dictionary: &dictionary)
    }

    func read<Answer>(_ body: (ReplicaReader) throws -> Answer) throws -> Answer {
        try replica.read(body)
    }

    var pending: [OutboxEntry] {
        get throws { try read { try $0.store.pending(after: 0, limit: .max) } }
    }

    /// What the user sees.
    func pictures() throws -> [Ref: Picture] {
        try read { reader in
            var pictures: [Ref: Picture] = [:]
            for schema in reader.schema.classes {
                for object in try reader.all(schema.name) {
                    let ref = Ref(className: schema.name, key: try reader.key(of: object))
                    pictures[ref] = try picture(of: object, schema, in: reader)
                }
            }
            return pictures
        }
    }

    func picture(
        of object: ObjectID, _ schema: ClassSchema, in reader: ReplicaReader
    ) throws -> Picture {
        var picture = Picture(values: [:], lists: [:])
        for property in schema.properties {
            let name = property.name
            switch property.kind {
            case .value: picture.values[name] = try reader.value(name, of: object)
            case .list: picture.lists[name] = try reader.elements(name, of: object)
            case .set, .map:
                picture.entries[name] = Dictionary(
                    uniqueKeysWithValues: try reader.entries(name, of: object).map {
                        ($0.entry, $0.value)
                    })
            }
        }
        return picture
    }

    func object(_ ref: Ref) throws -> ObjectID? {
        try read { try $0.find(ref.className, ref.key) }
    }
}
