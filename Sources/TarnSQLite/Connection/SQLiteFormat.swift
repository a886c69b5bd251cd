package import TarnStorage

/// A kind of file: how it is told from others, and how an empty one is made.
package struct SQLiteFormat: Sendable {
    /// As in "while opening the commit log".
    package let name: String
    /// Stands in the file's header, where `file` and SQLite's own tools show it.
    package let applicationID: Int32
    /// The version of the layout, from 1. A file of a higher one was written by a newer program and
    /// is refused; one of a lower is upgraded step by step, or refused where a step is not known.
    package let version: Int32
    /// The statements that make the tables in an empty file.
    package let tables: [String]
    /// By the version that each begins from: what makes the next one of a file, in a transaction.
    package let upgrades: [Int32: SQLiteUpgrade]

    package init(
        name: String, applicationID: Int32, version: Int32, tables: [String],
        upgrades: [Int32: SQLiteUpgrade] = [:]
    ) {
        self.name = name
        self.applicationID = applicationID
        self.version = version
        self.tables = tables
        self.upgrades = upgrades
    }
}

/// One step from a layout to the next.
package struct SQLiteUpgrade: Sendable {
    private let body: @Sendable (SQLiteConnection) throws(StorageError) -> Void

    package init(_ body: @escaping @Sendable (SQLiteConnection) throws(StorageError) -> Void) {
        self.body = body
    }

    /// Inside a transaction.
    package func run(on connection: SQLiteConnection) throws(StorageError) {
        try body(connection)
    }
}

/// How hard a commit is pressed onto the disk.
package enum SQLiteSynchronous: String, Sendable {
    /// A commit survives the loss of power.
    case full = "FULL"
    /// The loss of power may take the last commits back, whole and in order.
    case normal = "NORMAL"
}
