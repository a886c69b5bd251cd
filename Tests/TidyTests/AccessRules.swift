import Testing

/// What each part shows to the others, and what it promises the compiler.
enum AccessRules {
    static func publicWords(_ file: SourceFile) -> [Finding] {
        guard file.isSwift, !file.path.hasPrefix("Sources/Tarn/") else { return [] }
        return file.words.filter { ["public", "open"].contains($0.text) }.filter { word in
            word.text == "public" || isModifier(word, in: file)
        }.map { file.finding($0.line, "\($0.text) stands in Tarn alone; package is enough here") }
    }

    /// `open` is also an ordinary name; as a modifier it begins a declaration.
    private static func isModifier(_ word: Word, in file: SourceFile) -> Bool {
        guard let index = file.words.firstIndex(where: { $0.start == word.start }),
            index + 1 < file.words.count, word.behind == UInt8(ascii: " ")
        else { return false }
        return ["class", "func", "var"].contains(file.words[index + 1].text)
    }

    /// Each promise that the compiler cannot check has its sentence, on its line or on one of the
    /// two above it.
    static func unexplainedPromises(_ file: SourceFile) -> [Finding] {
        file.words.indices.compactMap { index in
            let word = file.words[index]
            let isPromise =
                switch word.text {
                case "unchecked", "preconcurrency": word.before == UInt8(ascii: "@")
                case "unsafe": index > 0 && file.words[index - 1].text == "nonisolated"
                default: false
                }
            guard isPromise else { return nil }
            if (word.line - 2...word.line).contains(where: file.hasComment(onLine:)) { return nil }
            return file.finding(word.line, "\(word.text) needs a comment that says why it holds")
        }
    }
}

struct AccessTests {
    @Test func `only Tarn is public`() {
        refuse(Repository.swift.flatMap(AccessRules.publicWords))
    }

    @Test func `every promise to the compiler says why it holds`() {
        refuse(Repository.swift.flatMap(AccessRules.unexplainedPromises))
    }

    @Test func `public outside Tarn is found`() {
        let text = "public struct A {}\nopen class B {}\nlet open = 1\n// public\npublic import C\n"

        #expect(lines(AccessRules.publicWords(SourceFile("Sources/B/A.swift", text))) == [1, 2, 5])
        #expect(AccessRules.publicWords(SourceFile("Sources/Tarn/A.swift", text)).isEmpty)
    }

    @Test func `a promise without a reason is found`() {
        let text = """
            final class A: @unchecked Sendable {}
            nonisolated(unsafe) var a = 1
            struct Apart {}
            // The loop alone touches it.
            nonisolated(unsafe) var b = 1
            nonisolated(unsafe) var c = 1  // Written once, before threads.

            struct Between {}
            @preconcurrency import Old
            """

        let findings = AccessRules.unexplainedPromises(SourceFile("Sources/A/A.swift", text))

        #expect(lines(findings) == [1, 2, 9])
    }
}
