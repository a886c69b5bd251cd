import TarnCBOR
package import TarnModel
package import TarnStorage

extension SQLiteReplicaStore {
    package func lease() throws(StorageError) -> Lease {
        expectOpen()
        let sql = "SELECT epoch, process, started, boot, renewed FROM lease"
        let lease = try file.first(sql) { (row) throws(StorageError) in
            var holder: LeaseHolder?
            if !row.isNull(1) {
                holder = LeaseHolder(
                    process: try row.int(1), started: try row.bits(2), boot: try row.text(3))
            }
            return Lease(epoch: try row.bits(0), holder: holder, renewed: try row.int(4))
        }
        return lease ?? Lease(epoch: 0, holder: nil, renewed: 0)
    }

    package func setLease(_ lease: Lease) throws(StorageError) {
        expectWriting()
        let holder: [SQLiteValue] =
            if let holder = lease.holder {
                [.int(holder.process), .bits(holder.started), .text(holder.boot)]
            } else {
                [nil, nil, nil]
            }
        try file.run(
            "REPLACE INTO lease VALUES (1, ?, ?, ?, ?, ?)",
            values: [.bits(lease.epoch)] + holder + [.int(lease.renewed)])
    }

    package func syncStatus() throws(StorageError) -> SyncStatus {
        expectOpen()
        let sql = "SELECT connection, upToDate, problem, done, total FROM status"
        let status = try file.first(sql) { (row) throws(StorageError) in
            guard let connection = SyncStatus.Connection(rawValue: try row.bits(0)) else {
                throw row.unexpected(0)
            }
            var progress: DownloadProgress?
            if !row.isNull(3) {
                progress = DownloadProgress(done: try row.bits(3), total: try row.bits(4))
            }
            return SyncStatus(
                connection: connection, upToDate: try row.optionalInt(1),
                problem: try row.optionalText(2), progress: progress)
        }
        return status ?? SyncStatus(connection: .offline, upToDate: nil, problem: nil)
    }

    package func setSyncStatus(_ status: SyncStatus) throws(StorageError) {
        expectWriting()
        try file.run(
            "REPLACE INTO status VALUES (1, ?, ?, ?, ?, ?)", .bits(status.connection.rawValue),
            SQLiteValue(status.upToDate), SQLiteValue(status.problem),
            status.progress.map { .bits($0.done) } ?? .null,
            status.progress.map { .bits($0.total) } ?? .null)
    }

    package func noteChanges(_ objects: [ObjectID]) throws(StorageError) {
        expectWriting()
        guard !objects.isEmpty else { return }
        let noted = Set(objects).sorted()
        var writer = CBORWriter()
        writer.writeArrayHeader(noted.count * 2)
        for object in noted {
            writer.write(object.classNumber)
            writer.write(object.number)
        }
        let number = try advance("note", by: 1)
        let total = try advance("noted", by: noted.count)
        try file.run(
            "INSERT INTO note VALUES (?, ?, ?)", .int(number), .int(total - Int64(noted.count)),
            .blob(writer.bytes))
        try dropNotes(
            through: number - Int64(ReplicaLimits.notesMax),
            before: total - Int64(ReplicaLimits.notedObjectsMax))
    }

    /// Drops the oldest notes, as long as their numbers, or the objects before them, are not above.
    private func dropNotes(through number: Int64, before total: Int64) throws(StorageError) {
        while true {
            let first = try file.first("SELECT number, before FROM note ORDER BY number LIMIT 1") {
                (row) throws(StorageError) in (number: try row.int(0), before: try row.int(1))
            }
            guard let first, first.number <= number || first.before < total else { return }
            try file.run("DELETE FROM note WHERE number = ?", .int(first.number))
        }
    }

    package func lastNote() throws(StorageError) -> Int64 {
        expectOpen()
        return try counter("note")
    }

    package func changes(after note: Int64) throws(StorageError) -> [ObjectID]? {
        let last = try lastNote()
        guard (0...last).contains(note) else { return nil }
        let sql = "SELECT number, objects FROM note WHERE number > ?"
        let notes = try file.all(sql, .int(note)) { (row) throws(StorageError) in
            try row.noted(1)
        }
        guard Int64(notes.count) == last - note else { return nil }
        return Set(notes.joined()).sorted()
    }
}

extension SQLiteRow {
    fileprivate func noted(_ column: Int) throws(StorageError) -> [ObjectID] {
        var reader = CBORReader(try blob(column))
        do throws(CBORError) {
            var objects: [ObjectID] = []
            for _ in 0..<(try reader.readArrayHeader()) / 2 {
                objects.append(
                    ObjectID(classNumber: try reader.readInt(), number: try reader.readInt64()))
            }
            return objects
        } catch {
            throw unexpected(column)
        }
    }
}
