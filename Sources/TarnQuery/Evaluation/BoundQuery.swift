package import TarnModel

/// A query that can be run: names looked up, arguments in place, types checked. It says the same
/// whether it is run here, over an `ObjectReader`, or as SQL.
///
/// Two are equal if they ask the same in the same way of the same store, whatever their texts were,
/// so one may be the key of a view that many share.
package struct BoundQuery: Sendable {
    /// The class of the objects that it finds.
    package let classNumber: Int
    package let predicate: BoundPredicate
    package let sort: [BoundSort]
    /// How many objects at most, after sorting.
    package let limit: Int?
    /// What the result depends on, each path once.
    package let paths: [DependencyPath]
    /// By the class of a changed object: how to get from it back to roots, link by link.
    let routes: [Int: [[PropertyStep]]]

    init(classNumber: Int, predicate: BoundPredicate, sort: [BoundSort], limit: Int?) {
        self.classNumber = classNumber
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        paths = DependencyPath.all(of: predicate, sort)
        routes = DependencyPath.routes(of: paths)
    }

    /// Whether an object of the query's class satisfies the predicate.
    package func matches(_ object: ObjectID, in reader: some ObjectReader) throws -> Bool {
        try Evaluator(reader: reader).holds(predicate, for: object)
    }

    /// All objects that match, sorted and limited.
    package func evaluate(in reader: some ObjectReader) throws -> [ObjectID] {
        let evaluator = Evaluator(reader: reader)
        var found: [ObjectID] = []
        for object in try reader.objects(in: classNumber)
        where try evaluator.holds(predicate, for: object) {
            found.append(object)
        }
        let sorted = try sorted(found, in: reader)
        return limit.map { Array(sorted.prefix($0)) } ?? sorted
    }

    /// What the top-level conjunction demands of own properties: each of these values, or no
    /// match. An index of views by them finds the few that a changed object can concern. Doubles
    /// give none: 0.0 equals -0.0, which is another value.
    package var equalityTerms: [(property: PropertyStep, value: Value)] {
        let parts = if case .all(let parts) = predicate { parts } else { [predicate] }
        return parts.compactMap { part in
            guard case .test(let test) = part, case .path(let path) = test.subject, path.isOwn,
                !path.isMany, path.leafType != .double
            else { return nil }
            switch test.condition {
            case .compares(.equal, .constant(let value), folds: false): return (path.leaf, value)
            case .isAmong(let values, folds: false) where values.count == 1:
                return values.first.map { (path.leaf, $0) }
            case .leads(to: .null, isNegated: false): return (path.leaf, .null)
            default: return nil
            }
        }
    }
}

extension BoundQuery: Hashable {
    // The rest follows from these.
    package static func == (left: BoundQuery, right: BoundQuery) -> Bool {
        left.classNumber == right.classNumber && left.predicate == right.predicate
            && left.sort == right.sort && left.limit == right.limit
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(classNumber)
        hasher.combine(predicate)
        hasher.combine(sort)
        hasher.combine(limit)
    }
}
