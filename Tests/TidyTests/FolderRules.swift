import Testing

/// What lies where, and what must not lie here at all.
enum FolderRules {
    static let doorLinesMax = 40

    private static let drawers = [
        "Utils", "Util", "Utilities", "Helpers", "Helper", "Common", "Manager", "Managers", "Impl",
        "Misc",
    ]

    private static let generated = [
        ".pem", ".key", ".crt", ".csr", ".srl", ".p12", ".db", ".db-wal", ".db-shm", ".sqlite",
        ".log", ".pyc", ".o",
    ]

    /// A folder or file that is named by no idea, so that anything may be put into it.
    static func drawers(_ paths: [String]) -> [Finding] {
        paths.flatMap { path in
            path.split(separator: "/").compactMap { component in
                let stem = component.split(separator: ".").first.map(String.init) ?? ""
                guard drawers.contains(where: stem.hasSuffix) else { return nil }
                return Finding(path: path, line: 1, message: "\(component) names no idea")
            }
        }
    }

    static func generatedFiles(_ paths: [String]) -> [Finding] {
        paths.filter { path in generated.contains(where: path.hasSuffix) }.map {
            Finding(path: $0, line: 1, message: "is made, and never committed")
        }
    }

    /// A placeholder keeps an empty target compiling, and goes with its first file.
    static func placeholders(_ paths: [String]) -> [Finding] {
        let swift = paths.filter { $0.hasSuffix(".swift") }
        return swift.filter { $0.hasSuffix("/Placeholder.swift") }.filter { placeholder in
            let folder = placeholder.dropLast("Placeholder.swift".count)
            return swift.count { $0.hasPrefix(folder) } > 1
        }.map { Finding(path: $0, line: 1, message: "the target has a file; remove this one") }
    }

    static func doors(_ files: [SourceFile], targets: Set<String>) -> [Finding] {
        targets.sorted().compactMap { target in
            let path = "Sources/\(target)/README.md"
            guard let page = files.first(where: { $0.path == path }) else {
                return Finding(path: path, line: 1, message: "is missing")
            }
            if page.lines.count > doorLinesMax {
                return page.finding(page.lines.count, "a door's page has \(doorLinesMax) lines")
            }
            return page.lines.count < 3 ? page.finding(1, "says nothing yet") : nil
        }
    }
}

struct FolderTests {
    @Test func `no folder or file is a drawer for anything`() {
        refuse(FolderRules.drawers(Repository.paths))
    }

    @Test func `nothing that is made is in the project`() {
        refuse(FolderRules.generatedFiles(Repository.paths))
    }

    @Test func `a placeholder is alone in its target`() {
        refuse(FolderRules.placeholders(Repository.paths))
    }

    @Test func `every target has its page at the door`() {
        let targets = ImportRules.targets(Repository.paths)
        refuse(FolderRules.doors(Repository.sources, targets: targets))
    }

    @Test func `the project is found at all`() {
        #expect(Repository.paths.contains("Package.swift"))
        #expect(Repository.swift.count > 20)
    }

    @Test func `a drawer is found`() {
        let paths = [
            "Sources/A/Utils/B.swift", "Sources/A/SocketManager.swift", "Sources/Commons.md",
        ]

        #expect(FolderRules.drawers(paths).map(\.path) == Array(paths.prefix(2)))
    }

    @Test func `a key and a database are found`() {
        let paths = ["certs/server.key", "data/realm.db", "Sources/A/Key.swift"]

        #expect(FolderRules.generatedFiles(paths).map(\.path) == Array(paths.prefix(2)))
    }

    @Test func `a placeholder beside a file is found`() {
        let paths = [
            "Sources/A/Placeholder.swift", "Sources/A/Sub/B.swift", "Sources/B/Placeholder.swift",
        ]

        #expect(FolderRules.placeholders(paths).map(\.path) == ["Sources/A/Placeholder.swift"])
    }

    @Test func `a missing, an empty and a long page are found`() {
        let files = [
            SourceFile("Sources/Bare/README.md", "# Bare\n"),
            SourceFile("Sources/Good/README.md", "# Good\n\nSays what it is.\n"),
            SourceFile("Sources/Long/README.md", String(repeating: "x\n", count: 41)),
        ]

        let findings = FolderRules.doors(files, targets: ["Bare", "Good", "Long", "None"])

        #expect(lines(findings) == [1, 41, 1])
    }
}
