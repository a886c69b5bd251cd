package import TarnModel

extension Query {
    /// Looks up the names and checks the types.
    /// - Parameters:
    ///   - user: what `$user` stands for.
    ///   - arguments: what `$0`, `$1` and so on stand for. More than are named do no harm.
    package func bind(
        to schema: Schema, user: String, arguments: [Value] = []
    ) throws(QueryError) -> BoundQuery {
        guard let root = schema.number(of: className) else {
            throw QueryError(
                .unknownName, at: classPosition,
                "unknown class \"\(className)\""
                    + NameSuggestion.question(for: className, among: schema.classes.map(\.name)))
        }
        let binder = Binder(schema: schema, user: user, arguments: arguments, root: root)
        var terms: [BoundSort] = []
        for term in sort { terms.append(try binder.sort(term)) }
        return BoundQuery(
            classNumber: root, predicate: try binder.predicate(predicate), sort: terms,
            limit: limit)
    }
}
