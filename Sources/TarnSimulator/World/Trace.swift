/// What has happened, for people: the last events, and a hash over all of them by which two runs
/// are known for the same.
package struct Trace {
    private static let keptMax = 50
    private var kept: [String] = []
    package private(set) var hash: UInt64 = 14_695_981_039_346_656_037
    /// Called with each line.
    var echo: ((String) -> Void)?

    mutating func note(_ line: String) {
        for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        hash = (hash ^ 10) &* 1_099_511_628_211
        kept.append(line)
        if kept.count >= 2 * Self.keptMax { kept.removeFirst(kept.count - Self.keptMax) }
        echo?(line)
    }

    package var lastLines: [String] { Array(kept.suffix(Self.keptMax)) }
}
