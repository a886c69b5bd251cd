extension SQLiteFormat {
    /// A replica's file. `docs/storage-replica.md` tells what is where.
    static let replica = SQLiteFormat(
        name: "the replica", applicationID: 0x5461_7243, version: 4,
        tables: replicaState + replicaObjects + replicaOutbox + replicaSubscriptions
            + replicaSharing + replicaRecovery + replicaStaging,
        upgrades: [
            1: ReadableViews.upgrade(
                adding: ["undo"], [undoTable], schemas: schemas, takenNames: replicaNames),
            2: ReadableViews.upgrade(
                adding: ["former", "common", "archive", "archive_version", "point"],
                [
                    "ALTER TABLE outbox ADD COLUMN \(outboxStanding)",
                    "ALTER TABLE receipt ADD COLUMN \(receiptDecided)",
                ] + replicaRecovery,
                schemas: schemas, takenNames: replicaNames),
            3: ReadableViews.upgrade(
                adding: ["staged", "series"],
                [
                    "ALTER TABLE status ADD COLUMN done INTEGER",
                    "ALTER TABLE status ADD COLUMN total INTEGER",
                ] + replicaStaging,
                schemas: schemas, takenNames: replicaNames),
        ])

    private static let schemas = "SELECT schema FROM class ORDER BY number"

    /// Tables and indices that a view for people cannot be called as.
    static let replicaNames: Set<String> = [
        "identity", "resume", "counter", "replica", "class", "shadow", "chain", "outbox", "touch",
        "touch_sequence", "receipt", "subscription", "member", "member_object", "lease", "status",
        "note", "undo", "former", "common", "archive", "archive_version", "point",
        "staged", "series",
    ]

    /// The first and only row of a table that has just one.
    private static let one = "one INTEGER PRIMARY KEY CHECK (one = 1)"

    private static let replicaState = [
        """
        CREATE TABLE identity (\(one), owner TEXT NOT NULL, name TEXT NOT NULL, realm BLOB,
            replica INTEGER NOT NULL, user TEXT NOT NULL)
        """,
        "CREATE TABLE resume (\(one), version INTEGER NOT NULL, salt INTEGER NOT NULL)",
        // Numbers that count up: of the schema's changes, of notes, of objects noted.
        "CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
        // Replica ids stand once; rows and slots have their numbers.
        "CREATE TABLE replica (number INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE)",
    ]

    private static let replicaObjects = [
        // A class's number is its place in the schema; `last` is the last object's number.
        """
        CREATE TABLE class (number INTEGER PRIMARY KEY, name TEXT NOT NULL, schema BLOB NOT NULL,
            last INTEGER NOT NULL)
        """,
        """
        CREATE TABLE shadow (class INTEGER NOT NULL, n INTEGER NOT NULL, content BLOB NOT NULL,
            PRIMARY KEY (class, n)) WITHOUT ROWID
        """,
    ]

    private static let replicaOutbox = [
        """
        CREATE TABLE chain (\(one), sequence INTEGER NOT NULL, hash BLOB NOT NULL,
            acknowledgedSequence INTEGER NOT NULL, acknowledgedHash BLOB NOT NULL,
            ticks INTEGER NOT NULL)
        """,
        """
        CREATE TABLE outbox (sequence INTEGER PRIMARY KEY, body BLOB NOT NULL, hash BLOB NOT NULL,
            ticks INTEGER NOT NULL, \(outboxStanding))
        """,
        """
        CREATE TABLE touch (class INTEGER NOT NULL, n INTEGER NOT NULL, sequence INTEGER NOT NULL,
            PRIMARY KEY (class, n, sequence)) WITHOUT ROWID
        """,
        "CREATE INDEX touch_sequence ON touch (sequence)",
        """
        CREATE TABLE receipt (number INTEGER PRIMARY KEY, sequence INTEGER NOT NULL,
            hash BLOB NOT NULL, receipt BLOB NOT NULL, body BLOB, \(receiptDecided),
            UNIQUE (sequence, hash))
        """,
        undoTable,
    ]

    /// The state is `UndoEntry.State`.
    private static let undoTable = """
        CREATE TABLE undo (sequence INTEGER PRIMARY KEY, state INTEGER NOT NULL,
            record BLOB NOT NULL)
        """

    private static let replicaSubscriptions = [
        // The state is 0 for pending, 1 for complete, 2 for an error.
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
    ]

    private static let replicaSharing = [
        """
        CREATE TABLE lease (\(one), epoch INTEGER NOT NULL, process INTEGER, started INTEGER,
            boot TEXT, renewed INTEGER NOT NULL)
        """,
        """
        CREATE TABLE status (\(one), connection INTEGER NOT NULL, upToDate INTEGER, problem TEXT,
            done INTEGER, total INTEGER)
        """,
        // `before` counts the objects of all earlier notes, kept or not.
        """
        CREATE TABLE note (number INTEGER PRIMARY KEY, before INTEGER NOT NULL,
            objects BLOB NOT NULL)
        """,
    ]

    // MARK: Recovery

    /// `SealedTransaction.Standing`.
    private static let outboxStanding = "standing INTEGER NOT NULL DEFAULT 0"
    private static let receiptDecided = "decided INTEGER NOT NULL DEFAULT 0"

    private static let replicaRecovery = [
        // Ids that the replica has given up.
        "CREATE TABLE former (number INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE)",
        "CREATE TABLE common (\(one), version INTEGER NOT NULL, salt INTEGER NOT NULL)",
        // Numbered as they came, so that the oldest go first; `bytes` are the body's.
        """
        CREATE TABLE archive (number INTEGER PRIMARY KEY, replica INTEGER NOT NULL,
            sequence INTEGER NOT NULL, version INTEGER NOT NULL, decided INTEGER NOT NULL,
            standing INTEGER NOT NULL, previous BLOB NOT NULL, hash BLOB NOT NULL,
            ticks INTEGER NOT NULL, bytes INTEGER NOT NULL, body BLOB NOT NULL,
            UNIQUE (replica, sequence))
        """,
        "CREATE INDEX archive_version ON archive (version)",
        "CREATE TABLE point (version INTEGER PRIMARY KEY, salt INTEGER NOT NULL)",
    ]

    // MARK: Large downloads

    private static let replicaStaging = [
        // Groups as they came, and where all of them lead from and to.
        """
        CREATE TABLE staged (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL, dictionary BLOB)
        """,
        """
        CREATE TABLE series (\(one), version INTEGER NOT NULL, salt INTEGER NOT NULL,
            toVersion INTEGER NOT NULL, toSalt INTEGER NOT NULL, cursor BLOB NOT NULL)
        """,
    ]
}
