import TarnModel

/// Reads a query from its tokens, by recursive descent. How deep it goes is limited by
/// `QueryLimits.nestingMax`, since a stranger chooses it.
///
///     query   = word [ WHERE or ] { SORT(path [ASC|DESC], …) | LIMIT(int) }
///     or      = and { (OR | ||) and }
///     and     = unary { (AND | &&) unary }
///     unary   = { NOT | ! } ( "(" or ")" | TRUEPREDICATE | FALSEPREDICATE | comparison )
struct Parser {
    private let tokens: [PlacedToken]
    private var index = 0
    private var termCount = 0
    var listedValueCount = 0

    /// - Parameter tokens: ends with `.end`.
    init(_ tokens: [PlacedToken]) { self.tokens = tokens }

    mutating func query() throws(QueryError) -> Query {
        let classPosition = position
        let className = try word("the name of a class")
        var predicate = Predicate.always(true)
        let hasPredicate = takeWord("WHERE")
        if hasPredicate { predicate = try disjunction(depth: 0) }
        var sort: [SortTerm]?
        var limit: Int?
        while token != .end {
            let start = position
            if takeWord("SORT") {
                guard sort == nil else { throw syntax("SORT may stand once", at: start) }
                sort = try sortTerms()
            } else if takeWord("LIMIT") {
                guard limit == nil else { throw syntax("LIMIT may stand once", at: start) }
                limit = try limitCount()
            } else if takeWord("DISTINCT") {
                throw syntax("DISTINCT is not supported", at: start)
            } else {
                throw expected(
                    hasPredicate
                        ? "AND, OR, SORT, LIMIT or the end" : "WHERE, SORT, LIMIT or the end")
            }
        }
        return Query(
            className: className, classPosition: classPosition, predicate: predicate,
            sort: sort ?? [], limit: limit)
    }

    // MARK: Logic

    private mutating func disjunction(depth: Int) throws(QueryError) -> Predicate {
        var parts: [Predicate] = []
        repeat {
            let part = try conjunction(depth: depth)
            if case .any(let inner) = part { parts += inner } else { parts.append(part) }
        } while take(.or) || takeWord("OR")
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction(depth: Int) throws(QueryError) -> Predicate {
        var parts: [Predicate] = []
        repeat {
            let part = try unary(depth: depth)
            if case .all(let inner) = part { parts += inner } else { parts.append(part) }
        } while take(.and) || takeWord("AND")
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func unary(depth: Int) throws(QueryError) -> Predicate {
        let start = position
        guard depth <= QueryLimits.nestingMax else {
            throw QueryError(
                .limit, at: start,
                "parentheses and NOTs nest at most \(QueryLimits.nestingMax) deep")
        }
        if take(.not) || takeOperatorWord("NOT") { return .not(try unary(depth: depth + 1)) }
        if take(.open) {
            let inner = try disjunction(depth: depth + 1)
            try expect(.close)
            return inner
        }
        termCount += 1
        guard termCount <= QueryLimits.termsMax else {
            throw QueryError(
                .limit, at: start, "a query has at most \(QueryLimits.termsMax) comparisons")
        }
        if takeOperatorWord("TRUEPREDICATE") { return .always(true) }
        if takeOperatorWord("FALSEPREDICATE") { return .always(false) }
        return try comparison()
    }

    // MARK: Suffixes

    private mutating func sortTerms() throws(QueryError) -> [SortTerm] {
        try expect(.open)
        var terms: [SortTerm] = []
        repeat {
            let path = try path()
            let isDescending = takeWord("DESC") || takeWord("DESCENDING")
            if !isDescending, !takeWord("ASC") { _ = takeWord("ASCENDING") }
            terms.append(SortTerm(path: path, isAscending: !isDescending))
            guard terms.count <= QueryLimits.sortTermsMax else {
                throw QueryError(
                    .limit, at: path.position,
                    "SORT takes at most \(QueryLimits.sortTermsMax) paths")
            }
        } while take(.comma)
        try expect(.close)
        return terms
    }

    private mutating func limitCount() throws(QueryError) -> Int {
        try expect(.open)
        guard case .int(let value) = token, let count = Int(exactly: value), count >= 0 else {
            throw expected("a number from 0")
        }
        advance()
        try expect(.close)
        return count
    }

    mutating func path() throws(QueryError) -> PropertyPath {
        let start = position
        var names = [try word("the name of a property")]
        while token == .dot, case .word = following {
            advance()
            names.append(try word("the name of a property"))
        }
        guard names.count <= QueryLimits.pathStepsMax else {
            throw QueryError(
                .limit, at: start, "a path has at most \(QueryLimits.pathStepsMax) properties")
        }
        return PropertyPath(names: names, position: start)
    }

    // MARK: Tokens

    var token: Token { tokens[index].token }

    var position: TextPosition { tokens[index].position }

    /// The token after the present one.
    var following: Token { tokens[min(index + 1, tokens.count - 1)].token }

    mutating func advance() { index = min(index + 1, tokens.count - 1) }

    mutating func take(_ wanted: Token) -> Bool {
        guard token == wanted else { return false }
        advance()
        return true
    }

    mutating func expect(_ wanted: Token) throws(QueryError) {
        guard take(wanted) else { throw expected("\(wanted)") }
    }

    mutating func takeWord(_ keyword: String) -> Bool {
        guard isAtWord(keyword) else { return false }
        advance()
        return true
    }

    /// Takes a keyword that begins a comparison; what a comparator or a dot follows is a property
    /// of that name.
    mutating func takeOperatorWord(_ keyword: String) -> Bool {
        guard isAtWord(keyword), !followingMakesAName else { return false }
        advance()
        return true
    }

    var followingMakesAName: Bool {
        switch following {
        case .comparator, .dot: true
        default: false
        }
    }

    func isAtWord(_ keyword: String) -> Bool {
        if case .word(let word) = token { word.uppercased() == keyword } else { false }
    }

    mutating func word(_ expectation: String) throws(QueryError) -> String {
        guard case .word(let word) = token, word.utf8.first.map(Lexer.isDigit) == false else {
            throw expected(expectation)
        }
        advance()
        return word
    }

    func expected(_ expectation: String) -> QueryError {
        QueryError(.syntax, at: position, "\(expectation) was expected, not \(token)")
    }

    func syntax(_ sentence: String, at position: TextPosition) -> QueryError {
        QueryError(.syntax, at: position, sentence)
    }
}
