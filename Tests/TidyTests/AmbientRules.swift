import Testing

/// Pure layers read no clock and throw no dice: whoever calls them gives them both, so that a
/// simulated run can be repeated.
enum AmbientRules {
    private static let refusedNames: Set<String> = [
        "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator", "clock_gettime",
        "gettimeofday", "getenv", "arc4random",
    ]

    /// Calls that are ambient when they are given nothing.
    private static let refusedWhenEmpty: Set<String> = ["Date", "UUID"]

    /// Calls that are ambient without a generator of the caller's.
    private static let needGenerator: Set<String> = [
        "random", "randomElement", "shuffled", "shuffle",
    ]

    static func ambient(_ file: SourceFile) -> [Finding] {
        guard file.path.hasPrefix("Sources/"), Layer.named(file.target)?.isPure == true else {
            return []
        }
        return file.words.indices.compactMap { index in
            let word = file.words[index]
            guard isAmbient(word, after: index > 0 ? file.words[index - 1] : nil, in: file) else {
                return nil
            }
            return file.finding(word.line, "\(word.text) is ambient: let the caller give it")
        }
    }

    private static func isAmbient(_ word: Word, after previous: Word?, in file: SourceFile) -> Bool
    {
        if refusedNames.contains(word.text) { return true }
        guard word.isCall, previous?.text != "func" else { return false }
        let arguments = arguments(of: word, in: file.mask.code)
        switch word.text {
        case _ where refusedWhenEmpty.contains(word.text): return arguments.isEmpty
        case _ where needGenerator.contains(word.text):
            return word.isMember && !String(decoding: arguments, as: UTF8.self).contains("using:")
        case "time": return !word.isMember && !arguments.isEmpty
        case "sleep": return true
        default: return false
        }
    }

    private static func arguments(of call: Word, in code: [UInt8]) -> ArraySlice<UInt8> {
        var depth = 0
        for index in call.end..<code.count {
            switch code[index] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return code[(call.end + 1)..<index] }
            default: break
            }
        }
        return code[call.end...]
    }
}

struct AmbientTests {
    @Test func `pure layers read no clock and no randomness of their own`() {
        refuse(Repository.swift.flatMap(AmbientRules.ambient))
    }

    @Test(arguments: [
        "let clock = ContinuousClock()", "let now = Date()", "let id = UUID()", "time(nil)",
        "clock_gettime(CLOCK_REALTIME, &t)", "let a = Int.random(in: 0..<(2 + 1))",
        "list.shuffled()", "list.shuffle()", "list.randomElement()",
        "var g = SystemRandomNumberGenerator()", "try await Task.sleep(for: .seconds(1))",
    ])
    func `ambient time and randomness are found`(code: String) {
        let file = SourceFile("Sources/TarnServer/A.swift", "\n" + code)

        #expect(lines(AmbientRules.ambient(file)) == [2])
    }

    @Test(arguments: [
        "let a = Int.random(in: 0..<f(2), using: &random)", "list.shuffled(using: &random)",
        "let id = UUID(bytes)", "stamp.time(of: edit)", "func random() -> Int { 4 }", "// Date()",
        "let a = Stamp(time: 3)", "time()",
    ])
    func `what the caller gave is let through`(code: String) {
        #expect(AmbientRules.ambient(SourceFile("Sources/TarnServer/A.swift", code)).isEmpty)
    }

    @Test func `machinery may read the clock`() {
        let file = SourceFile("Sources/TarnTransport/A.swift", "let clock = ContinuousClock()")

        #expect(AmbientRules.ambient(file).isEmpty)
    }
}
