import TarnModel

/// Tests one object after the other. The rules on null are in `docs/query-language.md`; a test
/// always holds or does not, there is no third.
struct Evaluator<Reader: ObjectReader> {
    let reader: Reader

    func holds(_ predicate: BoundPredicate, for object: ObjectID) throws -> Bool {
        switch predicate {
        case .always(let holds): return holds
        case .all(let parts):
            for part in parts where try !holds(part, for: object) { return false }
            return true
        case .any(let parts):
            for part in parts where try holds(part, for: object) { return true }
            return false
        case .not(let part): return try !holds(part, for: object)
        case .test(let test): return try holds(test, for: object)
        }
    }

    private func holds(_ test: BoundTest, for object: ObjectID) throws -> Bool {
        let condition = test.condition
        switch test.subject {
        case .constant(let value):
            return holds(condition, value, with: try other(condition, for: object))
        case .count(let path):
            let count = Value.int(Int64(try count(path, for: object)))
            return holds(condition, count, with: try other(condition, for: object))
        case .path(let path):
            if case .leads(let end, let isNegated) = condition {
                let wanted = try wanted(end, for: object)
                return try holds(test.quantifier, path, for: object) { end throws in
                    try isSame(end, wanted) != isNegated
                }
            }
            if case .hasState(let states) = condition {
                return try holds(test.quantifier, path, for: object, states)
            }
            let other = try other(condition, for: object)
            guard path.isMany else {
                return holds(condition, try value(of: path, for: object), with: other)
            }
            return try holds(test.quantifier, path, for: object) { end in
                guard case .value(let value) = end else { return false }
                return holds(condition, value, with: other)
            }
        }
    }

    private func holds(
        _ quantifier: Quantifier, _ path: BoundPath, for object: ObjectID,
        _ isWanted: (PathEnd) throws -> Bool
    ) throws -> Bool {
        guard path.isMany else { return try isWanted(try end(of: path, for: object)) }
        return switch quantifier {
        case .any: try hasEnd(path, for: object, isWanted)
        case .none: try !hasEnd(path, for: object, isWanted)
        case .all: try !hasEnd(path, for: object) { end throws in try !isWanted(end) }
        }
    }

    /// What the condition compares with: read once an object, however many values are tested.
    private func other(_ condition: Condition, for object: ObjectID) throws -> Value {
        switch condition {
        case .compares(_, let operand, let folds), .contains(_, let operand, let folds, _):
            switch operand {
            case .constant(let value): return value
            case .count(let path): return .int(Int64(try count(path, for: object)))
            case .path(let path):
                let value = try value(of: path, for: object)
                return folds ? value.folded : value
            }
        case .isLike, .isAmong, .isBetween, .leads, .hasState: return .null
        }
    }

    private func holds(_ condition: Condition, _ value: Value, with other: Value) -> Bool {
        switch condition {
        case .compares(let comparator, _, let folds):
            return comparator.holds(folds ? value.folded : value, other)
        case .contains(let textOperator, _, let folds, let subjectIsPart):
            guard case .string(let text) = value, case .string(let otherText) = other else {
                return false
            }
            let subject = folds ? text.folded : text
            return subjectIsPart
                ? textOperator.holds(text: otherText, part: subject)
                : textOperator.holds(text: subject, part: otherText)
        case .isLike(let pattern, let folds):
            guard case .string(let text) = value else { return false }
            return LikePattern.matches(folds ? text.folded : text, pattern)
        case .isAmong(let values, let folds):
            return (folds ? value.folded : value).representative.map(values.contains) == true
        case .isBetween(let lower, let upper):
            return Comparator.lessOrEqual.holds(lower, value)
                && Comparator.lessOrEqual.holds(value, upper)
        case .leads, .hasState: return false
        }
    }

    // MARK: Links

    /// What a link has to lead to; nil for nothing, where nothing at all is wanted.
    private func wanted(_ end: LinkEnd, for object: ObjectID) throws -> WantedEnd {
        switch end {
        case .null: .end(.value(.null))
        case .key(let key): .key(key)
        case .path(let path): .end(try self.end(of: path, for: object))
        }
    }

    private enum WantedEnd {
        case end(PathEnd)
        case key(PrimaryKey)
    }

    /// A link that leads to no object here is equal to nothing, not even to another such.
    private func isSame(_ end: PathEnd, _ wanted: WantedEnd) throws -> Bool {
        switch (end, wanted) {
        case (.value, .end(.value)): true
        case (.object(let object), .end(.object(let other))): object == other
        case (.object(let object), .key(let key)): try reader.key(of: object) == key
        default: false
        }
    }
}

extension Comparator {
    /// Null equals null and is in no order with anything; so `<=` holds for two nulls, being `<` or
    /// `==`. With NaN on a side nothing holds but `!=`.
    func holds(_ left: Value, _ right: Value) -> Bool {
        func order(_ isWanted: (Int) -> Bool) -> Bool {
            Value.comparison(left, right).map(isWanted) == true
        }
        return switch self {
        case .equal: Value.areEqual(left, right)
        case .notEqual: !Value.areEqual(left, right)
        case .less: order { $0 < 0 }
        case .greater: order { $0 > 0 }
        case .lessOrEqual: Value.areEqual(left, right) || order { $0 < 0 }
        case .greaterOrEqual: Value.areEqual(left, right) || order { $0 > 0 }
        case .beginsWith, .endsWith, .contains, .like: false
        }
    }
}
