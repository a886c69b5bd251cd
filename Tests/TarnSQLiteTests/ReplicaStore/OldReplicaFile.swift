import TarnSQLite

/// A replica's file as the first layout has it, statement for statement: with a class that is
/// called as a table of the second one, one object with an element in its list, and one shadow.
enum OldReplicaFile {
    static let format = SQLiteFormat(
        name: "the replica", applicationID: 0x5461_7243, version: 1,
        tables: tables + classTables + rows)

    /// `["Undo", ["_id", 2, 0, null, null], [["value", 2, 0, null, null],
    /// ["history", 2, 2, null, null]]]`
    private static let schema =
        "8364556E646F85635F69640200F6F682856576616C75650200F6F6856768"
        + "6973746F72790202F6F6"

    /// The first and only row of a table that has just one.
    private static let one = "one INTEGER PRIMARY KEY CHECK (one = 1)"

    private static let tables = [
        """
        CREATE TABLE identity (\(one), owner TEXT NOT NULL, name TEXT NOT NULL, realm BLOB,
            replica INTEGER NOT NULL, user TEXT NOT NULL)
        """,
        "CREATE TABLE resume (\(one), version INTEGER NOT NULL, salt INTEGER NOT NULL)",
        "CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
        "CREATE TABLE replica (number INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE)",
        """
        CREATE TABLE class (number INTEGER PRIMARY KEY, name TEXT NOT NULL, schema BLOB NOT NULL,
            last INTEGER NOT NULL)
        """,
        """
        CREATE TABLE shadow (class INTEGER NOT NULL, n INTEGER NOT NULL, content BLOB NOT NULL,
            PRIMARY KEY (class, n)) WITHOUT ROWID
        """,
        """
        CREATE TABLE chain (\(one), sequence INTEGER NOT NULL, hash BLOB NOT NULL,
            acknowledgedSequence INTEGER NOT NULL, acknowledgedHash BLOB NOT NULL,
            ticks INTEGER NOT NULL)
        """,
        """
        CREATE TABLE outbox (sequence INTEGER PRIMARY KEY, body BLOB NOT NULL, hash BLOB NOT NULL,
            ticks INTEGER NOT NULL)
        """,
        """
        CREATE TABLE touch (class INTEGER NOT NULL, n INTEGER NOT NULL, sequence INTEGER NOT NULL,
            PRIMARY KEY (class, n, sequence)) WITHOUT ROWID
        """,
        "CREATE INDEX touch_sequence ON touch (sequence)",
        """
        CREATE TABLE receipt (number INTEGER PRIMARY KEY, sequence INTEGER NOT NULL,
            hash BLOB NOT NULL, receipt BLOB NOT NULL, body BLOB, UNIQUE (sequence, hash))
        """,
        """
        CREATE TABLE subscription (number INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE, query TEXT NOT NULL, arguments BLOB NOT NULL,
            depth INTEGER NOT NULL, state INTEGER NOT NULL, version INTEGER, at INTEGER,
            problem TEXT)
        """,
        """
        CREATE TABLE member (subscription INTEGER NOT NULL, class INTEGER NOT NULL,
            n INTEGER NOT NULL, root INTEGER NOT NULL, PRIMARY KEY (subscription, class, n))
            WITHOUT ROWID
        """,
        "CREATE INDEX member_object ON member (class, n)",
        """
        CREATE TABLE lease (\(one), epoch INTEGER NOT NULL, process INTEGER, started INTEGER,
            boot TEXT, renewed INTEGER NOT NULL)
        """,
        """
        CREATE TABLE status (\(one), connection INTEGER NOT NULL, upToDate INTEGER, problem TEXT)
        """,
        """
        CREATE TABLE note (number INTEGER PRIMARY KEY, before INTEGER NOT NULL,
            objects BLOB NOT NULL)
        """,
    ]

    private static let classTables = [
        """
        CREATE TABLE c0 (n INTEGER PRIMARY KEY, k INTEGER NOT NULL, a INTEGER NOT NULL,
            confirmed INTEGER NOT NULL, lifeReplica INTEGER, lifeSequence INTEGER, p0 INTEGER)
        """,
        """
        CREATE TABLE l0_1 (n INTEGER PRIMARY KEY, owner INTEGER NOT NULL, label INTEGER NOT NULL,
            a INTEGER NOT NULL, v INTEGER, confirmed INTEGER NOT NULL,
            slotReplica INTEGER NOT NULL, slotSequence INTEGER NOT NULL,
            slotOrdinal INTEGER NOT NULL, elementReplica INTEGER, elementSequence INTEGER,
            elementOrdinal INTEGER)
        """,
        "CREATE INDEX l0_1_order ON l0_1 (owner, label)",
        "CREATE UNIQUE INDEX c0_k ON c0 (k)",
        """
        CREATE UNIQUE INDEX l0_1_slot ON l0_1 (owner, slotSequence, slotOrdinal, slotReplica)
        """,
        """
        CREATE INDEX l0_1_moved ON l0_1
            (owner, elementSequence, elementOrdinal, elementReplica)
            WHERE elementSequence IS NOT NULL
        """,
        "CREATE INDEX l0_1_differing ON l0_1 (owner) WHERE a <> confirmed",
        """
        CREATE VIEW "Undo" AS SELECT c.k AS "_id", c.p0 AS "value" FROM c0 c WHERE c.a = 1
        """,
        """
        CREATE VIEW "Undo.history" AS SELECT (SELECT k FROM c0 WHERE n = l.owner) AS owner,
            row_number() OVER (PARTITION BY l.owner ORDER BY l.label) AS position, l.v AS value
            FROM l0_1 l WHERE l.a = 1
        """,
    ]

    private static let rows = [
        "INSERT INTO class VALUES (0, 'Undo', x'\(schema)', 1)",
        "INSERT INTO counter VALUES ('schema', 1)", "INSERT INTO replica VALUES (1, 5)",
        "INSERT INTO resume VALUES (1, 3, 77)",
        "INSERT INTO c0 VALUES (1, 7, 1, 1, 1, 9, 41)",
        """
        INSERT INTO l0_1 (owner, label, a, v, confirmed, slotReplica, slotSequence, slotOrdinal)
        VALUES (1, 0, 1, 5, 1, 1, 9, 0)
        """,
        // `[[replica, 9], [40, null]]`
        "INSERT INTO shadow VALUES (0, 1, x'828248000000000000000509821828F6')",
    ]
}
