import TarnClient
import TarnQuery

/// Change sets for programs, one a line; the format is in `docs/terminal.md`.
enum ChangeJSON {
    static func initial(
        _ update: WatchedResult.Update, in reader: ReplicaReader
    ) throws -> JSONValue {
        var rows: [JSONValue] = []
        for object in update.newRows { rows.append(try reader.json(of: object)) }
        return [
            "event": "initial", "partial": .bool(update.isPartial), "rows": .array(rows),
        ]
    }

    static func changes(
        _ update: WatchedResult.Update, in reader: ReplicaReader
    ) throws -> JSONValue {
        let changes = update.changes
        return [
            "event": "change", "partial": .bool(update.isPartial),
            "count": .int(update.newRows.count),
            "deletions": .array(changes.deletions.map { .int($0) }),
            "insertions": .array(
                try changes.insertions.map {
                    ["index": .int($0), "row": try reader.json(of: update.newRows[$0])]
                }),
            "modifications": .array(
                try changes.modifications.map {
                    [
                        "old": .int($0.old), "new": .int($0.new),
                        "row": try reader.json(of: update.newRows[$0.new]),
                    ]
                }),
            "moves": .array(
                changes.moves.map { ["from": .int($0.from), "to": .int($0.to)] }),
        ]
    }
}
