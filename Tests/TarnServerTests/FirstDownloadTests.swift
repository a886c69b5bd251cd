import TarnModel
import TarnProtocol
import TarnQuery
import TarnStorage
import TarnTesting
import Testing

@testable import TarnServer

/// The bound: a first download carries at most one and a half times the bytes of what lives,
/// whatever went before.
struct FirstDownloadTests {
    /// What lives in a realm, by names that mean the same in another one.
    private struct Picture {
        var items: [(key: String, body: String)] = []
        /// The keys of the items in it.
        var projects: [(key: String, items: [String])] = []

        init(of store: any RealmStore) throws {
            func text(_ value: Value) -> String {
                if case .string(let text) = value { text.string } else { "" }
            }
            func key(_ object: ObjectID) throws -> String {
                if case .string(let text) = try store.key(of: object) { text.string } else { "" }
            }
            for item in try store.objects(in: 1) {
                items.append((try key(item), text(try store.value(0, of: item))))
            }
            for project in try store.objects(in: 0) {
                projects.append(
                    (try key(project), try store.targets(2, of: project).map(key)))
            }
        }

        /// What people have written, in UTF-8: keys, and a link as the key that it leads to.
        var bytes: Int {
            items.reduce(0) { $0 + $1.key.utf8.count + $1.body.utf8.count }
                + projects.reduce(0) { sum, project in
                    sum + project.key.utf8.count + project.items.reduce(0) { $0 + $1.utf8.count }
                }
        }
    }

    private func policy(versions: Int) -> HistoryPolicy {
        var policy = HistoryPolicy()
        policy.versions = versions
        return policy
    }

    private func firstDownload(_ stage: Stage) throws -> Int {
        let client = Client(stage, 900)
        client.open()
        client.subscribe(1, "Project", depth: 0)
        client.subscribe(2, "Item", depth: 0)
        client.say(.start(client.channel))
        stage.settle()
        try client.expectAgreement()
        return Int(client.bytesTaken)
    }

    /// A realm that was made with what lives in another, at once.
    private func fresh(_ picture: Picture) -> Stage {
        let stage = Stage()
        let writer = Client(stage, 1)
        writer.resume()
        writer.commit(.addClass(ToDo.project), .addClass(ToDo.item))
        let id = writer.nextID
        var changes: [Change] = picture.items.map {
            .createItem($0.key, InitialValue("body", .string(Text($0.body))))
        }
        var ordinal: UInt32 = 0
        for project in picture.projects {
            changes.append(.createProject(project.key))
            var before: SlotID?
            for item in project.items {
                changes.append(
                    .insert(
                        .item(item, id), into: .project(project.key, id), id.slot(ordinal),
                        after: before))
                before = id.slot(ordinal)
                ordinal += 1
            }
        }
        writer.write(changes)
        writer.upload()
        stage.settle()
        return stage
    }

    /// Thousands of creations, deletions, edits, insertions, moves and removals.
    private func violentPast(_ stage: Stage, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let writer = Client(stage, 1)
        writer.resume()
        writer.commit(.addClass(ToDo.project), .addClass(ToDo.item))
        var lives: [String: TransactionID] = [:]
        let made = writer.nextID
        writer.commit(.createProject("p0"), .createProject("p1"), .createProject("p2"))
        for _ in 0..<1_500 {
            var changes: [Change] = []
            var touched: Set<String> = []
            let id = writer.nextID
            // Slots are numbered in the order of the changes that make them.
            var slots: UInt32 = 0
            func nextSlot() -> SlotID {
                defer { slots += 1 }
                return id.slot(slots)
            }
            for _ in 0..<4 {
                let key = "item \(Int.random(in: 0..<60, using: &random))"
                guard touched.insert(key).inserted else { continue }
                let body = String(
                    repeating: "x", count: Int.random(in: 40...400, using: &random))
                let number = Int.random(in: 0..<3, using: &random)
                let project = ObjectName.project("p\(number)", made)
                guard let life = lives[key] else {
                    lives[key] = id
                    changes += [
                        .createItem(key, InitialValue("body", .string(Text(body)))),
                        .insert(.item(key, id), into: project, nextSlot()),
                    ]
                    continue
                }
                let object = try stage.store.object(.string(Text("p\(number)")), in: 0)
                let list = ListID(object: try #require(object), property: 2)
                let element = try stage.store.liveElements(in: list).first {
                    $0.value == .link(key)
                }
                switch (Int.random(in: 0..<6, using: &random), element) {
                case (0, _), (1, _):
                    lives[key] = nil
                    changes.append(.delete(.item(key, life)))
                case (2, let element?):
                    changes.append(
                        .move(
                            project, property: "items", element: element.element,
                            slot: nextSlot(), place: ListPlace(after: nil, before: nil)))
                case (3, let element?):
                    changes.append(
                        .remove(project, property: "items", element: element.element))
                default:
                    changes.append(
                        .set(
                            .item(key, life), property: "body", value: .string(Text(body))))
                }
            }
            writer.write(changes)
            writer.upload()
            stage.settle()
        }
        writer.disconnect()
    }

    @Test(arguments: [0, 50, 1_000_000], [UInt64](1...2))
    func `a first download carries at most one and a half times what lives`(
        versions: Int, seed: UInt64
    ) throws {
        let stage = Stage(history: policy(versions: versions))

        try violentPast(stage, seed: seed)

        let picture = try Picture(of: stage.store)
        let bytes = try firstDownload(stage)
        let freshBytes = try firstDownload(fresh(picture))
        #expect(picture.items.count > 20)
        #expect(2 * bytes <= 3 * freshBytes, "\(bytes) against \(freshBytes) of a fresh realm")
        #expect(2 * bytes <= 3 * picture.bytes, "\(bytes) against \(picture.bytes) of values")
    }
}
