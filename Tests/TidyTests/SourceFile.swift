/// One file as the rules see it: as written, as code alone, and as comments alone.
struct SourceFile: Sendable {
    /// From the root of the project.
    let path: String
    let lines: [String]
    /// Of a Swift file: the words of its code, without comments and literals.
    let words: [Word]
    let mask: SwiftMask

    init(path: String, bytes: [UInt8]) {
        self.path = path
        lines = Self.split(bytes).map { String(decoding: $0, as: UTF8.self) }
        mask = path.hasSuffix(".swift") ? SwiftMask(bytes) : SwiftMask([])
        words = Word.all(in: mask.code)
    }

    /// A snippet, to try a rule on.
    init(_ path: String, _ text: String) {
        self.init(path: path, bytes: Array(text.utf8))
    }

    var isSwift: Bool { path.hasSuffix(".swift") }

    var name: String { String(path.split(separator: "/").last ?? "") }

    /// The folder under Sources or Tests: the target's name.
    var target: String {
        let components = path.split(separator: "/")
        return components.count > 2 ? String(components[1]) : ""
    }

    var isTest: Bool { path.hasPrefix("Tests/") }

    /// Lines of code with comments and literals blanked, so that only code is found.
    var codeLines: [[UInt8]] { Self.split(mask.code).map { Array($0) } }

    /// Whether a comment stands on the line, which is counted from 1.
    func hasComment(onLine line: Int) -> Bool {
        mask.commentLines.contains(line)
    }

    func finding(_ line: Int, _ message: String) -> Finding {
        Finding(path: path, line: line, message: message)
    }

    static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.prefix(4096).contains(0)
    }

    private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if let last = lines.last, last.isEmpty { lines.removeLast() }
        return lines
    }
}
