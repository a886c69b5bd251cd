import TarnModel

/// Comparisons: which side is looked at, and whether it can be compared so.
extension Binder {
    func test(_ comparison: Comparison) throws(QueryError) -> BoundTest {
        let comparator = comparison.comparator
        if case .state(let path, let quantifier) = comparison.left {
            return try stateTest(path, quantifier, comparison)
        }
        if comparison.left.isLiteral {
            return try textTest(subject: comparison.right, comparison, other: comparison.left)
        }
        let left = try subject(comparison.left)
        if comparator.isTextual {
            if case .path(let path, _) = comparison.right, try self.path(path).isMany {
                return try textTest(subject: comparison.right, comparison, other: comparison.left)
            }
            return try textTest(subject: comparison.left, comparison, other: comparison.right)
        }
        guard !comparison.right.isLiteral else {
            return try orderTest(left, comparator, comparison, other: comparison.right)
        }
        let right = try subject(comparison.right)
        if right.operand.isMany, let mirrored = comparator.mirrored {
            return try orderTest(right, mirrored, comparison, other: comparison.left)
        }
        return try orderTest(left, comparator, comparison, other: comparison.right)
    }

    func test(_ membership: Membership) throws(QueryError) -> BoundTest {
        if case .state(let path, let quantifier) = membership.subject {
            return try stateTest(path, quantifier, membership)
        }
        let subject = try subject(membership.subject)
        try refuseLink(subject, "IN")
        if membership.folds { try expectString(subject, "IN[c]") }
        var values: Set<Value> = []
        for literal in membership.values {
            let value = try constant(literal, for: subject.type, of: subject.name)
            if let value = (membership.folds ? value.folded : value).representative {
                values.insert(value)
            }
        }
        return BoundTest(subject, .isAmong(values, folds: membership.folds))
    }

    func test(
        _ operand: Operand, between lower: Literal, and upper: Literal
    ) throws(QueryError) -> BoundTest {
        let subject = try subject(operand)
        try expectOrder(subject, "BETWEEN")
        let least = try constant(lower, for: subject.type, of: subject.name)
        let greatest = try constant(upper, for: subject.type, of: subject.name)
        for (value, literal) in [(least, lower), (greatest, upper)] where value == .null {
            throw QueryError(.type, at: literal.position, "BETWEEN takes no null")
        }
        return BoundTest(subject, .isBetween(least, greatest))
    }

    // MARK: One comparison

    private func orderTest(
        _ subject: Subject, _ comparator: Comparator, _ comparison: Comparison, other: Operand
    ) throws(QueryError) -> BoundTest {
        if subject.type.isLink { return try linkTest(subject, comparator, comparison, other) }
        if comparator != .equal, comparator != .notEqual {
            try expectOrder(subject, comparator.rawValue)
        }
        if comparison.folds { try expectString(subject, "\(comparator.rawValue)[c]") }
        let bound = try self.other(other, for: subject, folds: comparison.folds)
        return BoundTest(subject, .compares(comparator, with: bound, folds: comparison.folds))
    }

    private func textTest(
        subject operand: Operand, _ comparison: Comparison, other: Operand
    ) throws(QueryError) -> BoundTest {
        let subject = try subject(operand)
        try expectString(subject, comparison.comparator.rawValue)
        let folds = comparison.folds
        let bound = try self.other(other, for: subject, folds: folds)
        let subjectIsPart = operand == comparison.right && operand != comparison.left
        let textOperator: TextOperator
        switch comparison.comparator {
        case .beginsWith: textOperator = .beginsWith
        case .endsWith: textOperator = .endsWith
        case .contains: textOperator = .contains
        default:
            guard !subjectIsPart, case .constant(.string(let pattern)) = bound else {
                throw QueryError(
                    .type, at: other.position, "LIKE compares a property with a given pattern")
            }
            guard pattern.string.utf8.count <= QueryLimits.patternBytesMax else {
                throw QueryError(
                    .limit, at: other.position,
                    "a pattern has at most \(QueryLimits.patternBytesMax) bytes")
            }
            return BoundTest(subject, .isLike(pattern, folds: folds))
        }
        return BoundTest(
            subject,
            .contains(textOperator, bound, folds: folds, subjectIsPart: subjectIsPart))
    }

