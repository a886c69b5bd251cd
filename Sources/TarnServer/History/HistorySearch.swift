package import TarnModel
package import TarnProtocol
package import TarnStorage

/// Answers one question for a realm's history from the commit log, newest first and a slice at a
/// time, so that a long search delays nobody: ask `next`, read that of the log, hand it to `take`.
package struct HistorySearch: Sendable {
    /// Records that are read at once: about a millisecond.
    package static let recordsASlice: UInt64 = 200
    /// Entries of one answer.
    static let entriesMax: UInt64 = 500
    /// Bytes of one answer's entries: a message, with room for what stands around them.
    static let bytesMax = 56 << 10
    /// Bytes of a value above which it is not told.
    static let valueBytesMax = 4 << 10

    private let request: HistoryRequest
    private let limit: Int
    /// All above is searched.
    private var high: Version
    private let trimmed: Version
    private var entries: [HistoryEntry] = []
    private var bytes = 0
    private var isFull = false
    /// Entries that want to know what stood there before, by what they are of.
    private var asking: [HistoryCell: Int] = [:]

    /// - Parameter extent: what the log keeps of the realm.
    package init(_ request: HistoryRequest, in extent: LogExtent) {
        self.request = request
        limit = Int(min(max(request.limit, 1), Self.entriesMax))
        trimmed = extent.trimmed
        high = min(extent.last, request.before.version)
    }

    /// The slice of the log to read next: so many records above that version. Nil at the end.
    package var next: (after: Version, limit: Int)? {
        guard !isFull, high > trimmed else { return nil }
        let count = min(high.number - trimmed.number, Self.recordsASlice)
        return (Version(high.number - count), Int(count))
    }

    /// - Parameter records: what the log has of the slice, in its order.
    package mutating func take(_ records: [LogRecord]) {
        guard let slice = next else { return }
        for record in records.reversed() where record.point.version <= high {
            for entry in HistoryEntries(of: record, about: request.object).newestFirst {
                learn(from: entry)
                guard entry.entry.place < request.before else { continue }
                guard add(entry) else {
                    isFull = true
                    return
                }
            }
        }
        high = slice.after
    }

    package var page: HistoryPage {
        HistoryPage(
            entries: entries, next: isFull ? entries.last?.place : nil, floor: trimmed)
    }

    /// - Returns: false where it does not go in.
    private mutating func add(_ found: FoundEntry) -> Bool {
        var entry = found.entry
        entry.cut(above: Self.valueBytesMax)
        // What stood before comes later, and is counted now.
        let count = entry.encodedCount + Self.valueBytesMax
        guard entries.count < limit, entries.isEmpty || bytes + count <= Self.bytesMax else {
            return false
        }
        bytes += entry.encodedCount
        if let cell = found.cell, found.wantsBefore { asking[cell] = entries.count }
        entries.append(entry)
        return true
    }

    /// What an older entry put there is what a newer one found.
    private mutating func learn(from found: FoundEntry) {
        if found.entry.deed == .created {
            // What an earlier life of the key held is not what this one found.
            asking = asking.filter { cell, _ in
                cell.subject.className != found.entry.className
                    || cell.subject.key != found.entry.key
            }
            return
        }
        guard let cell = found.cell, let known = found.entry.value,
            let index = asking.removeValue(forKey: cell)
        else { return }
        // A sum is not what was added.
        guard found.entry.deed != .incremented else { return }
        entries[index].before = known
        let before = bytes
        entries[index].cut(above: Self.valueBytesMax)
        bytes = before + known.encodedBytes
    }
}

/// What an entry is of, so that what stood there before can be found.
struct HistoryCell: Hashable, Sendable {
    let subject: HistorySubject
    let property: String
    /// A map's key, or a set's element.
    var entry: Value?
    var slot: SlotID?
}

/// An entry, and what it is of.
struct FoundEntry {
    var entry: HistoryEntry
    var cell: HistoryCell?
    /// Something stood there before.
    var wantsBefore = false
}
