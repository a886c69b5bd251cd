import Glibc

/// What kind of file system a path is on, from the kernel's own list of mounts.
enum FileSystemType {
    /// Where several machines see one file. SQLite's processes agree by shared memory and by locks,
    /// neither of which reaches another machine.
    static let networked: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "coda", "ceph", "lustre", "gfs2", "ocfs2",
        "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.goofys", "fuse.mount-s3", "fuse.glusterfs",
        "fuse.ceph", "fuse.ceph-fuse", "fuse.davfs", "fuse.davfs2", "fuse.gvfsd-fuse",
        "fuse.smbnetfs", "fuse.juicefs", "fuse.google-drive-ocamlfuse",
    ]

    /// The type of the file system that a folder is on, as "ext4"; nil where nobody can tell.
    static func of(_ folder: String) -> String? {
        guard let resolved = realpath(folder, nil) else { return nil }
        defer { free(resolved) }
        guard let mounts = read("/proc/self/mountinfo") else { return nil }
        return type(of: String(cString: resolved), mounts: mounts)
    }

    /// The type of the innermost mount that a path without links is under. A line of the list is
    ///
    ///     36 35 98:0 /root /where/it/is rw,noatime shared:1 - ext4 /dev/sda1 rw
    ///
    /// with as many fields before the dash as there are, and spaces written as `\040`.
    static func type(of path: String, mounts: String) -> String? {
        var found: (point: String, type: String)?
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 4, let dash = fields.firstIndex(of: "-"),
                fields.indices.contains(dash + 1)
            else { continue }
            let point = unescaped(fields[4])
            guard isPath(path, under: point) else { continue }
            // Of two on one another, the later is on top.
            if let found, found.point.utf8.count > point.utf8.count { continue }
            found = (point, String(fields[dash + 1]))
        }
        return found?.type
    }

    private static func isPath(_ path: String, under point: String) -> Bool {
        point == "/" || path == point || path.utf8.starts(with: (point + "/").utf8)
    }

    /// Three octal digits behind a backslash stand for a byte.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(3), as: UTF8.self)
            if byte == UInt8(ascii: "\\"), let escaped = UInt8(digits, radix: 8) {
                bytes.append(escaped)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk.prefix(count)
        }
    }
}
