import TarnModel
import TarnQuery
import TarnStorage
import Testing

/// Transactions, and what stands beside the objects.
@Suite(.serialized) struct ReplicaSharingConformance {
    typealias Task = ClassSchema.Task

    @Test(arguments: ReplicaImplementation.allCases)
    func `what is committed is there for all who open the replica, and nothing else`(
        kind: ReplicaImplementation
    ) throws {
        let replica = kind.replica()
        let store = try replica.openWithSchema()
        let other = try replica.open()
        try store.write { _ = try store.insert(.int(1), in: Task.number) }

        try store.begin(.writing(.relaxed))
        _ = try store.insert(.int(2), in: Task.number)
        try other.read { () throws in #expect(try other.objects(in: Task.number).count == 1) }
        store.rollback()

        for reader in [store, other, try replica.open()] {
            try reader.read { () throws in
                #expect(try reader.row(of: .int(1), in: Task.number) != nil)
                #expect(try reader.row(of: .int(2), in: Task.number) == nil)
            }
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a class that was not committed is not there`(kind: ReplicaImplementation) throws {
        let replica = kind.replica()
        let store = try replica.open()
        try store.begin(.writing(.full))
        try store.putClass(.task)
        _ = try store.insert(.int(1), in: Task.number)
        store.rollback()

        try store.read { () throws in #expect(store.schema.classes.isEmpty) }
        try store.write { try store.putClass(.project) }
        try store.read { () throws in #expect(store.schema.classes == [.project]) }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a reading transaction sees one state, whatever others commit`(
        kind: ReplicaImplementation
    ) throws {
        let replica = kind.replica()
        let store = try replica.openWithSchema()
        let other = try replica.open()

        try other.begin(.reading)
        try store.write { _ = try store.insert(.int(1), in: Task.number) }

        #expect(try other.objects(in: Task.number) == [])
        other.rollback()
        try other.read { () throws in #expect(try other.objects(in: Task.number).count == 1) }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a second writer is told that the replica is busy`(kind: ReplicaImplementation) throws {
        let replica = kind.replica()
        let store = try replica.openWithSchema()
        let other = try replica.open()

        try store.begin(.writing(.full))
        let error = #expect(throws: StorageError.self) { try other.begin(.writing(.full)) }
        #expect(error?.code == .busy)
        try store.commit()

        try other.write { _ = try other.insert(.int(1), in: Task.number) }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `identity, resume point, chain, lease and status are as they were set`(
        kind: ReplicaImplementation
    ) throws {
        let replica = kind.replica()
        let store = try replica.open()
        try store.read { () throws in
            #expect(try store.identity() == nil)
            #expect(try store.resumePoint() == .zero)
            #expect(try store.chain() == .empty)
            #expect(try store.lease() == Lease(epoch: 0, holder: nil, renewed: 0))
            let status = SyncStatus(connection: .offline, upToDate: nil, problem: nil)
            #expect(try store.syncStatus() == status)
        }

        let identity = ReplicaIdentity(
            realmName: try #require(RealmName("alice/todo")),
            realm: RealmID(bytes: Array(1...16)), replica: ReplicaID(.max), user: "alice")
        let point = ResumePoint(version: Version(3), salt: Salt(.max))
        let hash = try #require(ChainHash(prefixOf: Array(1...16)))
        let chain = ChainState(
            sequence: 4, hash: hash, acknowledgedSequence: 2, acknowledgedHash: .zero,
            ticks: .max)
        let lease = Lease(
            epoch: 2, holder: LeaseHolder(process: 7, started: .max, boot: "b"), renewed: -1)
        let status = SyncStatus(
            connection: .stopped, upToDate: 5, problem: "no such realm",
            progress: DownloadProgress(done: 3, total: .max))
        try store.write {
            try store.setIdentity(identity)
            try store.setResumePoint(point)
            try store.setChain(chain)
            try store.setLease(lease)
            try store.setSyncStatus(status)
        }

        let other = try replica.open()
        try other.read { () throws in
            #expect(try other.identity() == identity)
            #expect(try other.resumePoint() == point)
            #expect(try other.chain() == chain)
            #expect(try other.lease() == lease)
            #expect(try other.syncStatus() == status)
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `notes tell what changed since, until too much has`(kind: ReplicaImplementation) throws {
        let replica = kind.replica()
        let store = try replica.open()
        let other = try replica.open()
        let objects = (1...6_000).map { ObjectID(classNumber: 0, number: $0) }
        try store.write {
            try store.noteChanges([objects[1], objects[0], objects[1]])
            try store.noteChanges([])
            try store.noteChanges([objects[0], objects[2]])
        }

        try other.read { () throws in
            #expect(try other.lastNote() == 2)
            #expect(try other.changes(after: 0) == Array(objects[0...2]))
            #expect(try other.changes(after: 1) == [objects[0], objects[2]])
            #expect(try other.changes(after: 2) == [])
            #expect(try other.changes(after: 3) == nil)
            #expect(try other.changes(after: -1) == nil)
        }

        try store.write { for _ in 1...2 { try store.noteChanges(objects) } }
        try other.read { () throws in
            #expect(try other.changes(after: 3) == objects)
            #expect(try other.changes(after: 2) == nil)
        }
        try store.write { for _ in 0..<1_100 { try store.noteChanges([objects[5]]) } }
        try other.read { () throws in
            #expect(try other.lastNote() == 1_104)
            #expect(try other.changes(after: 104) == [objects[5]])
            #expect(try other.changes(after: 103) == nil)
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `one note of more than is kept tells that anything may have changed`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().open()
        let objects = (0...10_000).map { ObjectID(classNumber: 0, number: $0) }

        try store.write { try store.noteChanges(objects) }

        try store.read { () throws in
            #expect(try store.changes(after: 0) == nil)
            #expect(try store.changes(after: 1) == [])
        }
    }
}
