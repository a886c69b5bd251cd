import Glibc

extension PrivateFile {
    /// What is in a folder; nothing where it is not there.
    static func names(in folder: String) throws(TarnError) -> [String] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw failure("reading the folder \(folder)")
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
