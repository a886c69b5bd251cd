/// A Swift file with everything blanked that is not code: comments, and what stands between the
/// quotes of a string or of a raw identifier. Code inside an interpolation stays. Newlines stay,
/// so lines keep their numbers. Regex literals are not known to it: the project has none.
struct SwiftMask: Sendable {
    private(set) var code: [UInt8]
    /// Counted from 1.
    private(set) var commentLines: Set<Int> = []

    private let source: [UInt8]
    private var index = 0
    private var line = 1

    init(_ source: [UInt8]) {
        self.source = source
        code = source
        maskCode(insideInterpolation: false)
    }

    private func byte(at offset: Int) -> UInt8? {
        let place = index + offset
        return place < source.count ? source[place] : nil
    }

    private func comes(_ text: StaticString, at offset: Int = 0) -> Bool {
        for position in 0..<text.utf8CodeUnitCount
        where byte(at: offset + position) != text.utf8Start[position] {
            return false
        }
        return true
    }

    private mutating func keep(_ count: Int = 1) {
        for _ in 0..<count where index < source.count {
            if source[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where index < source.count {
            if source[index] == UInt8(ascii: "\n") {
                line += 1
            } else {
                code[index] = UInt8(ascii: " ")
            }
            index += 1
        }
    }

    /// Ends at the end of the file or, in an interpolation, behind its closing parenthesis.
    private mutating func maskCode(insideInterpolation: Bool) {
        var depth = 0
        while let next = byte(at: 0) {
            switch next {
            case UInt8(ascii: "/") where comes("//"): maskLineComment()
            case UInt8(ascii: "/") where comes("/*"): maskBlockComment()
            case UInt8(ascii: "\""): maskString(hashes: 0)
            case UInt8(ascii: "#"):
                let hashes = countHashes(at: 0)
                if byte(at: hashes) == UInt8(ascii: "\"") {
                    maskString(hashes: hashes)
                } else {
                    keep(hashes)
                }
            case UInt8(ascii: "`"): maskRawIdentifier()
            case UInt8(ascii: "("):
                depth += 1
                keep()
            case UInt8(ascii: ")"):
                keep()
                depth -= 1
                if insideInterpolation && depth < 0 { return }
            default: keep()
            }
        }
    }

    private mutating func maskLineComment() {
        commentLines.insert(line)
        while let next = byte(at: 0), next != UInt8(ascii: "\n") { blank() }
    }

    private mutating func maskBlockComment() {
        var depth = 0
        while index < source.count {
            commentLines.insert(line)
            if comes("/*") {
                depth += 1
                blank(2)
            } else if comes("*/") {
                depth -= 1
                blank(2)
                if depth == 0 { return }
            } else {
                blank()
            }
        }
    }

    private mutating func maskRawIdentifier() {
        keep()
        while let next = byte(at: 0), next != UInt8(ascii: "`"), next != UInt8(ascii: "\n") {
            blank()
        }
        if byte(at: 0) == UInt8(ascii: "`") { keep() }
    }

    private func countHashes(at offset: Int) -> Int {
        var count = 0
        while byte(at: offset + count) == UInt8(ascii: "#") { count += 1 }
        return count
    }

    private mutating func maskString(hashes: Int) {
        keep(hashes)
        let quotes = comes("\"\"\"") ? 3 : 1
        keep(quotes)
        while let next = byte(at: 0) {
            if next == UInt8(ascii: "\\") && countHashes(at: 1) >= hashes {
                if byte(at: 1 + hashes) == UInt8(ascii: "(") {
                    blank(2 + hashes)
                    maskCode(insideInterpolation: true)
                } else {
                    blank(2 + hashes)
                }
            } else if ends(quotes: quotes, hashes: hashes) {
                keep(quotes + hashes)
                return
            } else if next == UInt8(ascii: "\n") && quotes == 1 {
                return
            } else {
                blank()
            }
        }
    }

    private func ends(quotes: Int, hashes: Int) -> Bool {
        let closes = quotes == 3 ? comes("\"\"\"") : comes("\"")
        return closes && countHashes(at: quotes) >= hashes
    }
}
