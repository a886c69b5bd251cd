package import TarnModel
package import TarnStorage

/// Users, tokens and realm names in one file, which the daemon and its administrator's commands may
/// have open at once.
package final class SQLiteAccountStore: AccountStore {
    private let connection: SQLiteConnection

    /// Beyond it a write ends with a checkpoint. The whole file is seldom larger.
    private static let pendingBytesMax = 4 << 20

    private static let format = SQLiteFormat(
        name: "the accounts", applicationID: 0x5461_7241, version: 1,
        tables: [
            // The columns of a password are null together.
            """
            CREATE TABLE account (
                id TEXT NOT NULL PRIMARY KEY, salt BLOB, hash BLOB, cost INTEGER,
                block_size INTEGER, parallelism INTEGER) WITHOUT ROWID
            """,
            "CREATE TABLE token (hash BLOB NOT NULL PRIMARY KEY, user TEXT NOT NULL) WITHOUT ROWID",
            "CREATE INDEX token_user ON token (user)",
            """
            CREATE TABLE realm (
                owner TEXT NOT NULL, name TEXT NOT NULL, id BLOB NOT NULL UNIQUE,
                PRIMARY KEY (owner, name)) WITHOUT ROWID
            """,
        ])

    /// Makes the file where it is not there; its folder must be.
    package init(path: String) throws(StorageError) {
        connection = try SQLiteConnection(path: path, format: Self.format, synchronous: .full)
    }

    package func close() { connection.close() }

    // MARK: Accounts

    package func account(_ id: String) throws(StorageError) -> Account? {
        try connection.first("\(Self.selectAccount) WHERE id = ?", .text(id), read: Self.account)
    }

    package func accounts() throws(StorageError) -> [Account] {
        try connection.all("\(Self.selectAccount) ORDER BY id", read: Self.account)
    }

    package func create(_ account: Account) throws(StorageError) -> Bool {
        try write { () throws(StorageError) in
            try connection.run(
                "INSERT OR IGNORE INTO account VALUES (?, ?, ?, ?, ?, ?)",
                values: [.text(account.id)] + Self.columns(account.password))
            return connection.changedRows > 0
        }
    }

    package func remove(_ id: String) throws(StorageError) -> Bool {
        try write { () throws(StorageError) in
            try connection.run("DELETE FROM token WHERE user = ?", .text(id))
            try connection.run("DELETE FROM account WHERE id = ?", .text(id))
            return connection.changedRows > 0
        }
    }

    package func setPassword(_ password: PasswordHash, of id: String) throws(StorageError) {
        try write { () throws(StorageError) in
            try connection.run(
                """
                UPDATE account SET salt = ?, hash = ?, cost = ?, block_size = ?, parallelism = ?
                WHERE id = ?
                """,
                values: Self.columns(password) + [.text(id)])
        }
    }

    private static let selectAccount =
        "SELECT id, salt, hash, cost, block_size, parallelism FROM account"

    private static func columns(_ password: PasswordHash?) -> [SQLiteValue] {
        guard let password else { return [.null, .null, .null, .null, .null] }
        return [
            .blob(password.salt), .blob(password.hash), .int(Int64(password.cost)),
            .int(Int64(password.blockSize)), .int(Int64(password.parallelism)),
        ]
    }

    private static func account(_ row: SQLiteRow) throws(StorageError) -> Account {
        let id = try row.text(0)
        guard let salt = try row.optionalBlob(1) else { return Account(id: id, password: nil) }
        return Account(
            id: id,
            password: PasswordHash(
                salt: salt, hash: try row.blob(2), cost: Int(try row.int(3)),
                blockSize: Int(try row.int(4)), parallelism: Int(try row.int(5))))
    }

    // MARK: Tokens

    package func addToken(_ tokenHash: [UInt8], of user: String) throws(StorageError) {
        try write { () throws(StorageError) in
            try connection.run(
                "INSERT OR REPLACE INTO token VALUES (?, ?)", .blob(tokenHash), .text(user))
        }
    }

    package func user(ofToken tokenHash: [UInt8]) throws(StorageError) -> String? {
        try connection.first("SELECT user FROM token WHERE hash = ?", .blob(tokenHash)) {
            (row) throws(StorageError) in try row.text(0)
        }
    }

    package func removeToken(_ tokenHash: [UInt8]) throws(StorageError) {
        try write { () throws(StorageError) in
            try connection.run("DELETE FROM token WHERE hash = ?", .blob(tokenHash))
        }
    }

    // MARK: Realms

    package func realm(_ name: RealmName) throws(StorageError) -> RealmID? {
        try connection.first(
            "SELECT id FROM realm WHERE owner = ? AND name = ?", .text(name.owner),
            .text(name.name)
        ) { (row) throws(StorageError) in try Self.realmID(row, 0) }
    }

    package func createRealm(_ name: RealmName, id: RealmID) throws(StorageError) -> Bool {
        try write { () throws(StorageError) in
            guard try realm(name) == nil else { return false }
            try connection.run(
                "INSERT INTO realm VALUES (?, ?, ?)", .text(name.owner), .text(name.name),
                .blob(id.bytes))
            return true
        }
    }

    package func realms() throws(StorageError) -> [(name: RealmName, id: RealmID)] {
        try connection.all("SELECT owner, name, id FROM realm ORDER BY owner, name") {
            (row) throws(StorageError) in
            guard let name = RealmName(owner: try row.text(0), name: try row.text(1)) else {
                throw row.unexpected(1)
            }
            return (name: name, id: try Self.realmID(row, 2))
        }
    }

    private static func realmID(_ row: SQLiteRow, _ column: Int) throws(StorageError) -> RealmID {
        guard let id = RealmID(bytes: try row.blob(column)) else { throw row.unexpected(column) }
        return id
    }

    private func write<Result>(
        _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        let result = try connection.transaction(body)
        // What was written is durable, so a checkpoint that fails is tried again another time.
        if connection.pendingByteCount > Self.pendingBytesMax { try? connection.checkpointShared() }
        return result
    }
}
