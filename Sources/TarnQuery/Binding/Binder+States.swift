import TarnModel

/// `link.@state`, compared with given words.
extension Binder {
    func stateTest(
        _ path: PropertyPath, _ quantifier: Quantifier?, _ comparison: Comparison
    ) throws(QueryError) -> BoundTest {
        let comparator = comparison.comparator
        guard comparator == .equal || comparator == .notEqual, !comparison.folds,
            case .literal(let literal) = comparison.right
        else { return try refused(path) }
        let state = try state(literal)
        let wanted = LinkState.allCases.filter { ($0 == state) == (comparator == .equal) }
        return try stateTest(path, quantifier, among: Set(wanted))
    }

    func stateTest(
        _ path: PropertyPath, _ quantifier: Quantifier?, _ membership: Membership
    ) throws(QueryError) -> BoundTest {
        guard !membership.folds else { return try refused(path) }
        var wanted: Set<LinkState> = []
        for literal in membership.values { wanted.insert(try state(literal)) }
        return try stateTest(path, quantifier, among: wanted)
    }

    private func stateTest(
        _ path: PropertyPath, _ quantifier: Quantifier?, among wanted: Set<LinkState>
    ) throws(QueryError) -> BoundTest {
        let link = try subject(.path(path, quantifier))
        guard link.type.isLink else {
            throw QueryError(
                .type, at: path.position,
                "\(path) is \(link.type.phrase), and only links have a state")
        }
        return BoundTest(link, .hasState(wanted))
    }

    private func state(_ literal: Literal) throws(QueryError) -> LinkState {
        let value = try value(of: literal)
        guard case .string(let text) = value else {
            throw QueryError(
                .type, at: literal.position,
                "a state is \(LinkState.words), and cannot be compared with \(value.phrase)")
        }
        guard let state = LinkState(rawValue: text.string) else {
            throw QueryError(
                .type, at: literal.position,
                "a state is \(LinkState.words)"
                    + NameSuggestion.question(
                        for: text.string, among: LinkState.allCases.map(\.rawValue)))
        }
        return state
    }

    private func refused(_ path: PropertyPath) throws(QueryError) -> BoundTest {
        throw QueryError(
            .type, at: path.position,
            "a state is compared by ==, != and IN with given words: \(LinkState.words)")
    }
}

extension LinkState {
    static let words = "\"null\", \"present\" or \"unresolved\""
}
