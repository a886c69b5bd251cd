import Glibc

/// A folder of its own for one test, removed with all that is in it when the last reference goes.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// Traps if the folder cannot be made: a test without its folder has nothing to say.
    package init(_ label: String = "tarn") {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/\(label).XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            preconditionFailure("no folder could be made in \(parent): error \(errno)")
        }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    /// The path of something in the folder, which need not exist yet.
    package func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// What is in a folder, sorted.
    package static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard name != ".", name != ".." else { continue }
                // Only what is a folder itself is walked; a link to one is just removed.
                if entry.pointee.d_type == UInt8(DT_DIR) {
                    remove("\(path)/\(name)")
                } else {
                    unlink("\(path)/\(name)")
                }
            }
            closedir(folder)
        }
        rmdir(path)
    }
}
