import Glibc

/// The files that are in the project, or would be if everything here were committed.
enum Repository {
    static let root: String = {
        let components = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return components.dropLast(3).joined(separator: "/")
    }()

    /// Paths from the root, sorted. Git is asked, so what is ignored is not here.
    static let paths: [String] = {
        let listing = output(
            of: "git -c safe.directory='*' -C '\(root)' ls-files -z -c -o --exclude-standard")
        let paths = listing.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        // A file that is deleted, but not yet in the index, is still listed.
        return Set(paths).filter { access("\(root)/\($0)", F_OK) == 0 }.sorted()
    }()

    static let sources: [SourceFile] = paths.compactMap { path in
        guard let bytes = contents(of: path), SourceFile.isText(bytes) else { return nil }
        return SourceFile(path: path, bytes: bytes)
    }

    static let swift: [SourceFile] = sources.filter(\.isSwift)

    static func contents(of path: String) -> [UInt8]? {
        guard let file = fopen("\(root)/\(path)", "r") else { return nil }
        defer { fclose(file) }
        return bytes(of: file)
    }

    private static func output(of command: String) -> [UInt8] {
        guard let pipe = popen(command, "r") else { return [] }
        defer { pclose(pipe) }
        return bytes(of: pipe)
    }

    private static func bytes(of file: UnsafeMutablePointer<FILE>) -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { return all }
            all += chunk[..<count]
        }
    }
}
