import Glibc

/// Small files of the system, whole.
enum TextFile {
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = piece.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
