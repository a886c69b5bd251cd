package import TarnModel

extension BoundQuery {
    /// Whether a root's own properties decide alone, so that no other object's change can concern
    /// the result.
    package var usesOnlyOwnProperties: Bool { routes.isEmpty }

    /// Every class with objects that the result depends on.
    package var classes: Set<Int> { Set(routes.keys).union([classNumber]) }

    /// Whether a change of that property can change the result, in membership or order.
    package func dependsOn(_ property: PropertyStep) -> Bool {
        paths.contains { $0.steps.contains(property) }
    }

    /// The roots whose match or place can be changed by a change of that object: itself if it is of
    /// the query's class, and those from which a path leads to it. They are all looked up as the
    /// store is now: roots that a link has been taken from changed themselves.
    package func affectedRoots(
        by changed: ObjectID, in reader: some ObjectReader
    ) throws -> Set<ObjectID> {
        var roots: Set<ObjectID> = []
        if changed.classNumber == classNumber { roots.insert(changed) }
        for route in routes[changed.classNumber] ?? [] {
            var reached: Set<ObjectID> = [changed]
            for link in route {
                var holders: Set<ObjectID> = []
                for object in reached {
                    holders.formUnion(
                        try reader.referrers(
                            of: object, through: link.property, in: link.classNumber))
                }
                reached = holders
                if reached.isEmpty { break }
            }
            roots.formUnion(reached)
        }
        return roots
    }
}
