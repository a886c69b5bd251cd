package import TarnModel

/// The objects that a view holds: its roots, and what links lead to within a depth.
///
/// Objects are counted by distance: `layers[d][o]` is the number of walks of `d + 1` links from any
/// root to `o` whose last step counts once for each link. A layer depends only on the one before
/// it, so a cycle cannot keep itself alive, and a cut costs its neighbourhood rather than the view.
package struct Reach: Sendable {
    /// An object's links, with how many times each target is linked to.
    package typealias Links = [ObjectID: Int]

    package let depth: Int
    private var roots = ObjectMap<Bool>()
    /// Links into each object from the layer before, by distance from 1.
    private var layers: [ObjectMap<Int>]
    /// The links of every object that stands in a layer with another one behind it, as they were
    /// counted; nil where there are none.
    private var links = ObjectMap<Links>()

    package init(depth: Int) {
        self.depth = depth
        layers = Array(repeating: ObjectMap(), count: depth)
    }

    package func contains(_ object: ObjectID) -> Bool {
        isRoot(object) || layers.contains { $0.contains(object) }
    }

    package func isRoot(_ object: ObjectID) -> Bool { roots.contains(object) }

    package var rootObjects: [ObjectID] { roots.sortedKeys }

    /// Every object held, with whether it is a root.
    package var members: ObjectMap<Bool> {
        var members = ObjectMap<Bool>()
        for layer in layers {
            layer.visit { object, _ in members[object] = false }
        }
        roots.visit { object, _ in members[object] = true }
        return members
    }

    /// What an update came to: the objects that may have entered, left or become roots or no roots.
    package struct Update {
        package var affected: Set<ObjectID> = []
    }

    /// Brings the counts up to date.
    /// - Parameters:
    ///   - entering: objects that become roots; none of them is one.
    ///   - leaving: objects that are roots and cease to be.
    ///   - touched: objects whose links may have changed.
    ///   - currentLinks: an object's links as they are now.
    package mutating func update<Failure: Error>(
        entering: Set<ObjectID>, leaving: Set<ObjectID>, touched: Set<ObjectID>,
        currentLinks: (ObjectID) throws(Failure) -> Links
    ) throws(Failure) -> Update {
        var update = Update(affected: entering.union(leaving))
        for object in leaving { roots[object] = nil }
        for object in entering { roots[object] = true }
        var step = Step(entered: entering, left: leaving)
        var fresh: [ObjectID: Links] = [:]
        for distance in 0..<depth {
            var next: [ObjectID: Int] = [:]
            func links(of object: ObjectID) throws(Failure) -> Links {
                if let known = fresh[object] { return known }
                let current = try currentLinks(object)
                fresh[object] = current
                return current
            }
            for object in step.left {
                for (target, count) in self.links[object] ?? [:] {
                    next[target, default: 0] -= count
                }
            }
            for object in step.entered {
                for (target, count) in try links(of: object) { next[target, default: 0] += count }
            }
            for object in touched where !step.entered.contains(object) {
                guard holds(object, at: distance) else { continue }
                for (target, count) in self.links[object] ?? [:] {
                    next[target, default: 0] -= count
                }
                for (target, count) in try links(of: object) { next[target, default: 0] += count }
            }
            step = apply(next, toLayer: distance)
            update.affected.formUnion(step.entered)
            update.affected.formUnion(step.left)
        }
        for (object, current) in fresh {
            self.links[object] = current.isEmpty ? nil : current
        }
        for object in update.affected.union(touched) where !isHolder(object) {
            self.links[object] = nil
        }
        return update
    }

    private struct Step {
        var entered: Set<ObjectID> = []
        var left: Set<ObjectID> = []
    }

    private mutating func apply(_ differences: [ObjectID: Int], toLayer index: Int) -> Step {
        var step = Step()
        for (object, difference) in differences where difference != 0 {
            let before = layers[index][object] ?? 0
            let after = before + difference
            precondition(after >= 0, "a link is taken away as often as it was counted")
            layers[index][object] = after == 0 ? nil : after
            if before == 0 { step.entered.insert(object) }
            if after == 0 { step.left.insert(object) }
        }
        return step
    }

    /// Whether the object is a root (distance 0), or at that distance from one.
    private func holds(_ object: ObjectID, at distance: Int) -> Bool {
        distance == 0 ? isRoot(object) : layers[distance - 1].contains(object)
    }

    /// Whether the object's links are counted anywhere.
    private func isHolder(_ object: ObjectID) -> Bool {
        (0..<depth).contains { holds(object, at: $0) }
    }
}
