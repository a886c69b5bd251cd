import Glibc

/// What a crash leaves of a file that is open, and what a bad disk makes of it.
enum CrashedFile {
    struct Failure: Error {}

    /// Copies the file and its write-ahead log as they are, the latter but for so many bytes of its
    /// end.
    static func copy(_ path: String, to copy: String, losing count: Int = 0) throws {
        try write(try read(path), to: copy)
        if let log = try? read(path + "-wal") {
            try write(Array(log.dropLast(count)), to: copy + "-wal")
        }
    }

    static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "r") else { throw Failure() }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failure() }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure() }
    }
}
