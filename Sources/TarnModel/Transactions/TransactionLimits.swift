/// What one transaction may hold.
package enum TransactionLimits {
    /// How heavy a transaction may be; what is heavier is an import, many transactions under one
    /// verb. A server decides so much in ten or twenty milliseconds, and as long everybody else may
    /// have to wait: less than they notice.
    package static let weightMax = 1_000
    /// What a server takes. A little more than a program may write: who counts by other encodings
    /// shall not lose his work for it.
    package static let weightTakenMax = 1_100

    /// A transaction weighs one for each change and one for each KB of its body: both cost a server
    /// about the same time.
    package static func weight(changes: Int, bytes: Int) -> Int { changes + (bytes >> 10) }

    /// Larger transactions are not read. Below that, one that is too heavy is refused as any other,
    /// and does not keep what follows it from being decided: a program of another age may have
    /// written it.
    package static let changesReadMax = 50_000
    package static let bodyBytesReadMax = 16 << 20

    /// UTF-8 bytes of one string, or bytes of data: one such value has room in a transaction, with
    /// some others that are small.
    package static let stringBytesMax = 1_000_000
    /// Bytes of a string that is a primary key, or of a set's element or a map's key: they stand in
    /// indices.
    package static let keyBytesMax = 1024
}

extension TransactionLimits {
    /// What a transaction may come to weigh: under another name, after a fork, all that it names of
    /// its replica's has to be named whole.
    package static func weight(of changes: [Change], bodyBytes: Int) -> Int {
        let names = changes.reduce(0) { $0 + $1.transactionNameCount }
        return weight(changes: changes.count, bytes: bodyBytes + names * bytesARenaming)
    }

    /// A replica's eight bytes, and their heads.
    private static let bytesARenaming = 11

    /// What is told of a transaction that is too heavy.
    package static func sentence(changes: Int, bytes: Int) -> String {
        "a transaction has at most \(weightMax) changes, and each KB in it counts as one more: "
            + "this one has \(changes) and \(bytes >> 10) KB"
    }
}
