import Testing

/// What ends the process where an error could be told.
enum TrapRules {
    static func traps(_ file: SourceFile) -> [Finding] {
        guard file.path.hasPrefix("Sources/") else { return [] }
        let code = file.mask.code
        return file.words.compactMap { word in
            if word.text == "fatalError" && word.isCall {
                return file.finding(word.line, "fatalError: throw, or state a precondition")
            }
            guard word.behind == UInt8(ascii: "!") else { return nil }
            let next = word.end + 1 < code.count ? code[word.end + 1] : UInt8(ascii: "\n")
            guard next != UInt8(ascii: "=") else { return nil }
            switch word.text {
            case "try": return file.finding(word.line, "try! turns an error into a crash")
            case "as": return file.finding(word.line, "as! turns a wrong type into a crash")
            default: return file.finding(word.line, "\(word.text)! is nil some day")
            }
        } + unwrapsBehindBrackets(file)
    }

    /// `call()!`, `list[0]!`, `closure {}!`, `value?!` and `[Type]!`.
    private static func unwrapsBehindBrackets(_ file: SourceFile) -> [Finding] {
        file.codeLines.enumerated().flatMap { index, line in
            line.indices.dropFirst().compactMap { place in
                let next = place + 1 < line.count ? line[place + 1] : UInt8(ascii: "\n")
                guard line[place] == UInt8(ascii: "!"), next != UInt8(ascii: "="),
                    ")]}?>`\"!".utf8.contains(line[place - 1])
                else { return nil }
                return file.finding(index + 1, "a forced unwrap is nil some day")
            }
        }
    }
}

struct TrapTests {
    @Test func `nothing outside the tests traps on what could be told`() {
        refuse(Repository.swift.flatMap(TrapRules.traps))
    }

    @Test(arguments: [
        "let a = try! read()", "let a = b as! Int", "fatalError(\"no\")", "let a = b!",
        "let a = b()!.c", "let a = b[0]!", "var a: Int!", "var a: [Int]!", "var a: Array<Int>!",
        "let a = \"\\(b!)\"", "let a = b!  != c", "Swift.fatalError()",
    ])
    func `a trap is found`(code: String) {
        #expect(lines(TrapRules.traps(SourceFile("Sources/A/A.swift", "\n" + code))) == [2])
    }

    @Test(arguments: [
        "if a != b {}", "if a!=b {}", "if !a && (!b) {}", "let a = \"no!\"", "// never!",
        "let a = try? b()", "#if !DEBUG", "if a !== b {}", "let a = [!b, !c]", "func `no!`() {}",
        "return !a",
    ])
    func `what only looks like a trap is let through`(code: String) {
        #expect(TrapRules.traps(SourceFile("Sources/A/A.swift", code)).isEmpty)
    }

    @Test func `a string of many lines holds no trap`() {
        let text = "let a = \"\"\"\n    b!\n    \"\"\"\nlet c = d!\n"

        #expect(lines(TrapRules.traps(SourceFile("Sources/A/A.swift", text))) == [4])
    }

    @Test func `tests may trap`() {
        #expect(TrapRules.traps(SourceFile("Tests/A/A.swift", "let a = try! b()!")).isEmpty)
    }
}
