import Testing

/// Imports point downward, and few targets see the machine.
enum ImportRules {
    struct Import: Equatable {
        let module: String
        let line: Int
    }

    static let refusedEverywhere: Set<String> = [
        "Foundation", "FoundationNetworking", "FoundationXML", "Dispatch", "XCTest",
    ]

    static func imports(of file: SourceFile) -> [Import] {
        let kinds: Set<String> = [
            "struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor",
        ]
        return file.words.indices.compactMap { index in
            let word = file.words[index]
            guard word.text == "import", isDeclaration(index, in: file.words) else { return nil }
            let after = file.words[(index + 1)...].prefix { $0.line == word.line }
            let module = after.first { !kinds.contains($0.text) }
            return module.map { Import(module: $0.text, line: word.line) }
        }
    }

    private static func isDeclaration(_ index: Int, in words: [Word]) -> Bool {
        let modifiers: Set<String> = [
            "public", "package", "internal", "fileprivate", "private", "testable", "preconcurrency",
            "_exported", "_implementationOnly", "_spi", "_spiOnly",
        ]
        let line = words[index].line
        let onLine = words[..<index].reversed().prefix { $0.line == line }
        return words[index].behind == UInt8(ascii: " ")
            && onLine.allSatisfy { modifiers.contains($0.text) }
    }

    static func refusedImports(_ file: SourceFile) -> [Finding] {
        imports(of: file).compactMap { found in
            if refusedEverywhere.contains(found.module) {
                return file.finding(found.line, "\(found.module) is imported nowhere")
            }
            guard file.path.hasPrefix("Sources/"), let layer = Layer.named(file.target) else {
                return nil
            }
            guard !layer.imports.contains(found.module) else { return nil }
            return file.finding(found.line, "\(layer.name) may not import \(found.module)")
        }
    }

    /// Targets by the folders of their files.
    static func targets(_ paths: [String]) -> Set<String> {
        Set(
            paths.compactMap { path in
                let components = path.split(separator: "/")
                guard components.count > 2, components[0] == "Sources" else { return nil }
                return String(components[1])
            })
    }
}

struct ImportTests {
    @Test func `no target imports what its layer may not`() {
        refuse(Repository.swift.flatMap(ImportRules.refusedImports))
    }

    @Test func `every target is in the table of layers, and nothing else is`() {
        let targets = ImportRules.targets(Repository.paths)
        let table = Set(Layer.table.map(\.name))

        #expect(targets.subtracting(table).isEmpty, "put these into LayerTable.swift")
        #expect(table.subtracting(targets).isEmpty, "these are in LayerTable.swift alone")
    }

    @Test func `imports of the table point downward`() {
        var below = Layer.system.union(["FoundationEssentials"])
        for layer in Layer.table {
            #expect(layer.imports.subtracting(below).isEmpty, "\(layer.name) imports upward")
            below.insert(layer.name)
        }
    }

    @Test func `a pure layer of the table imports pure layers alone`() {
        let pure = Set(Layer.table.filter(\.isPure).map(\.name)).union(["Synchronization"])
        for layer in Layer.table where layer.isPure {
            #expect(layer.imports.subtracting(pure).isEmpty, "\(layer.name) sees the machine")
        }
    }

    @Test func `an upward import and one of the machine are found`() {
        let file = SourceFile(
            "Sources/TarnServer/Sub/Realm.swift",
            """
            import TarnModel
            package import TarnProtocol
            import TarnTransport
            import struct Glibc.timeval
            @preconcurrency import Foundation
            // import Glibc
            let text = "import Glibc"
            """)

        #expect(lines(ImportRules.refusedImports(file)) == [3, 4, 5])
    }

    @Test func `Foundation is refused in tests, too`() {
        let file = SourceFile("Tests/ATests/A.swift", "import Foundation\nimport Glibc\n")

        #expect(lines(ImportRules.refusedImports(file)) == [1])
    }
}
