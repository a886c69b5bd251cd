import TarnModel
import TarnQuery
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

/// The law: the floor alone decides what is known. That its room is freed, now or later or half of
/// it, changes no answer.
struct ForgottenPastTests {
    @Test(arguments: StoreKind.allCases, [UInt64](1...2))
    func `freeing room changes no answer`(kind: StoreKind, seed: UInt64) throws {
        let folder = TemporaryFolder()
        var names = EffectGenerator(seed: seed, isTidy: true)
        let store = try kind.realmStore(in: folder)
        for _ in 0..<4 {
            try store.begin()
            for _ in 0..<5 {
                let version = store.applied.version.next
                try store.append(point(version.number), origin: names.origin(of: version))
                for _ in 0..<8 {
                    if let effect = try names.effect(for: store) { try store.apply(effect) }
                }
            }
            try store.advanceFloor(to: Version(store.applied.version.number - 3))
            try store.commit()
            let before = try RealmAnswers(store, names: names, views: [])
            var isMore = true
            while isMore {
                try store.begin()
                isMore = try store.prune(limit: 12)
                try store.commit()
                let differences = try RealmAnswers(store, names: names, views: [])
                    .differences(from: before)
                    // Of a life that ended, by whatever name, nothing is to be had.
                    .filter { !$0.hasPrefix("resolved") }
                try #require(
                    differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
            }
        }
    }

    @Test(arguments: [UInt64](1...8))
    func `a floor that a crash takes back does no harm to what is replayed`(seed: UInt64) throws {
        var names = EffectGenerator(seed: seed, isTidy: true)
        let store = MemoryRealmStore()
        // Decided on a store whose floor rises and whose room is freed, as it goes.
        var records: [(ResumePoint, Origin, [Effect])] = []
        var states: [MemoryRealmStore] = [store.crashed(losingTail: 0)]
        for _ in 0..<40 {
            try store.begin()
            let version = store.applied.version.next
            let origin = names.origin(of: version)
            try store.append(point(version.number), origin: origin)
            var effects: [Effect] = []
            for _ in 0..<6 {
                guard let effect = try names.effect(for: store) else { continue }
                try store.apply(effect)
                effects.append(effect)
            }
            records.append((point(version.number), origin, effects))
            try store.commit()
            try store.begin()
            if names.chance(40) {
                try store.advanceFloor(to: Version(version.number - names.behind(version)))
            }
            _ = try store.prune(limit: 10)
            try store.commit()
            try store.checkpoint()
            states.append(store.crashed(losingTail: 0))
        }

        // Whatever the crash left: with the floor of then, and what was freed by then.
        let answers = try RealmAnswers(store, names: names, views: [])
        for (held, state) in states.enumerated() where held % 8 == Int(seed) % 8 {
            let replayed = state.crashed(losingTail: 0)
            try replayed.begin()
            for (point, origin, effects) in records[held...] {
                try replayed.append(point, origin: origin)
                for effect in effects { try replayed.apply(effect) }
            }
            try replayed.advanceFloor(to: store.floor)
            while try replayed.prune(limit: 100) {}
            try replayed.commit()
            let differences = try RealmAnswers(replayed, names: names, views: [])
                .differences(from: answers)
                .filter { !$0.hasPrefix("resolved") && !$0.hasPrefix("surroundings") }
            try #require(differences.isEmpty, "\(held): \(differences.prefix(5))")
        }
    }
}

extension EffectGenerator {
    fileprivate mutating func behind(_ version: Version) -> UInt64 {
        UInt64.random(in: 0...min(version.number, 4), using: &random)
    }
}
