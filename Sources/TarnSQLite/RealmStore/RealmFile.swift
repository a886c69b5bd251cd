import TarnModel
import TarnStorage

/// What every realm file has, beside the tables of its classes (`ClassLayout`).
///
/// Replicas and users are numbers in it. A transaction is its replica's number and its sequence; a
/// slot or element, the transaction's two columns and the ordinal.
enum RealmFile {
    static let format = SQLiteFormat(
        name: "the realm file", applicationID: 0x5461_7252, version: 4,
        tables: [
            // `swept`, `kept` and `visited`: the floor, the versions kept and the rows looked at
            // when versions that nothing needs were dropped last (`VersionSweep`).
            """
            CREATE TABLE realm (
                floor INTEGER NOT NULL, swept INTEGER NOT NULL DEFAULT 0,
                kept INTEGER NOT NULL DEFAULT 0, visited INTEGER NOT NULL DEFAULT 0)
            """,
            "INSERT INTO realm (floor) VALUES (0)",
            // The schema as CBOR, by class number.
            "CREATE TABLE class (n INTEGER PRIMARY KEY, name TEXT NOT NULL, schema BLOB NOT NULL)",
            "CREATE TABLE replica (n INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE)",
            "CREATE TABLE user (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE)",
            // `highest`: of the ticks of this version and all before it.
            """
            CREATE TABLE version (
                n INTEGER PRIMARY KEY, salt INTEGER NOT NULL, replica INTEGER NOT NULL,
                sequence INTEGER NOT NULL, ticks INTEGER NOT NULL, highest INTEGER NOT NULL,
                user INTEGER NOT NULL)
            """,
            // Merged creations: for that key, the transaction is another name of that life.
            """
            CREATE TABLE alias (
                class INTEGER NOT NULL, k BLOB NOT NULL, replica INTEGER NOT NULL,
                sequence INTEGER NOT NULL, life_replica INTEGER NOT NULL,
                life_sequence INTEGER NOT NULL,
                PRIMARY KEY (class, k, replica, sequence)) WITHOUT ROWID
            """,
            """
            CREATE TABLE head (
                replica INTEGER PRIMARY KEY, user INTEGER NOT NULL, sequence INTEGER NOT NULL,
                hash BLOB NOT NULL, ticks INTEGER NOT NULL, confirmed INTEGER NOT NULL,
                confirmed_hash BLOB NOT NULL, integrated INTEGER NOT NULL,
                integrated_salt INTEGER NOT NULL)
            """,
            """
            CREATE TABLE receipt (
                replica INTEGER NOT NULL, sequence INTEGER NOT NULL, body BLOB NOT NULL,
                PRIMARY KEY (replica, sequence)) WITHOUT ROWID
            """,
            """
            CREATE TABLE view (
                n INTEGER PRIMARY KEY, query TEXT NOT NULL, arguments BLOB NOT NULL,
                user INTEGER NOT NULL, depth INTEGER NOT NULL, created INTEGER NOT NULL,
                maintained INTEGER NOT NULL, UNIQUE (query, arguments, user, depth))
            """,
            // What a crash has taken from the members: `VersionGap`.
            """
            CREATE TABLE gap (
                n INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL)
            """,
            // `left` is null while the object is in the view.
            """
            CREATE TABLE member (
                n INTEGER PRIMARY KEY, view INTEGER NOT NULL, class INTEGER NOT NULL,
                object INTEGER NOT NULL, root INTEGER NOT NULL, entered INTEGER NOT NULL,
                left INTEGER)
            """,
            """
            CREATE UNIQUE INDEX member_in ON member (view, class, object) WHERE left IS NULL
            """,
            "CREATE INDEX member_entered ON member (view, entered)",
            "CREATE INDEX member_left ON member (view, left) WHERE left IS NOT NULL",
            goneMembers,
            incrementTable, momentTable,
            forgottenIncrements,
        ],
        upgrades: [
            1: ReadableViews.upgrade(
                adding: ["increment"], [incrementTable], schemas: schemas, takenNames: names),
            2: addHistory,
            3: ReadableViews.upgrade(
                adding: ["member_gone"], [goneMembers], schemas: schemas, takenNames: names),
        ])

    private static let schemas = "SELECT schema FROM class ORDER BY n"

    /// So that what left is found in the order of the objects, a piece at a time.
    private static let goneMembers =
        "CREATE INDEX member_gone ON member (view, class, object) WHERE left IS NOT NULL"

    /// Versions that were the last at some time, in milliseconds since 1970.
    private static let momentTable =
        "CREATE TABLE moment (version INTEGER PRIMARY KEY, time INTEGER NOT NULL)"

