extension Character {
    /// Columns on a terminal: two for East Asian wide characters and emoji, none for marks alone.
    var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.value < 0x300 { return 1 }
        if first.isWide || unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return 1
        }
    }
}

extension Unicode.Scalar {
    /// East Asian Width W or F, in whole blocks, and what is drawn as emoji by itself.
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: properties.isEmojiPresentation
        }
    }
}

extension String {
    /// Columns on a terminal, of text that is `escaped`.
    package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// The text in so many columns: cut with an ellipsis where it is wider.
    package func cut(to columns: Int) -> String {
        guard displayWidth > columns else { return self }
        var (kept, width) = ("", 0)
        for character in self {
            guard width + character.displayWidth < columns else { break }
            kept.append(character)
            width += character.displayWidth
        }
        return columns > 0 ? kept + "…" : ""
    }

    package func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - displayWidth))
    }

    /// Lines of at most so many columns, broken at spaces, and within a word that is too long.
    package func wrapped(to columns: Int) -> [String] {
        guard columns > 0, displayWidth > columns else { return [self] }
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            var word = String(word)
            let joined = line.isEmpty ? word : "\(line) \(word)"
            if joined.displayWidth <= columns {
                line = joined
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while word.displayWidth > columns {
                let head = word.head(of: columns)
                lines.append(head)
                word.removeFirst(head.count)
            }
            line = word
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// As much of the beginning as fits, and one character at least.
    private func head(of columns: Int) -> String {
        var (kept, width) = ("", 0)
        for character in self {
            width += character.displayWidth
            if width > columns, !kept.isEmpty { break }
            kept.append(character)
        }
        return kept
    }
}
