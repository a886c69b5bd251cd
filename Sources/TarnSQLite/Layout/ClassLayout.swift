package import TarnModel

/// Where the objects of one class stand, in every file that holds objects: realm files, replicas,
/// and the SQL of queries.
///
/// The table `c<class>` has a row for each object:
///
///     n           the object's number within its class
///     k           the primary key
///     a           1 where queries see the object, else 0
///     p<N>        the value of property N; a date is p<N>s (seconds) and p<N>n (nanoseconds);
///                 a link is the number of the object that it leads to
///
/// and columns of the store's own. The table `l<class>_<property>` has a row for each slot of the
/// lists of that property:
///
///     owner       the number of the object whose list it is
///     label       puts the slots of one list in order; no meaning beyond, and given anew at will
///     a           1 where queries see the element, else 0
///     v           its value; a date is vs and vn; a link is the object's number
///
/// No column is declared so that SQLite would convert what is written to it: whole numbers stand in
/// INTEGER, strings in TEXT, everything else in BLOB.
package struct ClassLayout: Sendable {
    package let number: Int
    package let schema: ClassSchema

    package init(number: Int, schema: ClassSchema) {
        self.number = number
        self.schema = schema
    }

    package var table: String { Self.table(number) }

    package static func table(_ classNumber: Int) -> String { "c\(classNumber)" }

    package func listTable(_ property: Int) -> String { Self.listTable(number, property) }

    package static func listTable(_ classNumber: Int, _ property: Int) -> String {
        "l\(classNumber)_\(property)"
    }

    /// The columns of a property that is no list.
    package static func columns(_ property: Int, _ type: ValueType) -> [String] {
        type == .date ? ["p\(property)s", "p\(property)n"] : ["p\(property)"]
    }

    /// The columns of a list's element.
    package static func elementColumns(_ type: ValueType) -> [String] {
        type == .date ? ["vs", "vn"] : ["v"]
    }

    /// How the columns of a type are declared.
    package static func declaration(_ type: ValueType) -> String {
        switch type {
        case .bool, .int, .date, .link: "INTEGER"
        case .string: "TEXT"
        case .uuid: "BLOB"
        }
    }

    /// The properties that are no lists, with their numbers.
    package var cells: [(number: Int, property: PropertySchema)] {
        schema.properties.enumerated().filter { !$1.isList }.map { ($0, $1) }
    }

    package var lists: [(number: Int, property: PropertySchema)] {
        schema.properties.enumerated().filter { $1.isList }.map { ($0, $1) }
    }

    /// All columns of all cells, in the order of the properties.
    package var cellColumns: [String] {
        cells.flatMap { Self.columns($0.number, $0.property.type) }
    }
}

extension ClassLayout {
    /// What makes the class's tables, with the columns that a store adds for itself. The store
    /// makes the index of keys: whether a key stands once is its own affair.
    package func creation(rowColumns: [String], slotColumns: [String]) -> [String] {
        let own = [
            "n INTEGER PRIMARY KEY", "k \(Self.declaration(schema.primaryKey.type)) NOT NULL",
            "a INTEGER NOT NULL",
        ]
        let columns = own + rowColumns + cells.flatMap { declarations($0.number, $0.property) }
        return ["CREATE TABLE \(table) (\(columns.joined(separator: ", ")))"]
            + cells.flatMap { linkIndex($0.number, $0.property) }
            + lists.flatMap { listCreation($0.number, $0.property, slotColumns: slotColumns) }
    }

    /// What gives the tables the properties from one number on.
    package func addition(from first: Int, slotColumns: [String]) -> [String] {
        cells.filter { $0.number >= first }.flatMap { number, property in
            declarations(number, property).map { "ALTER TABLE \(table) ADD COLUMN \($0)" }
                + linkIndex(number, property)
        }
            + lists.filter { $0.number >= first }.flatMap {
                listCreation($0.number, $0.property, slotColumns: slotColumns)
            }
    }

    private func declarations(_ number: Int, _ property: PropertySchema) -> [String] {
        Self.columns(number, property.type).map { "\($0) \(Self.declaration(property.type))" }
    }

    /// So that an object's holders are found without a walk.
    private func linkIndex(_ number: Int, _ property: PropertySchema) -> [String] {
        guard property.type.isLink else { return [] }
        let column = "p\(number)"
        return [
            "CREATE INDEX \(table)_\(column) ON \(table) (\(column)) WHERE \(column) IS NOT NULL"
        ]
    }

    private func listCreation(
        _ number: Int, _ property: PropertySchema, slotColumns: [String]
    ) -> [String] {
        let table = listTable(number)
        let own = [
            "n INTEGER PRIMARY KEY", "owner INTEGER NOT NULL", "label INTEGER NOT NULL",
            "a INTEGER NOT NULL",
        ]
        let values = Self.elementColumns(property.type).map {
            "\($0) \(Self.declaration(property.type))"
        }
        let columns = (own + values + slotColumns).joined(separator: ", ")
        var statements = [
            "CREATE TABLE \(table) (\(columns))",
            "CREATE INDEX \(table)_order ON \(table) (owner, label)",
        ]
        if property.type.isLink {
            statements.append("CREATE INDEX \(table)_v ON \(table) (v) WHERE a = 1")
        }
        return statements
    }
}
