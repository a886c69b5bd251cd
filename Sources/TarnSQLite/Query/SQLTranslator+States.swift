import TarnQuery

/// `@state`: whether a link is null, or leads to what is here, or to what is not.
extension SQLTranslator {
    mutating func isIn(_ states: Set<LinkState>, _ link: SQLExpression) -> String {
        var conditions: [String] = []
        if states.contains(.null) { conditions.append("(\(link.isNull))") }
        let isHere = isHere(link)
        if states.contains(.present) { conditions.append(isHere) }
        if states.contains(.unresolved) {
            conditions.append("(NOT (\(link.isNull)) AND NOT \(isHere))")
        }
        return "(\(Self.joined(conditions[...], by: "OR")))"
    }

    private mutating func isHere(_ link: SQLExpression) -> String {
        guard let target = link.target else { return "0" }
        let object = alias("t")
        return "EXISTS (SELECT 1 FROM \(ClassLayout.table(target)) AS \(object) "
            + "WHERE \(object).n = \(link.text) AND \(object).a = 1)"
    }
}
