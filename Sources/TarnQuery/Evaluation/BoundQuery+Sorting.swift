package import TarnModel

package struct BoundSort: Hashable, Sendable {
    package let path: BoundPath
    package let isAscending: Bool
}

/// What decides an object's place in a result.
package struct SortKey: Hashable, Sendable {
    /// One for each term of the query's SORT.
    package let values: [Value]
    package let key: PrimaryKey

    package init(values: [Value], key: PrimaryKey) {
        self.values = values
        self.key = key
    }
}

extension BoundQuery {
    /// Without a SORT, a result is in the order of primary keys.
    package var hasSort: Bool { !sort.isEmpty }

    package func sortKey(of object: ObjectID, in reader: some ObjectReader) throws -> SortKey {
        let evaluator = Evaluator(reader: reader)
        let values = try sort.map { try evaluator.value(of: $0.path, for: object) }
        return SortKey(values: values, key: try reader.key(of: object))
    }

    /// A total order: ties are broken by the primary key, upwards. Null is less than any value, and
    /// NaN less than any other: they come first upwards and last downwards.
    package func precedes(_ left: SortKey, _ right: SortKey) -> Bool {
        for (index, term) in sort.enumerated() {
            let order = Value.order(left.values[index], right.values[index])
            if order != 0 { return term.isAscending ? order < 0 : order > 0 }
        }
        return left.key < right.key
    }

    package func precedes(
        _ left: ObjectID, _ right: ObjectID, in reader: some ObjectReader
    ) throws -> Bool {
        precedes(try sortKey(of: left, in: reader), try sortKey(of: right, in: reader))
    }

    package func sorted(
        _ objects: [ObjectID], in reader: some ObjectReader
    ) throws -> [ObjectID] {
        var keyed: [(key: SortKey, object: ObjectID)] = []
        keyed.reserveCapacity(objects.count)
        for object in objects { keyed.append((try sortKey(of: object, in: reader), object)) }
        keyed.sort { precedes($0.key, $1.key) }
        return keyed.map(\.object)
    }
}
