import TarnCBOR
import TarnModel
import TarnProtocol
import TarnStorage

/// A large download is a series of groups: all but the last are stored as they come, and taken in
/// together with that. Until then the replica shows what it had, at the version that it had.
extension Replica {
    /// Stores a group that others follow.
    ///
    /// Throws `misfit` where it does not go on from what is here, `leaseLost` where another process
    /// has taken over since.
    ///
    /// - Parameters:
    ///   - bytes: the group as it came.
    ///   - point: what the series begins at.
    ///   - isFirst: it is the connection's first that is stored, so that what its numbers mean has
    ///     to be stored with it.
    func stage(
        _ group: Group, as bytes: [UInt8], from point: ResumePoint?,
        dictionary: inout ClassDictionary, isFirst: Bool, epoch: UInt64?
    ) throws {
        guard let progress = group.progress else { return }
        var names = dictionary
        names.add(group.classes)
        try inTransaction(.writing(.relaxed)) {
            try expectLease(epoch)
            let begun = try store.stagedSeries()
            let start = try begun?.from ?? point ?? store.resumePoint()
            guard group.from == begun?.to ?? start, group.to.version >= group.from.version,
                group.receipts.isEmpty, group.faults.isEmpty
            else {
                throw ReplicaError(
                    .misfit, "the server's group does not begin where the one before it ended")
            }
            try store.stage(
                StagedGroup(bytes: bytes, dictionary: isFirst ? names.encoded() : nil),
                of: StagedSeries(from: start, to: group.to, cursor: progress.cursor))
            var status = try store.syncStatus()
            status.progress = DownloadProgress(done: progress.done, total: progress.total)
            try store.setSyncStatus(status)
        }
        dictionary = names
    }

    /// Where the stored groups were broken off, if they begin at that point.
    func stagedPoint(from point: ResumePoint) throws(StorageError) -> StagedPoint? {
        guard let series = try store.stagedSeries(), series.from == point else { return nil }
        return StagedPoint(point: series.to, cursor: series.cursor)
    }

    /// Throws away what is stored of a series: it cannot be gone on with. In a transaction.
    func dropStaged() throws {
        guard try store.stagedSeries() != nil else { return }
        try store.dropStaged()
        var status = try store.syncStatus()
        status.progress = nil
        try store.setSyncStatus(status)
    }

    /// The same by itself.
    func giveUpSeries(_ epoch: UInt64?) throws {
        try inTransaction(.writing(.relaxed)) {
            try expectLease(epoch)
            try dropStaged()
        }
    }

    /// Hands over the stored groups, with what the numbers in each mean. In a transaction.
    func forEachStaged(_ body: (Group, ClassDictionary) throws -> Void) throws {
        var names = ClassDictionary()
        try store.forEachStaged { staged in
            let group: Group
            do {
                if let dictionary = staged.dictionary {
                    names = try ClassDictionary(decoding: dictionary)
                }
                group = try Group(decoding: staged.bytes)
            } catch {
                throw StorageError(
                    .corrupt, while: "reading a stored group", cause: "\(error)")
            }
            names.add(group.classes)
            try body(group, names)
        }
    }
}
