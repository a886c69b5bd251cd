import Glibc

/// The lines of a file, which are read more than once. What comes by a pipe is put aside first.
final class LineFile {
    /// Bytes of a line: an object with a few of the largest values.
    static let lineBytesMax = 64 << 20

    let byteCount: Int
    private let name: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var start = 0
    private(set) var lineNumber = 0
    /// Bytes of the lines that were read.
    private(set) var position = 0

    /// - Parameter path: `-` for the standard input.
    init(_ path: String) throws(CommandError) {
        name = path == "-" ? "the standard input" : path
        let opened = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else {
            throw CommandError(
                .notFound, "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        var status = stat()
        let isFile = fstat(opened, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        if isFile, lseek(opened, 0, SEEK_SET) == 0 {
            descriptor = opened
        } else {
            defer { close(opened) }
            descriptor = try Self.putAside(opened, name)
            fstat(descriptor, &status)
        }
        byteCount = Int(status.st_size)
    }

    deinit { close(descriptor) }

    private static func putAside(_ source: Int32, _ name: String) throws(CommandError) -> Int32 {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/tarn-import.XXXXXX".utf8CString)
        let copy = mkstemp(&template)
        guard copy >= 0 else {
            throw CommandError(.cannotStore, "nothing can be put aside in \(folder)")
        }
        unlink(template)
        _ = fcntl(copy, F_SETFD, FD_CLOEXEC)
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(source, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            var written = 0
            while written < count {
                let more = piece.withUnsafeBytes {
                    write(copy, $0.baseAddress?.advanced(by: written), count - written)
                }
                if more < 0, errno == EINTR { continue }
                guard more > 0 else {
                    close(copy)
                    throw CommandError(
                        .cannotStore, "\(name) cannot be put aside in \(folder): the disk is full")
                }
                written += more
            }
        }
        lseek(copy, 0, SEEK_SET)
        return copy
    }

    func rewind() {
        lseek(descriptor, 0, SEEK_SET)
        (buffer, start, lineNumber, position) = ([], 0, 0, 0)
    }

    /// The next line, without its end; nil behind the last.
    func next() throws(CommandError) -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                return take(upTo: end, next: end + 1)
            }
            searched = buffer.count - start
            buffer.removeFirst(start)
            start = 0
            guard buffer.count <= Self.lineBytesMax else {
                throw CommandError(
                    .badData,
                    "\(name), line \(lineNumber + 1): it has more than \(Self.lineBytesMax) bytes")
            }
            guard try readMore() else {
                return buffer.isEmpty ? nil : take(upTo: buffer.count, next: buffer.count)
            }
        }
    }

    private func take(upTo end: Int, next: Int) -> [UInt8] {
        var line = Array(buffer[start..<end])
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        position += next - start
        start = next
        lineNumber += 1
        return line
    }

    private func readMore() throws(CommandError) -> Bool {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandError(
                    .cannotStore, "\(name) cannot be read: \(String(cString: strerror(errno)))")
            }
            buffer += piece.prefix(count)
            return count > 0
        }
    }
}
