import TarnModel
import TarnQuery

extension SQLTranslator {
    /// - Parameters:
    ///   - subject: what the condition is on.
    ///   - root: the table whose row the other side's path begins at.
    mutating func condition(
        _ condition: Condition, on subject: SQLExpression, of root: String
    ) -> String {
        switch condition {
        case .compares(let comparator, let operand, let folds):
            let other = expression(operand, subject.type, of: root)
            if folds { return compare(folded(subject), comparator, folded(other, operand)) }
            if subject.isNaN != false || other.isNaN != false {
                return compare(number: subject, comparator, other)
            }
            return compare(subject.text, comparator, other.text)
        case .contains(let textOperator, let operand, let folds, let subjectIsPart):
            let other = expression(operand, subject.type, of: root)
            let left = folds ? folded(subject) : subject.text
            let right = folds ? folded(other, operand) : other.text
            let arguments = subjectIsPart ? [right, left] : [left, right]
            let function = QueryFunctions.name(of: textOperator)
            return "\(function)(\(arguments.joined(separator: ", ")))"
        case .isLike(let pattern, let folds):
            let text = folds ? folded(subject) : subject.text
            return "\(QueryFunctions.like)(\(text), \(bind(.text(pattern.string))))"
        case .isAmong(let values, let folds):
            return membership(subject, among: values, folds: folds)
        case .isBetween(let lower, let upper):
            // A NaN as the subject is above every number to SQLite, and so not below the upper one.
            if lower.isNaN || upper.isNaN { return "0" }
            let lower = constant(lower, subject.type).text
            let upper = constant(upper, subject.type).text
            return "ifnull(\(subject.text) BETWEEN \(lower) AND \(upper), 0)"
        case .leads(let end, let isNegated):
            let leads = leads(subject, to: end, of: root)
            return isNegated ? "NOT \(leads)" : leads
        case .hasState(let states): return isIn(states, subject)
        }
    }

    /// As `Comparator.holds` has it.
    private func compare(_ left: String, _ comparator: Comparator, _ right: String) -> String {
        switch comparator {
        case .notEqual: "(\(left) IS NOT \(right))"
        case .less: "ifnull(\(left) < \(right), 0)"
        case .greater: "ifnull(\(left) > \(right), 0)"
        case .lessOrEqual: "(ifnull(\(left) < \(right), 0) OR \(left) IS \(right))"
        case .greaterOrEqual: "(ifnull(\(left) > \(right), 0) OR \(left) IS \(right))"
        case .equal, .beginsWith, .endsWith, .contains, .like: "(\(left) IS \(right))"
        }
    }

    /// Ints and doubles as numbers, which SQLite compares exactly. A NaN is a blob, and so above
    /// every number to SQLite: each comparison that holds with it by that is told that it does not.
    private func compare(
        number left: SQLExpression, _ comparator: Comparator, _ right: SQLExpression
    ) -> String {
        if left.isNaN == true || right.isNaN == true { return comparator == .notEqual ? "1" : "0" }
        func isNumber(_ side: SQLExpression) -> String? {
            side.isNaN == nil ? "typeof(\(side.text)) <> 'blob'" : nil
        }
        func both(_ condition: String, _ guardian: String?) -> String {
            guardian.map { "(\(condition) AND \($0))" } ?? condition
        }
        // Two NaNs may have the same bits; one alone is equal to no number.
        let oneOfTwo = right.isNaN == nil ? isNumber(left) : nil
        let isEqual = both("(\(left.text) IS \(right.text))", oneOfTwo)
        let isLess = both("ifnull(\(left.text) < \(right.text), 0)", isNumber(right))
        let isGreater = both("ifnull(\(left.text) > \(right.text), 0)", isNumber(left))
        return switch comparator {
        case .notEqual: "NOT \(isEqual)"
        case .less: isLess
        case .greater: isGreater
        case .lessOrEqual: "(\(isLess) OR \(isEqual))"
        case .greaterOrEqual: "(\(isGreater) OR \(isEqual))"
        case .equal, .beginsWith, .endsWith, .contains, .like: isEqual
        }
    }

    private func folded(_ subject: SQLExpression) -> String {
        "\(QueryFunctions.fold)(\(subject.text))"
    }

    /// A constant was folded when the query was bound.
    private func folded(_ other: SQLExpression, _ operand: BoundOperand) -> String {
        if case .constant = operand { other.text } else { folded(other) }
    }

    private mutating func membership(
        _ subject: SQLExpression, among values: Set<Value>, folds: Bool
    ) -> String {
        let parameters = values.filter { $0 != .null && !$0.isNaN }.map {
            constant($0, subject.type).text
        }
        var conditions = values.contains(.null) ? [subject.isNull] : []
        if subject.type == .date {
            conditions += parameters.map { "\(subject.text) IS \($0)" }
        } else if !parameters.isEmpty {
            let text = folds ? folded(subject) : subject.text
            conditions.append("ifnull(\(text) IN (\(parameters.joined(separator: ", "))), 0)")
        }
        if conditions.isEmpty { return "0" }
        return "(\(Self.joined(conditions[...], by: "OR")))"
    }

    /// A link whose object is not here is neither null nor equal to anything.
    private mutating func leads(
        _ link: SQLExpression, to end: LinkEnd, of root: String
    ) -> String {
        if case .null = end { return "(\(link.isNull))" }
        guard let target = link.target else { return "0" }
        let object = alias("t")
        let isHere =
            "SELECT 1 FROM \(ClassLayout.table(target)) AS \(object) "
            + "WHERE \(object).n = \(link.text) AND \(object).a = 1"
        switch end {
        case .null: return "(\(link.isNull))"
        case .key(let key): return "EXISTS (\(isHere) AND \(object).k = \(bind(key.column)))"
        case .path(let path):
            let other = expression(.path(path), link.type, of: root)
            return "(\(link.text) IS \(other.text) AND (\(link.isNull) OR EXISTS (\(isHere))))"
        }
    }
}
