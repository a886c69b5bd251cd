import TarnModel

/// SQL views with the names that people gave, so that any SQLite tool shows the data: one for each
/// class (`Task`), and one for each collection (`Project.tasks`). The program itself never reads
/// them.
struct ReadableViews {
    let schema: Schema
    /// Every class of the schema, by number.
    let classes: [ClassLayout]
    /// Tables and indices of the file beside those of classes, which no view can be called as.
    let takenNames: Set<String>

    /// What makes the views of a class anew, and those of the classes whose links show its keys.
    func statements(for classNumber: Int) -> [String] {
        let name = classes[classNumber].schema.name
        return classes.flatMap { layout -> [String] in
            let linksThere = layout.schema.properties.contains { $0.type.linkedClass == name }
            guard layout.number == classNumber || linksThere else { return [] }
            return statements(of: layout)
        }
    }

    private func statements(of layout: ClassLayout) -> [String] {
        let name = viewName(of: layout)
        let key = layout.schema.primaryKey
        var columns = [shown("c.k", key.type) + " AS \(Self.quoted(key.name))"]
        var taken: Set<String> = [key.name.lowercased()]
        for (number, property) in layout.cells {
            // SQLite does not tell upper from lower case in names.
            let isNew = taken.insert(property.name.lowercased()).inserted
            let label = isNew ? property.name : "\(property.name).\(number)"
            columns.append(shown("c.p\(number)", property.type) + " AS \(Self.quoted(label))")
        }
        var statements = replacement(
            of: name,
            "SELECT \(columns.joined(separator: ", ")) FROM \(layout.table) c WHERE c.a = 1")
        var collections: Set<String> = []
        for (number, property) in layout.lists + layout.entries {
            let isNew = collections.insert(property.name.lowercased()).inserted
            let label = isNew ? property.name : "\(property.name).\(number)"
            let owner = "(SELECT o.k FROM \(layout.table) o WHERE o.n = l.owner)"
            let columns =
                ["\(shown(owner, key.type)) AS owner"] + place(in: property.kind)
                + ["\(shown("l.v", property.type)) AS value"]
            statements += replacement(
                of: "\(name).\(label)",
                "SELECT \(columns.joined(separator: ", ")) "
                    + "FROM \(layout.listTable(number)) l WHERE l.a = 1")
        }
        return statements
    }

    /// What tells an element from the others of its collection, beside its value.
    private func place(in kind: PropertyKind) -> [String] {
        switch kind {
        case .list:
            ["row_number() OVER (PARTITION BY l.owner ORDER BY l.label) AS position"]
        case .map: ["l.k AS key"]
        case .set, .value: []
        }
    }

    private func replacement(of name: String, _ select: String) -> [String] {
        [
            "DROP VIEW IF EXISTS \(Self.quoted(name))",
            "CREATE VIEW \(Self.quoted(name)) AS \(select)",
        ]
    }

    /// The class's name; with its number where a table or an earlier class is called so.
    private func viewName(of layout: ClassLayout) -> String {
        let name = layout.schema.name.lowercased()
        let isTaken =
            takenNames.contains(name) || name.hasPrefix("sqlite_") || Self.isGenerated(name)
            || classes.prefix(layout.number).contains { $0.schema.name.lowercased() == name }
        return isTaken ? ".\(layout.schema.name).\(layout.number)" : layout.schema.name
    }

    /// Whether `ClassLayout` may call a table or index so.
    private static func isGenerated(_ name: String) -> Bool {
        ["c", "l"].contains(name.first) && name.dropFirst().first?.isNumber == true
    }

    /// What shows a value as people write it.
    private func shown(_ column: String, _ type: ValueType) -> String {
        switch type {
        case .bool, .int, .string, .data: return column
        case .double: return "CASE typeof(\(column)) WHEN 'blob' THEN 'NaN' ELSE \(column) END"
        case .uuid:
            let digits = "lower(hex(\(column)))"
            let groups = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map {
                "substr(\(digits), \($0), \($1))"
            }
            return "CASE WHEN \(column) IS NULL THEN NULL ELSE "
                + groups.joined(separator: " || '-' || ") + " END"
        case .date:
            return """
                strftime('%Y-%m-%dT%H:%M:%S', \(column)s, 'unixepoch') \
                || printf('.%09dZ', \(column)n)
                """
        case .link(let name):
            guard let number = schema.number(of: name) else { return column }
            let target = classes[number]
            let key = "(SELECT t.k FROM \(target.table) t WHERE t.n = \(column))"
            return shown(key, target.schema.primaryKey.type)
        }
    }

    private static func quoted(_ name: String) -> String {
        let parts = name.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"" + parts.joined(separator: "\"\"") + "\""
    }
}
