import Testing

/// What the tests themselves keep to.
enum TestRules {
    /// A test waits for the event it is about. The one wait with a deadline is in TarnTesting.
    static func sleeps(_ file: SourceFile) -> [Finding] {
        guard file.isTest, file.target != "TarnTesting" else { return [] }
        return file.words.filter { word in
            ["sleep", "usleep", "nanosleep"].contains(word.text) && word.isCall
        }.map { file.finding($0.line, "a test waits for an event, not for a time") }
    }

    /// A test's name is a sentence: a raw identifier.
    static func plainNames(_ file: SourceFile) -> [Finding] {
        guard file.isTest else { return [] }
        return file.words.indices.compactMap { index in
            let word = file.words[index]
            guard word.text == "Test", word.before == UInt8(ascii: "@"),
                let function = file.words[index...].first(where: { $0.text == "func" })
            else { return nil }
            let name = file.mask.code[function.end...].drop { $0 == UInt8(ascii: " ") }
            guard name.first != UInt8(ascii: "`") else { return nil }
            return file.finding(function.line, "a test's name is a sentence in backticks")
        }
    }
}

struct TestRuleTests {
    @Test func `no test sleeps`() {
        refuse(Repository.swift.flatMap(TestRules.sleeps))
    }

    @Test func `the name of every test is a sentence`() {
        refuse(Repository.swift.flatMap(TestRules.plainNames))
    }

    @Test func `a sleeping test is found`() {
        let text = "let sleep = 1\ntry await Task.sleep(for: .seconds(1))\nusleep(3)\n// sleep(1)\n"

        #expect(lines(TestRules.sleeps(SourceFile("Tests/ATests/A.swift", text))) == [2, 3])
        #expect(TestRules.sleeps(SourceFile("Tests/TarnTesting/A.swift", text)).isEmpty)
        #expect(TestRules.sleeps(SourceFile("Sources/A/A.swift", text)).isEmpty)
    }

    @Test func `a test that is named like a function is found`() {
        let text = "@Test func `it works`() {}\n@Test(arguments: [1])\nfunc testIt(a: Int) {}\n"

        #expect(lines(TestRules.plainNames(SourceFile("Tests/ATests/A.swift", text))) == [3])
    }
}
