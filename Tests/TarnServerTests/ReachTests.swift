import TarnModel
import TarnTesting
import Testing

@testable import TarnServer

/// What links lead to, kept by what changes, against a walk from the roots.
struct ReachTests {
    private static func object(_ number: Int) -> ObjectID {
        ObjectID(classNumber: 0, number: Int64(number))
    }

    private static func members(of reach: Reach) -> [ObjectID: Bool] {
        var members: [ObjectID: Bool] = [:]
        reach.members.visit { members[$0] = $1 }
        return members
    }

    /// Links by object, with multiplicity.
    private struct Graph {
        var links: [ObjectID: Reach.Links] = [:]
        var roots: Set<ObjectID> = []

        func walk(depth: Int) -> [ObjectID: Bool] {
            var reached: [ObjectID: Bool] = [:]
            var layer = roots
            for root in roots { reached[root] = true }
            for _ in 0..<depth {
                let next = layer.reduce(into: Set<ObjectID>()) {
                    $0.formUnion((links[$1] ?? [:]).keys)
                }
                for object in next where reached[object] == nil { reached[object] = false }
                layer = next
            }
            return reached
        }
    }

    private static func randomLinks(_ random: inout SeededGenerator) -> Reach.Links {
        var links: Reach.Links = [:]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            links[object(.random(in: 0..<8, using: &random)), default: 0] += 1
        }
        return links
    }

    @Test(arguments: [UInt64](1...60))
    func `a reach kept by its changes is what a walk finds`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let depth = Int(seed % 5)
        var graph = Graph()
        var reach = Reach(depth: depth)

        for _ in 0..<60 {
            var touched: Set<ObjectID> = []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let object = Self.object(.random(in: 0..<8, using: &random))
                graph.links[object] = Self.randomLinks(&random)
                touched.insert(object)
            }
            let toggled = Set(
                (0..<Int.random(in: 0...2, using: &random)).map { _ in
                    Self.object(.random(in: 0..<8, using: &random))
                })
            let before = Self.members(of: reach)
            let entering = toggled.subtracting(graph.roots)
            let leaving = toggled.intersection(graph.roots)
            graph.roots.formSymmetricDifference(toggled)

            let update = reach.update(entering: entering, leaving: leaving, touched: touched) {
                graph.links[$0] ?? [:]
            }

            let after = graph.walk(depth: depth)
            #expect(Self.members(of: reach) == after)
            let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            #expect(update.affected.isSuperset(of: changed))
            for number in 0..<8 {
                let object = Self.object(number)
                #expect(reach.contains(object) == (after[object] != nil))
            }
        }
    }

    @Test func `a circle that is cut from its root falls, at any depth`() {
        let (root, one, two) = (Self.object(1), Self.object(2), Self.object(3))
        var links: [ObjectID: Reach.Links] = [root: [one: 1], one: [two: 1], two: [one: 1]]
        var reach = Reach(depth: 8)
        _ = reach.update(entering: [root], leaving: [], touched: []) { links[$0] ?? [:] }
        #expect(reach.members.count == 3)

        links[root] = [:]
        _ = reach.update(entering: [], leaving: [], touched: [root]) { links[$0] ?? [:] }

        #expect(Self.members(of: reach) == [root: true])
    }
}
