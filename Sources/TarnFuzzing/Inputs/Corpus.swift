import Glibc

/// The inputs that are kept of a target: one file each, in a folder of the target's name.
package struct Corpus {
    package struct Input {
        package let file: String
        package let bytes: [UInt8]
    }

    /// In the order of their names.
    package let inputs: [Input]

    /// Reads what is there: nothing where the folder is missing.
    package init(of target: FuzzTarget, in folder: String) {
        let folder = "\(folder)/\(target.name)"
        inputs = Self.names(in: folder).compactMap { name in
            Self.contents(of: "\(folder)/\(name)").map { Input(file: name, bytes: $0) }
        }
    }

    /// A file's bytes; nil where it cannot be read.
    package static func contents(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { return ferror(file) == 0 ? all : nil }
            all += chunk[..<count]
        }
    }

    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
