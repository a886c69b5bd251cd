import TarnModel

/// Looks up a query's names in a schema, puts its arguments in place and checks the types.
struct Binder {
    let schema: Schema
    let user: String
    let arguments: [Value]
    let root: Int

    func predicate(_ predicate: Predicate) throws(QueryError) -> BoundPredicate {
        switch predicate {
        case .always(let holds): return .always(holds)
        case .all(let parts): return .all(try self.parts(parts))
        case .any(let parts): return .any(try self.parts(parts))
        case .not(let part): return .not(try self.predicate(part))
        case .comparison(let comparison): return .test(try test(comparison))
        case .membership(let membership): return .test(try test(membership))
        case .range(let subject, let lower, let upper):
            return .test(try test(subject, between: lower, and: upper))
        }
    }

    private func parts(_ parts: [Predicate]) throws(QueryError) -> [BoundPredicate] {
        var bound: [BoundPredicate] = []
        for part in parts { bound.append(try predicate(part)) }
        return bound
    }

    func sort(_ term: SortTerm) throws(QueryError) -> BoundSort {
        let path = try path(term.path)
        guard !path.isMany else {
            throw QueryError(
                .type, at: term.path.position,
                "\(term.path) leads through a collection; sort by one value")
        }
        guard !path.leafType.isLink else {
            throw QueryError(
                .type, at: term.path.position,
                "\(term.path) is a link; sort by a property of what it leads to")
        }
        guard path.leafType != .data else {
            throw QueryError(
                .type, at: term.path.position, "\(term.path) is data, which has no order")
        }
        return BoundSort(path: path, isAscending: term.isAscending)
    }

    func path(_ path: PropertyPath) throws(QueryError) -> BoundPath {
        var links: [BoundPath.Link] = []
        var classNumber = root
        for name in path.names.dropLast() {
            let (step, property) = try look(for: name, in: classNumber, at: path.position)
            guard let className = property.type.linkedClass else {
                throw QueryError(
                    .type, at: path.position, "\(name) is \(property.phrase), which leads nowhere")
            }
            guard let target = schema.number(of: className) else {
                throw QueryError(
                    .unknownName, at: path.position,
                    "\(name) leads to the class \(className), which does not exist yet")
            }
            links.append(BoundPath.Link(step: step, isList: !property.isCell, target: target))
            classNumber = target
        }
        let (leaf, property) = try look(
            for: path.names[path.names.count - 1], in: classNumber, at: path.position)
        let bound = BoundPath(
            links: links, leaf: leaf, type: property.type, isList: !property.isCell,
            target: property.type.linkedClass.flatMap(schema.number(of:)))
        let listCount = links.count(where: \.isList) + (property.isCell ? 0 : 1)
        guard listCount <= QueryLimits.listsOnPathMax else {
            throw QueryError(
                .limit, at: path.position,
                "a path leads through at most \(QueryLimits.listsOnPathMax) collections")
        }
        return bound
    }

    private func look(
        for name: String, in classNumber: Int, at position: TextPosition
    ) throws(QueryError) -> (PropertyStep, PropertySchema) {
        guard let schema = schema.schema(number: classNumber) else {
            throw QueryError(.unknownName, at: position, "the class does not exist")
        }
        if name == schema.primaryKey.name {
            let step = PropertyStep(classNumber: classNumber, property: PropertyStep.primaryKey)
            return (step, schema.primaryKey)
        }
        guard let number = schema.number(of: name) else {
            let names = [schema.primaryKey.name] + schema.properties.map(\.name)
            throw QueryError(
                .unknownName, at: position,
                "unknown property \"\(name)\" of \(schema.name)"
                    + NameSuggestion.question(for: name, among: names))
        }
        return (PropertyStep(classNumber: classNumber, property: number), schema.properties[number])
    }

    /// What a literal stands for.
    func value(of literal: Literal) throws(QueryError) -> Value {
        switch literal.content {
        case .value(let written): return written
        case .user: return .string(user)
        case .argument(let number):
            guard arguments.indices.contains(number) else {
                throw QueryError(
                    .argument, at: literal.position,
                    "$\(number) is not among the \(arguments.count) arguments")
            }
            return arguments[number]
        }
    }

    /// A literal as a value that can be compared with something of that type, or null.
    func constant(
        _ literal: Literal, for type: ValueType, of subject: String
    ) throws(QueryError) -> Value {
        let value = try value(of: literal)
        switch (value, type) {
        case (.null, _), (.bool, .bool), (.string, .string), (.uuid, .uuid), (.date, .date),
            (.data, .data), (.link, .link):
            return value
        case (.int, .int), (.double, .double), (.int, .double), (.double, .int): return value
        default:
            throw QueryError(
                .type, at: literal.position,
                "\(subject) is \(type.phrase) and cannot be compared with \(value.phrase)")
        }
    }
}

extension PropertySchema {
    fileprivate var phrase: String {
        switch kind {
        case .value: type.phrase
        case .list: "a list"
        case .set: "a set"
        case .map: "a map"
        }
    }
}

extension ValueType {
    var isNumber: Bool { self == .int || self == .double }

    /// Whether values of the types can be equal.
    func isComparable(with other: ValueType) -> Bool {
        self == other || isNumber && other.isNumber
    }

    /// With its article, for an error message.
    var phrase: String {
        switch self {
        case .bool: "a bool"
        case .int: "an int"
        case .string: "a string"
        case .uuid: "a uuid"
        case .date: "a date"
        case .double: "a double"
        case .data: "data"
        case .link(let className): "a link to \(className)"
        }
    }
}

extension Value {
    var phrase: String {
        switch self {
        case .null: "null"
        case .bool: "a bool"
        case .int: "an int"
        case .string: "a string"
        case .uuid: "a uuid"
        case .date: "a date"
        case .double: "a double"
        case .data: "data"
        case .link: "a link"
        }
    }
}
