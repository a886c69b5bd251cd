import Testing

@testable import TarnSQLite

struct FileSystemTypeTests {
    private let mounts = """
        22 1 254:0 / / rw,relatime - ext4 /dev/vda1 rw
        30 22 0:25 / /proc rw shared:5 - proc proc rw
        40 22 0:40 / /home/ann rw shared:7 master:2 - nfs4 server:/ann rw
        41 40 0:41 / /home/ann/my\\040disk rw - fuse.sshfs ann@far: rw
        42 22 0:42 / /over rw - ext4 /dev/vdb rw
        43 22 0:43 / /over rw - cifs //server/over rw
        broken line
        """

    @Test(arguments: [
        ("/home/ann/data", "nfs4"), ("/home/anna", "ext4"), ("/home/ann", "nfs4"), ("/", "ext4"),
        ("/home/ann/my disk/x", "fuse.sshfs"), ("/over/x", "cifs"),
    ])
    func `a path is on the innermost mount above it`(path: String, type: String) {
        #expect(FileSystemType.type(of: path, mounts: mounts) == type)
    }

    @Test func `the folder of this machine is on some file system`() {
        #expect(FileSystemType.of("/proc") != nil)
        #expect(FileSystemType.of("/no/such/folder") == nil)
    }
}
