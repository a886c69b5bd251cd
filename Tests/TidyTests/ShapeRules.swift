import Testing

/// How wide, how long, how deep.
enum ShapeRules {
    static let columnsMax = 100
    static let fileLinesMax = 400
    static let functionLinesMax = 70

    /// Code and scripts; a table of a document may be wider.
    static func isCode(_ file: SourceFile) -> Bool {
        if [".swift", ".h", ".c", ".sh", ".py", ".modulemap"].contains(where: file.path.hasSuffix) {
            return true
        }
        return file.name == "Makefile" || file.lines.first?.hasPrefix("#!") == true
    }

    static func wideLines(_ file: SourceFile) -> [Finding] {
        guard isCode(file) else { return [] }
        return file.lines.enumerated().compactMap { index, line in
            // Counting characters is slow, and few lines need it.
            guard line.utf8.count > columnsMax, line.count > columnsMax else { return nil }
            return file.finding(index + 1, "\(line.count) columns; \(columnsMax) are allowed")
        }
    }

    static func longFile(_ file: SourceFile) -> [Finding] {
        guard file.isSwift, file.lines.count > fileLinesMax else { return [] }
        let message = "\(file.lines.count) lines; past \(fileLinesMax) a second idea is in the file"
        return [file.finding(file.lines.count, message)]
    }

    static func longFunctions(_ file: SourceFile) -> [Finding] {
        guard file.isSwift else { return [] }
        return FunctionScanner(file).functions().filter { $0.lineCount > functionLinesMax }.map {
            file.finding(
                $0.firstLine,
                "\($0.name) has \($0.lineCount) lines; \(functionLinesMax) are allowed")
        }
    }
}

struct ShapeTests {
    @Test func `no line of code is wider than 100 columns`() {
        refuse(Repository.sources.flatMap(ShapeRules.wideLines))
    }

    @Test func `no Swift file is longer than 400 lines`() {
        refuse(Repository.swift.flatMap(ShapeRules.longFile))
    }

    @Test func `no function is longer than 70 lines`() {
        refuse(Repository.swift.flatMap(ShapeRules.longFunctions))
    }

    @Test func `a wide line is found, and columns are not bytes`() {
        let wide = String(repeating: "x", count: 101)
        let accented = String(repeating: "é", count: 100)

        #expect(lines(ShapeRules.wideLines(SourceFile("a.swift", "\n\(wide)\n\(accented)"))) == [2])
        #expect(lines(ShapeRules.wideLines(SourceFile("run", "#!/bin/sh\n\(wide)"))) == [2])
        #expect(ShapeRules.wideLines(SourceFile("a.md", wide)).isEmpty)
    }

    @Test func `a long file is found`() {
        let full = String(repeating: "\n", count: 400)

        #expect(ShapeRules.longFile(SourceFile("a.swift", full)).isEmpty)
        #expect(lines(ShapeRules.longFile(SourceFile("a.swift", full + "\n"))) == [401])
    }

    @Test func `a long function is found where it begins`() {
        let body = String(repeating: "    work()\n", count: 68)
        let fits = "func fits() {\n\(body)}\n"
        let long = "func long(\n) -> Int\nwhere T: U {\n\(body)}\n"

        let findings = ShapeRules.longFunctions(SourceFile("a.swift", fits + long))

        #expect(lines(findings) == [71])
        #expect(findings.first?.message.hasPrefix("long has 72 lines") == true)
    }

    @Test func `a function ends at its own brace, whatever strings and comments say`() {
        let text = #"""
            protocol Port {
                func call(_ body: () -> Void) throws
                var value: Int { get }
            }
            struct Thing {
                init(_ done: () -> Void = {}) {
                    print("} \(names.map { "}" }) {") // }
                    /* } /* } */ } */
                    let raw = #"\" } \#(1) "#
                }
                func `a { b`() {
                }
            }
            """#

        let functions = FunctionScanner(SourceFile("a.swift", text)).functions()

        #expect(functions.map(\.firstLine) == [3, 6, 11])
        #expect(functions.map(\.lastLine) == [3, 10, 12])
    }
}
