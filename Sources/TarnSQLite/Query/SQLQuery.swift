package import TarnQuery

/// A query in SQL: a SELECT of object numbers in the query's order, over the tables that
/// `ClassLayout` describes, on a connection with `QueryFunctions`.
///
/// It finds what `BoundQuery.evaluate(in:)` finds over the same objects. All values are bound; what
/// is spliced are numbers of classes and properties.
package struct SQLQuery: Hashable, Sendable {
    package let sql: String
    package let values: [SQLiteValue]

    package init(_ query: BoundQuery) {
        var translator = SQLTranslator()
        let root = "t0"
        let condition = translator.condition(query.predicate, of: root)
        var order: [String] = []
        for term in query.sort {
            for column in translator.order(by: term.path, from: root) {
                order.append("\(column) \(term.isAscending ? "ASC" : "DESC")")
            }
        }
        order.append("\(root).k ASC")
        var sql =
            "SELECT \(root).n FROM \(ClassLayout.table(query.classNumber)) AS \(root) "
            + "WHERE \(root).a = 1 AND \(condition) ORDER BY \(order.joined(separator: ", "))"
        if let limit = query.limit { sql += " LIMIT \(translator.bind(.int(Int64(limit))))" }
        self.sql = sql
        values = translator.values
    }
}
