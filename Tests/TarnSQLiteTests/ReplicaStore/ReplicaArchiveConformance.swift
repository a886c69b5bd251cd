import TarnModel
import TarnStorage
import Testing

/// What a replica keeps for the day on which its server comes back from an old backup.
@Suite(.serialized) struct ReplicaArchiveConformance {
    private func archived(
        _ sequence: UInt64, of replica: UInt64 = 1, version: UInt64, bytes: Int = 10,
        decided: Int64 = 100, _ standing: SealedTransaction.Standing = .decided
    ) throws -> ArchivedTransaction {
        func hash(_ number: UInt64) throws -> ChainHash {
            let byte = UInt8(truncatingIfNeeded: number)
            return try #require(ChainHash(prefixOf: [UInt8](repeating: byte, count: 16)))
        }
        return ArchivedTransaction(
            id: TransactionID(replica, sequence),
            sealed: SealedTransaction(
                body: [UInt8](repeating: UInt8(sequence), count: bytes), hash: try hash(sequence),
                clockTicks: .max - sequence, standing: standing),
            previous: try hash(sequence - 1), version: Version(version), decided: decided)
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `decided work is kept once, and found above a version`(
        kind: ReplicaImplementation
    ) throws {
        let replica = kind.replica()
        let store = try replica.open()
        let first = try archived(1, version: 4)
        let second = try archived(2, version: 7, .undone)
        let former = try archived(2, of: 9, version: 5)
        let again = try archived(1, version: 6, bytes: 3)
        try store.write {
            for transaction in [first, second, former, again] { try store.archive(transaction) }
        }

        let other = try replica.open()
        try other.read { () throws in
            #expect(try other.archivedIDs(after: .zero) == [former.id, again.id, second.id])
            #expect(try other.archivedIDs(after: Version(5)) == [again.id, second.id])
            #expect(try other.archived(again.id) == again)
            #expect(try other.archived(second.id) == second)
            #expect(try other.archived(former.id) == former)
            #expect(try other.archived(TransactionID(9, 1)) == nil)
        }
        try store.write { try store.removeArchived(again.id) }
        try other.read { () throws in
            #expect(try other.archivedIDs(after: .zero) == [former.id, second.id])
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `the oldest go, until age and bytes are within bounds`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().open()
        try store.write {
            for sequence in 1...6 as ClosedRange<UInt64> {
                try store.archive(
                    try archived(
                        sequence, version: sequence, bytes: 10, decided: Int64(sequence) * 100))
            }
            try store.removeArchived(TransactionID(1, 4))
        }
        func sequences() throws -> [UInt64] {
            try store.read { () throws in
                try store.archivedIDs(after: .zero).map(\.sequence)
            }
        }

        try store.write {
            try store.trimArchive(to: ArchiveBounds(age: 450, byteCount: 100), now: 600)
        }
        #expect(try sequences() == [2, 3, 5, 6])
        try store.write {
            try store.trimArchive(to: ArchiveBounds(age: 10_000, byteCount: 25), now: 600)
        }
        #expect(try sequences() == [5, 6])
        try store.write {
            try store.trimArchive(to: ArchiveBounds(age: 10_000, byteCount: 0), now: 600)
        }
        #expect(try sequences() == [])
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `points are remembered, the fewer the older they are`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().open()
        func point(_ version: UInt64) -> ResumePoint {
            ResumePoint(version: Version(version), salt: Salt(version &* 7))
        }
        try store.write(.relaxed) {
            try store.setResumePoint(.zero)
            for version in 1...5_000 as ClosedRange<UInt64> {
                try store.setResumePoint(point(version))
            }
        }

        let points = try store.read { () throws in try store.points() }
        #expect(points.count <= ReplicaLimits.pointsMax && points.count > 200)
        #expect(points == points.sorted { $0.version < $1.version })
        #expect(points.suffix(100) == (4_901...5_000).map { point($0) }[...])
        #expect((points.first?.version.number ?? 0) < 100)
        #expect(points.allSatisfy { $0 == point($0.version.number) })

        try store.write {
            try store.dropPoints(above: Version(4_950))
            try store.setResumePoint(ResumePoint(version: Version(4_940), salt: Salt(1)))
        }
        let left = try store.read { () throws in try store.points() }
        #expect(left.last == ResumePoint(version: Version(4_940), salt: Salt(1)))
        #expect(left.dropLast().last == point(4_939))
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `pending work can take another place, with what it touches`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().open()
        let object = ObjectID(classNumber: 0, number: 1)
        func entry(
            _ sequence: UInt64, _ standing: SealedTransaction.Standing = .new
        ) -> OutboxEntry {
            OutboxEntry(
                sequence: sequence,
                sealed: SealedTransaction(
                    body: [UInt8(sequence)], hash: .zero, clockTicks: 5, standing: standing))
        }
        try store.write {
            try store.append(entry(4), touching: [object])
            try store.append(entry(5, .decided), touching: [])
            try store.replacePending(4, by: entry(1, .undone))
            try store.replacePending(5, by: entry(5, .new))
        }

        try store.read { () throws in
            #expect(try store.pending(after: 0, limit: 9) == [entry(1, .undone), entry(5)])
            #expect(try store.sequences(touching: object) == [1])
            #expect(try store.objects(touchedBy: 1) == [object])
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `ids that were given up, and the last common version, are part of the identity`(
        kind: ReplicaImplementation
    ) throws {
        let replica = kind.replica()
        let store = try replica.open()
        var identity = ReplicaIdentity(
            realmName: try #require(RealmName("alice/todo")), realm: nil, replica: ReplicaID(3),
            user: "alice", formerReplicas: [ReplicaID(.max), ReplicaID(1)],
            common: ResumePoint(version: Version(8), salt: Salt(.max)))
        try store.write { try store.setIdentity(identity) }
        let other = try replica.open()
        try other.read { () throws in #expect(try other.identity() == identity) }
        #expect(identity.isOwn(ReplicaID(1)) && identity.isOwn(ReplicaID(3)))
        #expect(!identity.isOwn(ReplicaID(2)))

        identity.common = nil
        identity.formerReplicas.append(ReplicaID(3))
        identity.replica = ReplicaID(4)
        try store.write { try store.setIdentity(identity) }

        try other.read { () throws in #expect(try other.identity() == identity) }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `a receipt is dropped alone`(kind: ReplicaImplementation) throws {
        let store = try kind.replica().open()
        func kept(_ sequence: UInt64) -> KeptReceipt {
            KeptReceipt(
                receipt: Receipt(
                    sequence: sequence, hash: .zero, version: Version(1), ticks: 0,
                    outcome: .refused(Refusal(.tooLarge, "No."))), body: [1], decided: 77)
        }
        try store.write {
            for sequence in 1...3 as ClosedRange<UInt64> { try store.keep(kept(sequence)) }
            try store.dropReceipt(kept(2).receipt)
        }

        try store.read { () throws in
            #expect(try store.keptReceipts() == [kept(1), kept(3)])
        }
    }
}
