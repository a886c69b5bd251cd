/// A query as it was written: names and arguments are not looked up yet.
///
/// `description` is its canonical text. Parsing that gives an equal query, and equal queries have
/// the same one, so it may serve as a key.
package struct Query: Hashable, Sendable {
    package let className: String
    let classPosition: TextPosition
    package let predicate: Predicate
    package let sort: [SortTerm]
    /// How many objects at most, after sorting.
    package let limit: Int?

    /// Reads a query; the grammar is in `docs/query-language.md`.
    package static func parse(_ text: String) throws(QueryError) -> Query {
        let start = TextPosition(character: 1)
        guard text.utf8.count <= QueryLimits.textBytesMax else {
            throw QueryError(
                .limit, at: start, "a query has at most \(QueryLimits.textBytesMax) bytes")
        }
        var parser = Parser(try Lexer.tokens(of: text))
        let query = try parser.query()
        guard query.description.utf8.count <= QueryLimits.textBytesMax else {
            throw QueryError(
                .limit, at: start,
                "written out in full, the query has more than \(QueryLimits.textBytesMax) bytes")
        }
        return query
    }
}

package struct SortTerm: Hashable, Sendable {
    package let path: PropertyPath
    package let isAscending: Bool
}

/// Property names from the root object on, each but the last one a link or a list of links.
package struct PropertyPath: Hashable, Sendable {
    package let names: [String]
    let position: TextPosition
}
