import TarnModel
import TarnQuery

/// The rows that a path leads to.
struct SQLWalk {
    /// `FROM … WHERE …`; more conditions may follow with AND.
    let source: String
    /// What the path ends at: one column, or two for a date.
    let columns: [String]
}

extension SQLTranslator {
    /// The columns of a path without lists, each an expression by itself.
    mutating func columns(of path: BoundPath, from root: String) -> [String] {
        if path.isOwn { return Self.leafColumns(of: path, in: root) }
        let walk = walk(path, from: root)
        return walk.columns.map { "(SELECT \($0) \(walk.source))" }
    }

    /// What puts objects in the order of what a path without lists leads to: null first, then NaN,
    /// which has one place whatever its bits.
    mutating func order(by path: BoundPath, from root: String) -> [String] {
        let columns = columns(of: path, from: root)
        guard path.leafType == .double, let column = columns.first else { return columns }
        return [
            "CASE typeof(\(column)) WHEN 'null' THEN 0 WHEN 'blob' THEN 1 ELSE 2 END",
            "CASE typeof(\(column)) WHEN 'blob' THEN NULL ELSE \(column) END",
        ]
    }

    /// For a path that is not just a property of the root, unless that is a list.
    /// - Parameter endsHere: leaves out elements at the end that lead to no object here.
    mutating func walk(
        _ path: BoundPath, from root: String, endsHere: Bool = true
    ) -> SQLWalk {
        var joins = Joins()
        var holder = root
        for link in path.links {
            if link.isList {
                let element = joinElements(of: link.step, of: holder, to: &joins)
                holder = joinObject(link.target, "\(element).v", to: &joins, mayMiss: false)
            } else {
                let column = "\(holder).p\(link.step.property)"
                // An element whose link leads nowhere counts as one with null.
                holder = joinObject(link.target, column, to: &joins, mayMiss: joins.hasList)
            }
        }
        guard path.leafIsList else {
            return SQLWalk(source: joins.source, columns: Self.leafColumns(of: path, in: holder))
        }
        let element = joinElements(of: path.leaf, of: holder, to: &joins)
        let columns = ClassLayout.elementColumns(path.leafType).map { "\(element).\($0)" }
        if endsHere, path.leafType.isLink, let target = path.leafTarget {
            _ = joinObject(target, columns[0], to: &joins, mayMiss: false)
        }
        return SQLWalk(source: joins.source, columns: columns)
    }

    private static func leafColumns(of path: BoundPath, in table: String) -> [String] {
        if path.leaf.isPrimaryKey { return ["\(table).k"] }
        return ClassLayout.columns(path.leaf.property, path.leafType).map { "\(table).\($0)" }
    }

    private mutating func joinElements(
        of list: PropertyStep, of holder: String, to joins: inout Joins
    ) -> String {
        let element = alias("e")
        let table = ClassLayout.listTable(list.classNumber, list.property)
        joins.add(table, element, "\(element).owner = \(holder).n AND \(element).a = 1")
        joins.hasList = true
        return element
    }

    private mutating func joinObject(
        _ classNumber: Int, _ number: String, to joins: inout Joins, mayMiss: Bool
    ) -> String {
        let object = alias("t")
        let condition = "\(object).n = \(number) AND \(object).a = 1"
        joins.add(ClassLayout.table(classNumber), object, condition, mayMiss: mayMiss)
        return object
    }

    private struct Joins {
        var hasList = false
        private var tables = ""
        private var first = ""

        mutating func add(
            _ table: String, _ alias: String, _ condition: String, mayMiss: Bool = false
        ) {
            if tables.isEmpty {
                tables = "FROM \(table) AS \(alias)"
                first = condition
            } else {
                // CROSS: from the root outwards, in this order.
                let join = mayMiss ? "LEFT JOIN" : "CROSS JOIN"
                tables += " \(join) \(table) AS \(alias) ON \(condition)"
            }
        }

        var source: String { "\(tables) WHERE \(first)" }
    }
}
