import TarnModel
import TarnStorage

/// SQL views with the names that people gave, so that any SQLite tool shows the data: one for each
/// class (`Task`), and one for each list (`Project.tasks`). The program itself never reads them.
extension SQLiteRealmStore {
    /// Makes the views of a class anew, and those of the classes whose links show its keys.
    func makeReadable(_ classNumber: Int) throws(StorageError) {
        let name = cache.classes[classNumber].schema.name
        for realmClass in cache.classes {
            let linksThere = realmClass.schema.properties.contains {
                $0.type.linkedClass == name
            }
            guard realmClass.number == classNumber || linksThere else { continue }
            try makeViews(of: realmClass)
        }
    }

    private func makeViews(of realmClass: RealmClass) throws(StorageError) {
        let name = viewName(of: realmClass)
        let key = realmClass.schema.primaryKey
        var columns = [shown("c.k", key.type) + " AS \(Self.quoted(key.name))"]
        var taken: Set<String> = [key.name.lowercased()]
        for (number, property) in realmClass.layout.cells {
            // SQLite does not tell upper from lower case in names.
            let isNew = taken.insert(property.name.lowercased()).inserted
            let label = isNew ? property.name : "\(property.name).\(number)"
            columns.append(shown("c.p\(number)", property.type) + " AS \(Self.quoted(label))")
        }
        try replace(
            name,
            "SELECT \(columns.joined(separator: ", ")) FROM \(realmClass.table) c WHERE c.a = 1")
        var lists: Set<String> = []
        for (number, property) in realmClass.layout.lists {
            let isNew = lists.insert(property.name.lowercased()).inserted
            let label = isNew ? property.name : "\(property.name).\(number)"
            let owner = "(SELECT k FROM \(realmClass.table) WHERE n = l.owner)"
            try replace(
                "\(name).\(label)",
                """
                SELECT \(shown(owner, key.type)) AS owner,
                    row_number() OVER (PARTITION BY l.owner ORDER BY l.label) AS position,
                    \(shown("l.v", property.type)) AS value
                FROM \(realmClass.layout.listTable(number)) l WHERE l.a = 1
                """)
        }
    }

    private func replace(_ name: String, _ select: String) throws(StorageError) {
        try connection.execute("DROP VIEW IF EXISTS \(Self.quoted(name))")
        try connection.execute("CREATE VIEW \(Self.quoted(name)) AS \(select)")
    }

    /// The class's name; with its number where a table or an earlier class is called so.
    private func viewName(of realmClass: RealmClass) -> String {
        let name = realmClass.schema.name.lowercased()
        let isTaken =
            RealmFile.tableNames.contains(name) || name.hasPrefix("sqlite_")
            || Self.isGenerated(name)
            || cache.classes.prefix(realmClass.number).contains {
                $0.schema.name.lowercased() == name
            }
        return isTaken ? ".\(realmClass.schema.name).\(realmClass.number)" : realmClass.schema.name
    }

    /// Whether `ClassLayout` may call a table or index so.
    private static func isGenerated(_ name: String) -> Bool {
        ["c", "l"].contains(name.first) && name.dropFirst().first?.isNumber == true
            || name.hasPrefix("member_")
    }

    /// What shows a value as people write it.
    private func shown(_ column: String, _ type: ValueType) -> String {
        switch type {
        case .bool, .int, .string: return column
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
            guard let number = cache.schema.number(of: name) else { return column }
            let target = cache.classes[number]
            let key = "(SELECT t.k FROM \(target.table) t WHERE t.n = \(column))"
            return shown(key, target.schema.primaryKey.type)
        }
    }

    private static func quoted(_ name: String) -> String {
        let parts = name.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"" + parts.joined(separator: "\"\"") + "\""
    }
}
