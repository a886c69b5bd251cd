import TarnClient
import TarnModel
import TarnQuery
import TarnStorage

/// Looks at one live result, and holds each change set to the law of exactness.
struct ResultWatcher {
    private var live: LiveResult
    private var rows: [PrimaryKey] = []
    private var looks: [PrimaryKey: [String: Value]] = [:]

    init(_ source: LiveResult.Source) { live = LiveResult(source) }

    mutating func look(in reader: ReplicaReader) throws {
        let changes = try live.refresh(in: reader)
        let keys = try live.rows.map { try reader.key(of: $0) }
        guard let applied = changes.applied(to: rows, inserting: keys), applied == keys else {
            throw Violation(
                .exactness,
                "a change set of \(live.source) does not lead from the old rows to "
                    + "the new ones", "old: \(rows)", "new: \(keys)", "changes: \(changes)")
        }
        var looks: [PrimaryKey: [String: Value]] = [:]
        for object in live.rows {
            let values = try reader.values(of: object).map { ($0.name, $0.value) }
            looks[try reader.key(of: object)] = Dictionary(values) { first, _ in first }
        }
        let modified = Set(changes.modifications.map { keys[$0.new] })
        let moved = Set(changes.moves.map { keys[$0.to] })
        let inserted = Set(changes.insertions.map { keys[$0] })
        for (key, look) in looks where !modified.contains(key) && !inserted.contains(key) {
            // A property that the class has gained since is no change.
            guard let old = self.looks[key], old.allSatisfy({ look[$0.key] == $0.value }) else {
                throw Violation(
                    .exactness,
                    "a row of \(live.source) changed, and no modification tells of it"
                        + (moved.contains(key) ? ", but a move" : ""),
                    "old: \(self.looks[key] ?? [:])", "new: \(look)")
            }
        }
        (rows, self.looks) = (keys, looks)
    }
}
