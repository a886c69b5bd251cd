import TarnModel
import TarnStorage
import TarnTesting
import Testing

/// What every implementation of `ReplicaStore` keeps of a download that is under way.
struct ReplicaStagingConformance {
    private func point(_ version: UInt64) -> ResumePoint {
        ResumePoint(version: Version(version), salt: Salt(version &* 3))
    }

    private func staged(_ store: any ReplicaStore) throws -> [StagedGroup] {
        var groups: [StagedGroup] = []
        try store.forEachStaged { groups.append($0) }
        return groups
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `staged groups come back in their order, to every process, until they are dropped`(
        kind: ReplicaImplementation
    ) throws {
        let replica = kind.replica()
        let store = try replica.open()
        let groups = (0..<5).map { number in
            StagedGroup(
                bytes: Array(repeating: UInt8(number), count: number * 1_000),
                dictionary: number.isMultiple(of: 3) ? [UInt8(number)] : nil)
        }
        for (number, group) in groups.enumerated() {
            try store.write {
                try store.stage(
                    group,
                    of: StagedSeries(
                        from: point(2), to: point(3 + UInt64(number)), cursor: [UInt8(number), 7]))
            }
        }

        let other = try replica.open()
        try other.read { () throws in
            #expect(
                try other.stagedSeries()
                    == StagedSeries(from: point(2), to: point(7), cursor: [4, 7]))
            #expect(try staged(other) == groups)
        }
        try other.write { try other.dropStaged() }
        try store.read { () throws in
            #expect(try store.stagedSeries() == nil)
            #expect(try staged(store) == [])
        }
    }

    @Test(arguments: ReplicaImplementation.allCases)
    func `what was staged in a transaction that is taken back is not there`(
        kind: ReplicaImplementation
    ) throws {
        let store = try kind.replica().open()
        let series = StagedSeries(from: .zero, to: point(3), cursor: [])
        try store.begin(.writing(.relaxed))
        try store.stage(StagedGroup(bytes: [1], dictionary: nil), of: series)
        store.rollback()

        try store.read { () throws in
            #expect(try store.stagedSeries() == nil)
            #expect(try staged(store) == [])
        }
    }
}
