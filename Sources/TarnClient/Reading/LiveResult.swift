package import TarnModel
package import TarnQuery
import TarnStorage

/// A result that follows its objects: each refresh answers what changed since the last one, by
/// index, so that rows on a screen can follow.
///
/// A row counts as modified where the user may see something else in its object, or in one up to
/// three links away from it.
package struct LiveResult {
    package enum Source: Hashable, Sendable {
        /// A subscription, by its name. Until there is one the result is empty and partial.
        case subscription(String)
        case query(String, arguments: [Value])
    }

    /// How many links away from a row a change still concerns it, as in Realm.
    package static let linksMax = 3

    package let source: Source
    /// Empty before the first refresh.
    package private(set) var rows: [ObjectID] = []
    package private(set) var isPartial = true
    /// The last note of changes that was taken in; nil before the first refresh.
    private var note: Int64?

    package init(_ source: Source) { self.source = source }

    /// Brings the rows up to what the reader sees. The first time, every row is an insertion.
    package mutating func refresh(in reader: ReplicaReader) throws(ReplicaError) -> ChangeSet {
        let result = try results(in: reader)
        let old = rows
        let modified = try modified(in: reader, among: old)
        rows = result.objects
        isPartial = result.isPartial
        note = try reader.stored { () throws(StorageError) in try reader.store.lastNote() }
        return ChangeSet.between(old: old, new: rows, modified: modified)
    }

    private func results(in reader: ReplicaReader) throws(ReplicaError) -> ResultRows {
        switch source {
        case .query(let text, let arguments):
            return try reader.results(of: text, arguments: arguments)
        case .subscription(let name):
            guard let subscription = try reader.subscription(named: name) else {
                return ResultRows(objects: [], isPartial: true)
            }
            return try reader.results(of: subscription)
        }
    }

    /// The old rows that what was noted since concerns; all of them where notes were dropped.
    private func modified(
        in reader: ReplicaReader, among old: [ObjectID]
    ) throws(ReplicaError) -> Set<ObjectID> {
        guard let note, !old.isEmpty else { return [] }
        let rows = Set(old)
        return try reader.stored { () throws(StorageError) in
            let store = reader.store
            guard let changed = try store.changes(after: note) else { return rows }
            var seen = Set(changed)
            var edge = seen
            for _ in 0..<Self.linksMax {
                var next: Set<ObjectID> = []
                for object in edge where try store.row(of: object) != nil {
                    for holder in try store.holders(of: object) {
                        if seen.insert(holder.object).inserted { next.insert(holder.object) }
                    }
                }
                edge = next
                if edge.isEmpty { break }
            }
            return seen.intersection(rows)
        }
    }
}
