import Glibc

/// Small files of text, whole.
enum TextFile {
    /// A configuration is a page of text; whatever is larger is something else.
    private static let bytesMax = 1 << 20

    /// Nil where it cannot be read, is not UTF-8, or is larger than a megabyte.
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return read(descriptor)
    }

    /// All that comes from a descriptor.
    static func read(_ descriptor: Int32) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= bytesMax {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 { return nil }
            if count == 0 { return String(validating: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
        return nil
    }
}
