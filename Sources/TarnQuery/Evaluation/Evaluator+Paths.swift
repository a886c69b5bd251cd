import TarnModel

/// Where a path leads.
enum PathEnd: Hashable {
    /// A value that is no link, or null.
    case value(Value)
    case object(ObjectID)
    /// A link whose object is not here.
    case nowhere
}

extension Evaluator {
    /// The value that a path without lists leads to: null where a link on it leads to no object.
    func value(of path: BoundPath, for object: ObjectID) throws -> Value {
        guard let holder = try holder(path, for: object) else { return .null }
        if path.leaf.isPrimaryKey { return Value(try reader.key(of: holder)) }
        return try reader.value(path.leaf.property, of: holder)
    }

    func end(of path: BoundPath, for object: ObjectID) throws -> PathEnd {
        guard let holder = try holder(path, for: object) else { return .value(.null) }
        return try end(at: path, of: holder)
    }

    /// The object that has the leaf of a path without lists.
    private func holder(_ path: BoundPath, for object: ObjectID) throws -> ObjectID? {
        var holder = object
        for link in path.links {
            guard let target = try reader.target(link.step.property, of: holder) else { return nil }
            holder = target
        }
        return holder
    }

    func end(at path: BoundPath, of holder: ObjectID) throws -> PathEnd {
        if path.leaf.isPrimaryKey { return .value(Value(try reader.key(of: holder))) }
        let property = path.leaf.property
        guard path.leafType.isLink else { return .value(try reader.value(property, of: holder)) }
        if let target = try reader.target(property, of: holder) { return .object(target) }
        return try reader.value(property, of: holder) == .null ? .value(.null) : .nowhere
    }

    /// Whether something that a path through lists leads to is wanted; stops at the first.
    func hasEnd(
        _ path: BoundPath, for object: ObjectID, _ isWanted: (PathEnd) throws -> Bool
    ) throws -> Bool {
        try hasHolder(path, for: object) { holder in
            guard let holder else { return try isWanted(.value(.null)) }
            return try hasEnd(at: path, of: holder, isWanted)
        }
    }

    /// Whether an object that has the leaf of a path through collections is wanted; stops at the
    /// first. Nil stands for an element whose link leads nowhere.
    func hasHolder(
        _ path: BoundPath, for object: ObjectID, _ isWanted: (ObjectID?) throws -> Bool
    ) throws -> Bool {
        try hasHolder(path, from: object, at: 0, isWanted)
    }

    /// How many values a path leads to that ends at a collection.
    func count(_ path: BoundPath, for object: ObjectID) throws -> Int {
        var count = 0
        _ = try hasEnd(path, for: object) { _ in
            count += 1
            return false
        }
        return count
    }

    /// Depth first; as deep as the path is long.
    private func hasHolder(
        _ path: BoundPath, from object: ObjectID, at index: Int,
        _ isWanted: (ObjectID?) throws -> Bool
    ) throws -> Bool {
        guard index < path.links.count else { return try isWanted(object) }
        let link = path.links[index]
        if link.isList {
            for target in try reader.targets(link.step.property, of: object)
            where try hasHolder(path, from: target, at: index + 1, isWanted) {
                return true
            }
            return false
        }
        if let target = try reader.target(link.step.property, of: object) {
            return try hasHolder(path, from: target, at: index + 1, isWanted)
        }
        // An element whose link leads nowhere counts as one with null; before and at a list there
        // is no element to count.
        let listFollows = path.leafIsList || path.links[(index + 1)...].contains(where: \.isList)
        return try !listFollows && isWanted(nil)
    }

    private func hasEnd(
        at path: BoundPath, of holder: ObjectID, _ isWanted: (PathEnd) throws -> Bool
    ) throws -> Bool {
        guard path.leafIsList else { return try isWanted(try end(at: path, of: holder)) }
        let property = path.leaf.property
        if path.leafType.isLink {
            for target in try reader.targets(property, of: holder)
            where try isWanted(.object(target)) {
                return true
            }
        } else {
            for value in try reader.elements(property, of: holder)
            where try isWanted(.value(value)) {
                return true
            }
        }
        return false
    }
}
