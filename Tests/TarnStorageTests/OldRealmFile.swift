import TarnSQLite

/// A realm file as the first layout has it, statement for statement: with a class that is called as
/// a table of the second one, one object with an element in its list, and version 1.
enum OldRealmFile {
    static let format = SQLiteFormat(
        name: "the realm file", applicationID: 0x5461_7252, version: 1,
        tables: tables + classTables + rows)

    /// `["Increment", ["_id", 2, 0, null, null], [["value", 2, 0, null, null],
    /// ["history", 2, 2, null, null]]]`
    private static let schema =
        "8369496E6372656D656E7485635F69640200F6F682856576616C75650200"
        + "F6F68567686973746F72790202F6F6"

    private static let tables = [
        "CREATE TABLE realm (floor INTEGER NOT NULL)",
        "INSERT INTO realm (floor) VALUES (0)",
        "CREATE TABLE class (n INTEGER PRIMARY KEY, name TEXT NOT NULL, schema BLOB NOT NULL)",
        "CREATE TABLE replica (n INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE)",
        "CREATE TABLE user (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE)",
        """
        CREATE TABLE version (
            n INTEGER PRIMARY KEY, salt INTEGER NOT NULL, replica INTEGER NOT NULL,
            sequence INTEGER NOT NULL, ticks INTEGER NOT NULL, highest INTEGER NOT NULL,
            user INTEGER NOT NULL)
        """,
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
        """
        CREATE TABLE gap (
            n INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL)
        """,
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
    ]

    private static let classTables = [
        """
        CREATE TABLE c0 (n INTEGER PRIMARY KEY, k INTEGER NOT NULL, a INTEGER NOT NULL,
            life_replica INTEGER NOT NULL, life_sequence INTEGER NOT NULL,
            created INTEGER NOT NULL, known INTEGER NOT NULL, marks BLOB, deleted INTEGER,
            p0 INTEGER)
        """,
        """
        CREATE TABLE l0_1 (n INTEGER PRIMARY KEY, owner INTEGER NOT NULL, label INTEGER NOT NULL,
            a INTEGER NOT NULL, v INTEGER, placed INTEGER NOT NULL, vacated INTEGER,
            changed INTEGER NOT NULL, slot_replica INTEGER NOT NULL,
            slot_sequence INTEGER NOT NULL, slot_ordinal INTEGER NOT NULL,
            element_replica INTEGER, element_sequence INTEGER, element_ordinal INTEGER,
            after_replica INTEGER, after_sequence INTEGER, after_ordinal INTEGER,
            before_replica INTEGER, before_sequence INTEGER, before_ordinal INTEGER)
        """,
        "CREATE INDEX l0_1_order ON l0_1 (owner, label)",
        "CREATE UNIQUE INDEX c0_k ON c0 (k) WHERE a = 1",
        "CREATE INDEX c0_deleted ON c0 (k) WHERE a = 0",
        """
        CREATE UNIQUE INDEX l0_1_slot ON l0_1 (slot_replica, slot_sequence, slot_ordinal, owner)
        """,
        """
        CREATE INDEX l0_1_moved ON l0_1 (element_replica, element_sequence, element_ordinal)
            WHERE element_replica IS NOT NULL
        """,
        "CREATE INDEX l0_1_changed ON l0_1 (owner, changed)",
        """
        CREATE VIEW "Increment" AS SELECT c.k AS "_id", c.p0 AS "value" FROM c0 c WHERE c.a = 1
        """,
        """
        CREATE VIEW "Increment.history" AS SELECT (SELECT k FROM c0 WHERE n = l.owner) AS owner,
            row_number() OVER (PARTITION BY l.owner ORDER BY l.label) AS position, l.v AS value
            FROM l0_1 l WHERE l.a = 1
        """,
    ]

    private static let rows = [
        "INSERT INTO class VALUES (0, 'Increment', x'\(schema)')",
        "INSERT INTO replica VALUES (1, 5)", "INSERT INTO user VALUES (1, 'alice')",
        "INSERT INTO version VALUES (1, 77, 1, 9, 1000, 1000, 1)",
        "INSERT INTO c0 VALUES (1, 7, 1, 1, 9, 1, 2, NULL, NULL, 41)",
        """
        INSERT INTO l0_1 (owner, label, a, v, placed, changed, slot_replica, slot_sequence,
            slot_ordinal) VALUES (1, 0, 1, 5, 1, 1, 1, 9, 0)
        """,
    ]
}
