/// What has happened, for people: the last events, what people did and what went wrong, and a hash
/// over all events by which two runs are known for the same.
package struct Trace {
    private static let keptMax = 50
    private var kept: [String] = []
    /// What was played of the script.
    package private(set) var acts: [String] = []
    package private(set) var hash: UInt64 = 14_695_981_039_346_656_037
    /// What is noted now is of the item that was played last.
    private var isActing = false
    /// Called with each line.
    var echo: ((String) -> Void)?

    mutating func note(_ line: String) {
        for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        hash = (hash ^ 10) &* 1_099_511_628_211
        kept.append(line)
        if kept.count >= 2 * Self.keptMax { kept.removeFirst(kept.count - Self.keptMax) }
        if isActing { acts.append("    " + line) }
        echo?(line)
    }

    /// - Parameter title: begins with the item's ordinal.
    mutating func begin(act title: String) {
        note("act " + title)
        acts.append(title)
        isActing = true
    }

    mutating func endAct() { isActing = false }

    package var lastLines: [String] { Array(kept.suffix(Self.keptMax)) }
}
