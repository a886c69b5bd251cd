/// Where the bodies of functions begin and end, told by their braces.
struct FunctionScanner {
    struct Function: Equatable {
        let name: String
        let firstLine: Int
        let lastLine: Int

        var lineCount: Int { lastLine - firstLine + 1 }
    }

    private let code: [UInt8]
    private let words: [Word]

    init(_ file: SourceFile) {
        code = file.mask.code
        words = file.words
    }

    func functions() -> [Function] {
        words.indices.compactMap { index in
            let word = words[index]
            guard startsFunction(word), let body = bodyStart(after: word.end) else { return nil }
            let name = index + 1 < words.count ? words[index + 1].text : word.text
            return Function(
                name: word.text == "func" || word.text == "var" ? name : word.text,
                firstLine: word.line, lastLine: word.line + newlines(from: word.end, through: body))
        }
    }

    private func startsFunction(_ word: Word) -> Bool {
        switch word.text {
        case "func", "deinit", "var": !word.isMember
        // A call of an initialiser is a member, or follows the type's name.
        case "init", "subscript": !word.isMember && word.before != UInt8(ascii: "`")
        default: false
        }
    }

    /// The opening brace of the body; nil for a declaration that has none.
    private func bodyStart(after start: Int) -> Int? {
        var depth = 0
        for index in start..<code.count {
            switch code[index] {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"):
                depth -= 1
                if depth < 0 { return nil }
            case UInt8(ascii: "{") where depth == 0: return index
            case UInt8(ascii: "}") where depth == 0: return nil
            case UInt8(ascii: "\n") where depth == 0 && !continues(at: index): return nil
            default: break
            }
        }
        return nil
    }

    /// Whether a declaration goes on after the newline at `newline`.
    private func continues(at newline: Int) -> Bool {
        let after = code[newline...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        if let last = code[..<newline].last(where: { $0 != UInt8(ascii: " ") }),
            ",:=&>".utf8.contains(last)
        {
            return true
        }
        let goesOn = ["{", "->", "where ", "throws", "async", "rethrows", "&", "=", "+", "?", "."]
        return goesOn.contains { after.starts(with: $0.utf8) }
    }

    private func newlines(from start: Int, through body: Int) -> Int {
        var depth = 0
        var count = code[start..<body].count { $0 == UInt8(ascii: "\n") }
        for index in body..<code.count {
            switch code[index] {
            case UInt8(ascii: "\n"): count += 1
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return count }
            default: break
            }
        }
        return count
    }
}
