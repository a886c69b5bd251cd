import TarnModel
package import TarnStorage

extension SQLiteReplicaStore {
    package func stagedSeries() throws(StorageError) -> StagedSeries? {
        expectOpen()
        let sql = "SELECT version, salt, toVersion, toSalt, cursor FROM series"
        return try file.first(sql) { (row) throws(StorageError) in
            StagedSeries(
                from: try row.point(0), to: try row.point(2), cursor: try row.blob(4))
        }
    }

    package func stage(_ group: StagedGroup, of series: StagedSeries) throws(StorageError) {
        expectWriting()
        try file.run(
            "INSERT INTO staged (bytes, dictionary) VALUES (?, ?)", .blob(group.bytes),
            SQLiteValue(group.dictionary))
        try file.run(
            "REPLACE INTO series VALUES (1, ?, ?, ?, ?, ?)",
            .bits(series.from.version.number), .bits(series.from.salt.rawValue),
            .bits(series.to.version.number), .bits(series.to.salt.rawValue),
            .blob(series.cursor))
    }

    package func forEachStaged(_ body: (StagedGroup) throws -> Void) throws {
        expectOpen()
        var last: Int64 = 0
        let sql = "SELECT number, bytes, dictionary FROM staged WHERE number > ? LIMIT 1"
        while let (number, group) = try file.first(
            sql, .int(last),
            read: { (row) throws(StorageError) in
                (
                    try row.int(0),
                    StagedGroup(bytes: try row.blob(1), dictionary: try row.optionalBlob(2))
                )
            })
        {
            last = number
            try body(group)
        }
    }

    package func dropStaged() throws(StorageError) {
        expectWriting()
        try file.run("DELETE FROM staged")
        try file.run("DELETE FROM series")
    }
}
