import TarnQuery

/// Change sets for people: a line a row, with its index; below a modified row what changed in it.
///
///     - 2       what was at 2 in the old rows
///     + 0       what is at 0 in the new rows
///     ~ 1 → 2   what was at 1, is at 2, and reads otherwise now
///     > 3 → 0   what was moved from 3 to 0
package struct ChangeText {
    private let paint: Paint
    private let width: Int?

    package init(paint: Paint, width: Int?) {
        self.paint = paint
        self.width = width
    }

    package func initial(_ update: WatchedResult.Update, title: String) -> [String] {
        let count = update.newRows.count
        var lines = [paint(.dim, "\(title): \(count == 1 ? "1 row" : "\(count) rows")")]
        for index in update.newRows.indices {
            guard let row = update.new(index) else { continue }
            lines.append(fitted("  \(index)", row.head, row.isFinished ? .finished : nil))
            lines += row.parts.map { fitted("      ·", $0.text, $0.isFinished ? .finished : nil) }
        }
        return lines
    }

    package func changes(_ update: WatchedResult.Update) -> [String] {
        let changes = update.changes
        var lines = [paint(.dim, summary(changes))]
        for index in changes.deletions {
            lines.append(fitted("- \(index)", update.old(index)?.head ?? "", .red))
        }
        for index in changes.insertions {
            guard let row = update.new(index) else { continue }
            lines.append(fitted("+ \(index)", row.head, .green))
            lines += row.parts.map { fitted("      +", $0.text, .green) }
        }
        for change in changes.modifications {
            guard let row = update.new(change.new) else { continue }
            lines.append(fitted("~ \(arrow(change.old, change.new))", row.head, .yellow))
            if let before = update.old(change.old) { lines += parts(from: before, to: row) }
        }
        for move in changes.moves {
            let text = update.new(move.to)?.head ?? ""
            lines.append(fitted("> \(move.from) → \(move.to)", text, .blue))
        }
        return lines
    }

    private func summary(_ changes: ChangeSet) -> String {
        let counts = [
            (changes.deletions.count, "deleted"), (changes.insertions.count, "inserted"),
            (changes.modifications.count, "modified"), (changes.moves.count, "moved"),
        ]
        return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    private func arrow(_ old: Int, _ new: Int) -> String {
        old == new ? "\(new)" : "\(old) → \(new)"
    }

    /// What changed in a row's lists, and how the row read before where that is all.
    private func parts(from old: ObjectContent, to new: ObjectContent) -> [String] {
        let texts = Dictionary(
            old.parts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let (before, after) = (old.parts.map(\.name), new.parts.map(\.name))
        // An object may stand twice in a list, and change sets are of distinct rows.
        guard Set(before).count == before.count, Set(after).count == after.count else { return [] }
        let changed = new.parts.filter { texts[$0.name] != nil && texts[$0.name] != $0 }
        let changes = ChangeSet.between(
            old: before, new: after, modified: Set(changed.map(\.name)))
        var lines = changes.deletions.map { fitted("      - \($0)", old.parts[$0].text, .red) }
        lines += changes.insertions.map { fitted("      + \($0)", new.parts[$0].text, .green) }
        lines += changes.modifications.map { change in
            fitted(
                "      ~ \(arrow(change.old, change.new))", new.parts[change.new].text, .yellow)
        }
        lines += changes.moves.map { move in
            fitted("      > \(move.from) → \(move.to)", new.parts[move.to].text, .blue)
        }
        return lines
    }

    private func fitted(_ head: String, _ text: String, _ look: Paint.Look?) -> String {
        let lead = head.padded(to: 7) + " "
        let shown = width.map { text.cut(to: max(10, $0 - lead.displayWidth)) } ?? text
        return look.map { paint($0, lead + shown) } ?? lead + shown
    }
}
