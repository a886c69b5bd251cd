import Glibc
import TarnTesting
import Testing

/// Real programs that are killed at any moment, and the laws on the files that they leave.
struct ProcessKillTests {
    /// Twelve kills; `make kill ROUNDS=200 SEED=7` has more of them, twenty a town.
    static let towns: [(seed: UInt64, rounds: Int)] = {
        let rounds = max(1, number("TARN_KILL_ROUNDS") ?? 12)
        let seed = UInt64(number("TARN_KILL_SEED") ?? 1)
        return stride(from: 0, to: rounds, by: 20).map { start in
            (seed + UInt64(start / 20), min(20, rounds - start))
        }
    }()

    private static func number(_ variable: String) -> Int? {
        getenv(variable).flatMap { Int(String(cString: $0)) }
    }

    @Test(arguments: towns)
    func `programs that are killed at any moment lose nothing and leave nothing half done`(
        seed: UInt64, rounds: Int
    ) throws {
        let town = try KillTown(seed: seed)
        for _ in 0..<rounds { try town.playRound() }
        try town.settle()

        #expect(town.problems == [])
        #expect(town.killCounts.values.reduce(0, +) == rounds)
        #expect(town.ledger.tasks.values.count { $0.isMade } > rounds)
        let profiles = Dictionary(
            grouping: KillTown.users.keys.sorted(), by: { KillTown.users[$0] ?? "" })
        #expect(town.files.damages(of: profiles) == [])
        for (user, names) in profiles {
            let picture = try town.files.picture(of: user, profiles: names)
            #expect(picture.problems == [])
            #expect(picture.realm.halves == [])
            #expect(town.ledger.problems(of: picture.realm, for: user) == [])
            for (name, replica) in picture.replicas {
                #expect(
                    replica == picture.realm, "\(name): \(replica.difference(to: picture.realm))")
            }
        }
    }
}