    /// Earlier layouts kept everything for good.
    private static let addHistory = SQLiteUpgrade { (file) throws(StorageError) in
        let more = ReadableViews.upgrade(
            adding: ["moment", "increment_forgotten"], [momentTable, forgottenIncrements],
            schemas: schemas, takenNames: names)
        try more.run(on: file)
        for column in ["swept", "kept", "visited"] {
            try file.execute("ALTER TABLE realm ADD COLUMN \(column) INTEGER NOT NULL DEFAULT 0")
        }
        func tables(_ pattern: SQLiteValue) throws(StorageError) -> [String] {
            try file.all(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ?", pattern
            ) { (row) throws(StorageError) in try row.text(0) }
        }
        for table in try tables(.text("c[0-9]*")) { try file.execute(forgottenRows(table)) }
        for table in try tables(.text("l[0-9]*_[0-9]*")) {
            let isList = try file.first(
                "SELECT 1 FROM pragma_table_info(?) WHERE name = 'vacated'", .text(table)
            ) { (_) throws(StorageError) in true }
            try file.execute(isList == true ? forgottenSlots(table) : forgottenEntries(table))
        }
    }

    /// So that what the floor has passed is found without a walk.
    private static func forgottenRows(_ table: String) -> String {
        "CREATE INDEX \(table)_forgotten ON \(table) (deleted) WHERE a = 0"
    }

    private static func forgottenSlots(_ table: String) -> String {
        "CREATE INDEX \(table)_forgotten ON \(table) (vacated) WHERE a = 0"
    }

    private static func forgottenEntries(_ table: String) -> String {
        "CREATE INDEX \(table)_forgotten ON \(table) (changed) WHERE a = 0"
    }

    private static let forgottenIncrements =
        "CREATE INDEX increment_forgotten ON increment (version)"

    /// What each version added to an int.
    private static let incrementTable = """
        CREATE TABLE increment (
            class INTEGER NOT NULL, n INTEGER NOT NULL, property INTEGER NOT NULL,
            version INTEGER NOT NULL, amount INTEGER NOT NULL,
            PRIMARY KEY (class, n, property, version)) WITHOUT ROWID
        """

    /// Tables and indices that a view for people cannot be called as.
    static let names: Set<String> = [
        "realm", "class", "replica", "user", "version", "alias", "head", "receipt", "view",
        "gap", "moment", "member", "member_in", "member_entered", "member_left", "member_gone",
        "increment", "increment_forgotten",
    ]

    /// Columns of a row beside `ClassLayout`'s: the life, the version that created it, how many
    /// properties the class had by then, what is said of single cells (`RowMarks`), and the version
    /// that deleted it.
    static let rowColumns = [
        "life_replica INTEGER NOT NULL", "life_sequence INTEGER NOT NULL",
        "created INTEGER NOT NULL", "known INTEGER NOT NULL", "marks BLOB", "deleted INTEGER",
    ]

    /// Columns of a slot beside `ClassLayout`'s. The element's are null where the slot is the one
    /// that it was first put in. `changed` is the version of what happened last, placing or
    /// vacating.
    static let slotColumns = [
        "placed INTEGER NOT NULL", "vacated INTEGER", "changed INTEGER NOT NULL",
        "slot_replica INTEGER NOT NULL", "slot_sequence INTEGER NOT NULL",
        "slot_ordinal INTEGER NOT NULL", "element_replica INTEGER", "element_sequence INTEGER",
        "element_ordinal INTEGER", "after_replica INTEGER", "after_sequence INTEGER",
        "after_ordinal INTEGER", "before_replica INTEGER", "before_sequence INTEGER",
        "before_ordinal INTEGER",
    ]

    /// Columns of a set's or map's entry beside `ClassLayout`'s. One that was taken out stays, with
    /// `a` 0. `stamped` is the version whose stamp it has; `changed`, at or above it, that of what
    /// happened last: a link may have lost its target since.
    static let entryColumns = ["stamped INTEGER NOT NULL", "changed INTEGER NOT NULL"]

    static func rowIndexes(_ table: String) -> [String] {
        [
            "CREATE UNIQUE INDEX \(table)_k ON \(table) (k) WHERE a = 1",
            "CREATE INDEX \(table)_deleted ON \(table) (k) WHERE a = 0", forgottenRows(table),
        ]
    }

    static func slotIndexes(_ table: String) -> [String] {
        [
            """
            CREATE UNIQUE INDEX \(table)_slot
                ON \(table) (slot_replica, slot_sequence, slot_ordinal, owner)
            """,
            """
            CREATE INDEX \(table)_moved
                ON \(table) (element_replica, element_sequence, element_ordinal)
                WHERE element_replica IS NOT NULL
            """,
            changedIndex(table), forgottenSlots(table),
        ]
    }

    static func entryIndexes(_ table: String) -> [String] {
        [changedIndex(table), forgottenEntries(table)]
    }

    private static func changedIndex(_ table: String) -> String {
        "CREATE INDEX \(table)_changed ON \(table) (owner, changed)"
    }

    /// So that a value that no two objects may have is found without a walk. Whether they do is not
    /// for the file to refuse: in the midst of a transaction two may.
    static func uniqueIndex(_ table: String, _ number: Int, _ property: PropertySchema) -> String {
        let columns = ClassLayout.columns(number, property.type).joined(separator: ", ")
        return "CREATE INDEX \(table)_p\(number)_unique ON \(table) (\(columns)) WHERE a = 1"
    }
}