    private func linkTest(
        _ subject: Subject, _ comparator: Comparator, _ comparison: Comparison, _ other: Operand
    ) throws(QueryError) -> BoundTest {
        guard comparator == .equal || comparator == .notEqual, !comparison.folds else {
            throw QueryError(
                .type, at: subject.position,
                "\(subject.name) is \(subject.type.phrase); it has only == and !=")
        }
        let end: LinkEnd
        switch other {
        case .literal(let literal):
            switch try constant(literal, for: subject.type, of: subject.name) {
            case .link(let link): end = .key(link.key)
            default: end = .null
            }
        case .path, .count, .state:
            let second = try self.subject(other)
            guard case .path(let path) = second.operand, !path.isMany, path.leafTarget != nil,
                second.type == subject.type
            else { throw mismatch(subject, second) }
            end = .path(path)
        }
        return BoundTest(subject, .leads(to: end, isNegated: comparator == .notEqual))
    }

    // MARK: Sides

    /// The side of a comparison that is looked at.
    struct Subject {
        let operand: BoundOperand
        let quantifier: Quantifier
        let type: ValueType
        /// As it was written.
        let name: String
        let position: TextPosition
    }

    func subject(_ operand: Operand) throws(QueryError) -> Subject {
        switch operand {
        case .path(let path, let quantifier):
            let bound = try self.path(path)
            if let quantifier, !bound.isMany {
                throw QueryError(
                    .type, at: path.position,
                    "\(quantifier.rawValue) needs a collection, and \(path) leads through none")
            }
            return Subject(
                operand: .path(bound), quantifier: quantifier ?? .any, type: bound.leafType,
                name: "\(path)", position: path.position)
        case .count(let path):
            let bound = try self.path(path)
            guard bound.leafIsList else {
                throw QueryError(.type, at: path.position, "\(path) is no collection to be counted")
            }
            return Subject(
                operand: .count(bound), quantifier: .any, type: .int, name: "\(path).@count",
                position: path.position)
        case .state(let path, _):
            throw QueryError(
                .type, at: path.position,
                "a state is compared by ==, != and IN with given words: \(LinkState.words)")
        case .literal(let literal):
            throw QueryError(.type, at: literal.position, "a property was expected")
        }
    }

    private func other(
        _ operand: Operand, for subject: Subject, folds: Bool
    ) throws(QueryError) -> BoundOperand {
        if case .literal(let literal) = operand {
            let value = try constant(literal, for: subject.type, of: subject.name)
            return .constant(folds ? value.folded : value)
        }
        let other = try self.subject(operand)
        guard other.type.isComparable(with: subject.type) else { throw mismatch(subject, other) }
        guard !other.operand.isMany else {
            throw QueryError(
                .type, at: other.position,
                "only one side of a comparison may lead through a collection")
        }
        return other.operand
    }

    private func mismatch(_ left: Subject, _ right: Subject) -> QueryError {
        QueryError(
            .type, at: right.position,
            "\(left.name) is \(left.type.phrase) and cannot be compared with \(right.name)")
    }

    private func expectString(_ subject: Subject, _ operation: String) throws(QueryError) {
        guard subject.type == .string else {
            throw QueryError(
                .type, at: subject.position,
                "\(operation) is for strings, and \(subject.name) is \(subject.type.phrase)")
        }
    }

    private func expectOrder(_ subject: Subject, _ operation: String) throws(QueryError) {
        guard subject.type != .bool, subject.type != .data, !subject.type.isLink else {
            throw QueryError(
                .type, at: subject.position,
                "\(subject.name) is \(subject.type.phrase), which has no order for \(operation)")
        }
    }

    private func refuseLink(_ subject: Subject, _ operation: String) throws(QueryError) {
        guard !subject.type.isLink else {
            throw QueryError(
                .type, at: subject.position,
                "\(subject.name) is \(subject.type.phrase), which \(operation) cannot look for")
        }
    }
}

extension BoundTest {
    init(_ subject: Binder.Subject, _ condition: Condition) {
        self.init(
            subject: subject.operand, quantifier: subject.quantifier, condition: condition)
    }
}

extension Value {
    /// A string folded; anything else as it is.
    var folded: Value { if case .string(let text) = self { .string(text.folded) } else { self } }
}
