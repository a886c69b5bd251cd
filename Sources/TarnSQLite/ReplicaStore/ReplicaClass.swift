import TarnModel

/// A class of a replica as its statements see it.
///
/// Its table has, beside what every store has (`ClassLayout`),
///
///     confirmed       1 where the server has sent the object
///     lifeReplica     the life's replica, by its number in `replica`, and sequence; null where
///     lifeSequence    only a link is known
final class ReplicaClass {
    let layout: ClassLayout
    /// By property; nil for collections.
    let cells: [ReplicaCell?]
    /// By property; nil for what is no list.
    let lists: [ReplicaListTable?]
    /// By property; nil for what is neither set nor map.
    let entries: [ReplicaEntryTable?]
    /// By property: the number of the class that it leads to, where it leads to one that is here.
    let linked: [Int?]

    let insert: String
    let update: String
    let clear: String
    let delete: String
    let rowOfKey: String
    let rowOfNumber: String
    let keyOfNumber: String
    let isVisible: String
    let isBare: String
    let values: String
    let objects: String

    static let rowColumns =
        ["confirmed INTEGER NOT NULL", "lifeReplica INTEGER"]
        + ["lifeSequence INTEGER"]

    init(number: Int, in schema: Schema, _ classSchema: ClassSchema) {
        layout = ClassLayout(number: number, schema: classSchema)
        let table = layout.table
        cells = classSchema.properties.enumerated().map { property, schema in
            schema.isCell ? ReplicaCell(property, schema, in: table) : nil
        }
        lists = classSchema.properties.enumerated().map { property, schema in
            schema.isList
                ? ReplicaListTable(ClassLayout.listTable(number, property), schema.type) : nil
        }
        entries = classSchema.properties.enumerated().map { property, schema in
            schema.hasEntries
                ? ReplicaEntryTable(ClassLayout.listTable(number, property), schema) : nil
        }
        linked = classSchema.properties.map { property in
            property.type.linkedClass.flatMap { schema.number(of: $0) }
        }
        let row = "SELECT n, k, confirmed, a, lifeReplica, lifeSequence FROM \(table)"
        insert = """
            INSERT INTO \(table) (n, k, confirmed, a, lifeReplica, lifeSequence)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """
        let flags = "confirmed = ?2, a = ?3, lifeReplica = ?4, lifeSequence = ?5"
        update = "UPDATE \(table) SET \(flags) WHERE n = ?1"
        let bare = ["confirmed = 0", "a = 0", "lifeReplica = NULL", "lifeSequence = NULL"]
        let empty = (bare + layout.cellColumns.map { "\($0) = NULL" }).joined(separator: ", ")
        clear = "UPDATE \(table) SET \(empty) WHERE n = ?1"
        delete = "DELETE FROM \(table) WHERE n = ?1"
        rowOfKey = "\(row) WHERE k = ?1"
        rowOfNumber = "\(row) WHERE n = ?1"
        keyOfNumber = "SELECT k FROM \(table) WHERE n = ?1"
        isVisible = "SELECT 1 FROM \(table) WHERE n = ?1 AND a = 1"
        isBare = """
            SELECT 1 FROM \(table)
            WHERE n = ?1 AND a = 0 AND confirmed = 0 AND lifeSequence IS NULL
            """
        let columns = layout.cellColumns.isEmpty ? "n" : layout.cellColumns.joined(separator: ", ")
        values = "SELECT \(columns) FROM \(table) WHERE n = ?1"
        objects = "SELECT n FROM \(table) WHERE a = 1 ORDER BY n"
    }

    var schema: ClassSchema { layout.schema }

    /// What makes the class's tables.
    var creation: [String] {
        layout.creation(
            rowColumns: Self.rowColumns, slotColumns: ReplicaListTable.columns,
            entryColumns: ReplicaEntryTable.columns)
            + ["CREATE UNIQUE INDEX \(layout.table)_k ON \(layout.table) (k)"]
            + indices(from: 0)
    }

    /// What gives them the properties from one number on.
    func addition(from first: Int) -> [String] {
        layout.addition(
            from: first, slotColumns: ReplicaListTable.columns,
            entryColumns: ReplicaEntryTable.columns) + indices(from: first)
    }

    private func indices(from first: Int) -> [String] {
        lists.dropFirst(first).compactMap(\.self).flatMap(\.indices)
            + entries.dropFirst(first).compactMap(\.self).flatMap(\.indices)
    }
}

/// The statements on one property of one value.
struct ReplicaCell {
    let type: ValueType
    let get: String
    let set: String
    /// Rows that hold a link's target.
    let holders: String
    /// Sets every row.
    let fill: String

    init(_ property: Int, _ schema: PropertySchema, in table: String) {
        type = schema.type
        let columns = ClassLayout.columns(property, schema.type)
        get = "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE n = ?1"
        let terms = columns.enumerated().map { "\($1) = ?\($0 + 2)" }
        set = "UPDATE \(table) SET \(terms.joined(separator: ", ")) WHERE n = ?1"
        holders = "SELECT n FROM \(table) WHERE \(columns[0]) = ?1 ORDER BY n"
        let all = columns.map { "\($0) = ?" }
        fill = "UPDATE \(table) SET \(all.joined(separator: ", "))"
    }
}
