/// A kind of file: how it is told from others, and how an empty one is made.
package struct SQLiteFormat: Sendable {
    /// As in "while opening the commit log".
    package let name: String
    /// Stands in the file's header, where `file` and SQLite's own tools show it.
    package let applicationID: Int32
    /// The version of the layout, from 1. A file of a higher one was written by a newer program and
    /// is refused.
    package let version: Int32
    /// The statements that make the tables in an empty file.
    package let tables: [String]

    package init(name: String, applicationID: Int32, version: Int32, tables: [String]) {
        self.name = name
        self.applicationID = applicationID
        self.version = version
        self.tables = tables
    }
}

/// How hard a commit is pressed onto the disk.
package enum SQLiteSynchronous: String, Sendable {
    /// A commit survives the loss of power.
    case full = "FULL"
    /// The loss of power may take the last commits back, whole and in order.
    case normal = "NORMAL"
}
