import Glibc

/// Files and folders that only their owner may look into.
enum PrivateFile {
    /// Nil where there is none.
    static func read(_ path: String, bytesMax: Int) throws(TarnError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("reading \(path)")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: bytesMax + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if got == 0 { break }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw failure("reading \(path)") }
            count += got
        }
        return Array(bytes.prefix(count))
    }

    /// Replaces the file, or makes it: after a crash at any moment it is the old one or the new
    /// one, whole.
    static func write(_ bytes: [UInt8], to path: String) throws(TarnError) {
        let folder = Self.folder(of: path)
        // No two processes that live have one number; what a dead one left is written over.
        let temporary = "\(path).new-\(getpid())"
        let descriptor = open(
            temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("writing to \(folder)") }
        do throws(TarnError) {
            defer { close(descriptor) }
            try write(bytes, to: descriptor, path)
            guard fsync(descriptor) == 0, rename(temporary, path) == 0 else {
                throw failure("writing \(path)")
            }
        } catch {
            unlink(temporary)
            throw error
        }
        try syncFolder(folder)
    }

    private static func write(
        _ bytes: [UInt8], to descriptor: Int32, _ path: String
    ) throws(TarnError) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("writing \(path)") }
            offset += count
        }
    }

    /// Makes an empty file of mode 0600 where there is none, so that whoever opens it next does
    /// not make it with a wider one.
    static func touch(_ path: String) throws(TarnError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("opening \(path)") }
        close(descriptor)
    }

    /// Gone when this returns, also after a loss of power. No file is fine, too.
    static func remove(_ path: String) throws(TarnError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("removing \(path)") }
        try syncFolder(folder(of: path))
    }

    /// Makes a folder with those above it; its own mode is 0700, whatever it was before.
    static func makeFolder(_ path: String) throws(TarnError) {
        var prefix = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            prefix += component
            guard mkdir(prefix, 0o700) == 0 || errno == EEXIST else {
                throw failure("making the folder \(prefix)")
            }
            prefix += "/"
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure("opening the folder \(path)") }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw TarnError(.folderUnusable, "\(path) is no folder.")
        }
        guard status.st_uid == geteuid() else {
            throw TarnError(
                .folderUnusable, "the folder \(path) belongs to another user.",
                advice: "Set TARN_HOME to a folder of your own.")
        }
        if status.st_mode & 0o77 != 0, chmod(path, 0o700) != 0 {
            throw failure("closing the folder \(path) to others")
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            throw failure("opening the folder \(path)")
        }
    }

    private static func syncFolder(_ path: String) throws(TarnError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("opening the folder \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("writing to \(path)") }
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// What `errno` says of it.
    static func failure(_ operation: String) -> TarnError {
        let number = errno
        if number == ENOSPC || number == EDQUOT {
            return TarnError(
                .diskFull, "the disk is full while \(operation).",
                advice: "Make room on it; what was there is as it was.")
        }
        let cause = String(cString: strerror(number))
        return TarnError(.folderUnusable, "\(operation) failed: \(cause).")
    }
}
