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
/// lists of that property, or for each entry of its sets or maps:
///
///     owner       the number of the object whose collection it is
///     label       of lists: puts the slots of one list in order; no meaning beyond, and given anew
///                 at will
///     k           of maps: the key
///     a           1 where queries see the element, else 0
///     v           its value, a set's element; a date is vs and vn; a link is the object's number
///
/// No column is declared so that SQLite would convert what is written to it: whole numbers stand in
/// INTEGER, strings in TEXT, everything else in BLOB, a double too (`SQLiteValue.number`).
package struct ClassLayout: Sendable {
    package let number: Int
    package let schema: ClassSchema
    /// The properties of one value, with their numbers.
    package let cells: [(number: Int, property: PropertySchema)]
    package let lists: [(number: Int, property: PropertySchema)]
    /// The properties that are sets or maps, with their numbers.
    package let entries: [(number: Int, property: PropertySchema)]

    package init(number: Int, schema: ClassSchema) {
        self.number = number
        self.schema = schema
        let properties = schema.properties.enumerated().map { (number: $0, property: $1) }
        cells = properties.filter(\.property.isCell)
        lists = properties.filter(\.property.isList)
        entries = properties.filter(\.property.hasEntries)
    }

    package var table: String { Self.table(number) }

    package static func table(_ classNumber: Int) -> String { "c\(classNumber)" }

    package func listTable(_ property: Int) -> String { Self.listTable(number, property) }

    package static func listTable(_ classNumber: Int, _ property: Int) -> String {
        "l\(classNumber)_\(property)"
    }

    /// The columns of a property of one value.
    package static func columns(_ property: Int, _ type: ValueType) -> [String] {
        type == .date ? ["p\(property)s", "p\(property)n"] : ["p\(property)"]
    }

    /// The columns of a collection's element.
    package static func elementColumns(_ type: ValueType) -> [String] {
        type == .date ? ["vs", "vn"] : ["v"]
    }

    /// How the columns of a type are declared.
    package static func declaration(_ type: ValueType) -> String {
        switch type {
        case .bool, .int, .date, .link: "INTEGER"
        case .string: "TEXT"
        case .uuid, .double, .data: "BLOB"
        }
    }

    /// The columns that name an entry: a map's key, or a set's element.
    package static func entryColumns(_ property: PropertySchema) -> [String] {
        property.kind == .map ? ["k"] : elementColumns(property.type)
    }

    /// All columns of all cells, in the order of the properties.
    package var cellColumns: [String] {
        cells.flatMap { Self.columns($0.number, $0.property.type) }
    }
}

extension ClassLayout {
    /// What makes the class's tables, with the columns that a store adds for itself. The store
    /// makes the index of keys: whether a key stands once is its own affair.
    package func creation(
        rowColumns: [String], slotColumns: [String],
        entryColumns: (PropertySchema) -> [String] = { _ in [] }
    ) -> [String] {
        let own = [
            "n INTEGER PRIMARY KEY", "k \(Self.declaration(schema.primaryKey.type)) NOT NULL",
            "a INTEGER NOT NULL",
        ]
        let columns = own + rowColumns + cells.flatMap { declarations($0.number, $0.property) }
        let create = "CREATE TABLE \(table) (\(columns.joined(separator: ", ")))"
        return [create] + cells.flatMap { linkIndex($0.number, $0.property) }
            + lists.flatMap { listCreation($0.number, $0.property, slotColumns) }
            + entries.flatMap { entryCreation($0.number, $0.property, entryColumns($0.property)) }
    }

    /// What gives the tables the properties from one number on.
    package func addition(
        from first: Int, slotColumns: [String],
        entryColumns: (PropertySchema) -> [String] = { _ in [] }
    ) -> [String] {
        let newCells = cells.filter { $0.number >= first }.flatMap { number, property in
            declarations(number, property).map { "ALTER TABLE \(table) ADD COLUMN \($0)" }
                + linkIndex(number, property)
        }
        let newLists = lists.filter { $0.number >= first }.flatMap {
            listCreation($0.number, $0.property, slotColumns)
        }
        let newEntries = entries.filter { $0.number >= first }.flatMap {
            entryCreation($0.number, $0.property, entryColumns($0.property))
        }
        return newCells + newLists + newEntries
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
        _ number: Int, _ property: PropertySchema, _ storeColumns: [String]
    ) -> [String] {
        let table = listTable(number)
        return collectionCreation(
            number, property.type, name: "label INTEGER NOT NULL", storeColumns,
            index: "CREATE INDEX \(table)_order ON \(table) (owner, label)")
    }

    private func entryCreation(
        _ number: Int, _ property: PropertySchema, _ storeColumns: [String]
    ) -> [String] {
        let table = listTable(number)
        let columns = (["owner"] + Self.entryColumns(property)).joined(separator: ", ")
        // To SQLite, 0.0 and -0.0 are the same, and a set may have both.
        let kind = property.kind == .set && property.type == .double ? "INDEX" : "UNIQUE INDEX"
        return collectionCreation(
            number, property.type, name: property.kind == .map ? "k TEXT NOT NULL" : nil,
            storeColumns, index: "CREATE \(kind) \(table)_entry ON \(table) (\(columns))")
    }

    /// - Parameter name: the column that tells an element from the others, beside its value.
    private func collectionCreation(
        _ number: Int, _ type: ValueType, name: String?, _ storeColumns: [String], index: String
    ) -> [String] {
        let table = listTable(number)
        let own = ["n INTEGER PRIMARY KEY", "owner INTEGER NOT NULL"] + (name.map { [$0] } ?? [])
        let values = Self.elementColumns(type).map { "\($0) \(Self.declaration(type))" }
        let columns = own + ["a INTEGER NOT NULL"] + values + storeColumns
        let create = "CREATE TABLE \(table) (\(columns.joined(separator: ", ")))"
        guard type.isLink else { return [create, index] }
        // So that an object's holders are found without a walk.
        return [create, index, "CREATE INDEX \(table)_v ON \(table) (v) WHERE a = 1"]
    }
}
