import Glibc
import TarnTesting
import Testing

/// Who a daemon lets in when many want to.
struct AdmissionTests {
    /// A peer that connects and says nothing.
    private final class SilentPeer {
        private let descriptor: Int32

        init(port: UInt16) throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var patience = timeval(tv_sec: 10, tv_usec: 0)
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience,
                socklen_t(MemoryLayout<timeval>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(result == 0)
        }

        deinit { close(descriptor) }

        /// Waits for the server to hang up; false if it does not.
        func isHungUpOn() -> Bool {
            var byte: UInt8 = 0
            return read(descriptor, &byte, 1) == 0
        }

        /// As of now.
        var isConnected: Bool {
            var byte: UInt8 = 0
            let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
            return recv(descriptor, &byte, 1, flags) < 0 && errno == EAGAIN
        }
    }

    private func log(in replica: LoadedReplica) {
        replica.connect()
        #expect(Deadline(seconds: 20).wait { replica.report().unsent == 0 })
    }

    @Test
    func `strangers over their limit are hung up on, and those who have logged in go on`() throws {
        let folder = TemporaryFolder("tarn-admission")
        let daemon = try DaemonProcess(
            data: folder.path, certificates: .shared, options: ["--strangers", "2"])
        let known = try (0..<3).map {
            try LoadedReplica(user: "ann", number: $0, seed: 1, port: daemon.port)
        }
        for replica in known { log(in: replica) }

        let strangers = try (0..<2).map { _ in try SilentPeer(port: daemon.port) }
        let late = try SilentPeer(port: daemon.port)

        #expect(late.isHungUpOn())
        for stranger in strangers { #expect(stranger.isConnected) }
        for replica in known {
            replica.startWriting()
            #expect(Deadline(seconds: 20).wait { !replica.report().created.isEmpty })
            replica.stopWriting()
            #expect(Deadline(seconds: 20).wait { replica.report().unsent == 0 })
            #expect(replica.report().problems.isEmpty)
        }
    }

    @Test
    func `connections over the limit in all are hung up on`() throws {
        let folder = TemporaryFolder("tarn-admission")
        let daemon = try DaemonProcess(
            data: folder.path, certificates: .shared, options: ["--connections", "1"])
        let known = try LoadedReplica(user: "ann", number: 1, seed: 1, port: daemon.port)
        log(in: known)

        let late = try SilentPeer(port: daemon.port)

        #expect(late.isHungUpOn())
    }
}
