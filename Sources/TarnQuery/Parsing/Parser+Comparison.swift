import TarnModel

extension Parser {
    ///     comparison = operand comparator[c] operand
    ///                | operand IN[c] "{" literal, … "}" | literal IN path
    ///                | operand BETWEEN "{" literal, literal "}"
    mutating func comparison() throws(QueryError) -> Predicate {
        let left = try operand(isLeft: true)
        if takeWord("IN") { return try membership(of: left) }
        if takeWord("BETWEEN") { return try range(of: left) }
        let comparatorPosition = position
        let comparator = try comparator()
        let folds = take(.fold)
        guard !folds || comparator.mayFold else {
            throw syntax("\(comparator.rawValue) takes no [c]", at: comparatorPosition)
        }
        let right = try operand(isLeft: false)
        if left.isLiteral, right.isLiteral {
            throw syntax("one side must be a property", at: left.position)
        }
        if left.isLiteral, let mirrored = comparator.mirrored {
            return .comparison(
                Comparison(left: right, comparator: mirrored, folds: folds, right: left))
        }
        return .comparison(
            Comparison(left: left, comparator: comparator, folds: folds, right: right))
    }

    private mutating func membership(of subject: Operand) throws(QueryError) -> Predicate {
        let folds = take(.fold)
        if subject.isLiteral {
            // "x IN path": the list holds x.
            guard case .word = token else { throw expected("the path of a collection") }
            let list = Operand.path(try path(), .any)
            return .comparison(
                Comparison(left: list, comparator: .equal, folds: folds, right: subject))
        }
        let values = try listedValues()
        guard !values.isEmpty else { throw syntax("the list is empty", at: subject.position) }
        return .membership(Membership(subject: subject, folds: folds, values: values))
    }

    private mutating func range(of subject: Operand) throws(QueryError) -> Predicate {
        guard !subject.isLiteral else {
            throw syntax("before BETWEEN stands a property", at: subject.position)
        }
        let start = position
        let bounds = try listedValues()
        guard bounds.count == 2 else { throw syntax("BETWEEN takes two values", at: start) }
        return .range(subject, lower: bounds[0], upper: bounds[1])
    }

    private mutating func listedValues() throws(QueryError) -> [Literal] {
        try expect(.openBrace)
        var values: [Literal] = []
        if take(.closeBrace) { return values }
        repeat {
            let start = position
            guard let value = try literal() else { throw expected("a value") }
            listedValueCount += 1
            guard listedValueCount <= QueryLimits.listedValuesMax else {
                throw QueryError(
                    .limit, at: start,
                    "a query lists at most \(QueryLimits.listedValuesMax) values in braces")
            }
            values.append(value)
        } while take(.comma)
        try expect(.closeBrace)
        return values
    }

    private mutating func comparator() throws(QueryError) -> Comparator {
        if case .comparator(let comparator) = token {
            advance()
            return comparator
        }
        for comparator in [Comparator.beginsWith, .endsWith, .contains, .like]
        where takeWord(comparator.rawValue) {
            return comparator
        }
        throw expected("a comparison such as ==, <, IN or CONTAINS")
    }

    private mutating func operand(isLeft: Bool) throws(QueryError) -> Operand {
        if let literal = try literal() { return .literal(literal) }
        guard case .word = token else { throw expected("a property or a value") }
        let quantifier = quantifier(isLeft: isLeft)
        let path = try path()
        guard take(.dot) else { return .path(path, quantifier) }
        if take(.aggregate("state")) { return .state(path, quantifier) }
        guard token == .aggregate("count") || token == .aggregate("size") else {
            throw expected("the name of a property, @count or @state")
        }
        guard quantifier == nil else {
            throw syntax("a count is one number: ANY, ALL or NONE has no place", at: path.position)
        }
        advance()
        return .count(path)
    }

    /// A quantifier is one only where a path follows it; else it is a property's name.
    private mutating func quantifier(isLeft: Bool) -> Quantifier? {
        guard case .word(let word) = token, case .word(let next) = following else { return nil }
        let endsComparison = ["AND", "OR", "SORT", "LIMIT"].contains(next.uppercased())
        guard isLeft || !endsComparison else { return nil }
        let quantifier: Quantifier? =
            switch word.uppercased() {
            case "ANY", "SOME": .any
            case "ALL": .all
            case "NONE": Quantifier.none
            default: nil
            }
        if quantifier != nil { advance() }
        return quantifier
    }

    /// Nil, and nothing taken, where no literal stands.
    mutating func literal() throws(QueryError) -> Literal? {
        let start = position
        let content: Literal.Content
        switch token {
        case .int(let value): content = .value(.int(value))
        case .double(let value): content = .value(.double(value))
        case .data(let bytes): content = .value(.data(bytes))
        case .date(let time): content = .value(.date(time))
        case .string(let text): content = .value(.string(text))
        case .user: content = .user
        case .argument(let number): content = .argument(number)
        case .word(let word):
            switch word.uppercased() {
            case "TRUE": content = .value(.bool(true))
            case "FALSE": content = .value(.bool(false))
            case "NULL", "NIL": content = .value(.null)
            case "INFINITY", "INF": content = .value(.double(.infinity))
            case "NAN": content = .value(.double(.nan))
            case "UUID" where following == .open:
                return Literal(content: .value(.uuid(try uuid())), position: start)
            default: return nil
            }
        default: return nil
        }
        advance()
        return Literal(content: content, position: start)
    }

    private mutating func uuid() throws(QueryError) -> UUIDValue {
        advance()
        try expect(.open)
        guard case .string(let text) = token, let value = UUIDValue(text.string) else {
            throw expected("a string of 32 hexadecimal digits in groups of 8-4-4-4-12")
        }
        advance()
        try expect(.close)
        return value
    }
}
