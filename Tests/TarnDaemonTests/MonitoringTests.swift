import Glibc
import TarnTesting
import TarnTransport
import Testing

/// A real daemon as those see it who watch over it: health on its port, figures on another.
struct MonitoringTests {
    /// What a monitor is answered, with its status at the end.
    private func health(_ daemon: DaemonProcess, _ options: String = "") -> String {
        let command =
            "curl -s -m 3 -w ' %{http_code}' --cacert '\(TestCertificates.shared.authority)' "
            + "\(options) https://localhost:\(daemon.port)/health"
        guard let pipe = popen(command, "r") else { return "" }
        defer { pclose(pipe) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = fread(&buffer, 1, buffer.count, pipe)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    @Test
    func `a daemon that is well says so, several times on one connection`() throws {
        let folder = TemporaryFolder("tarn-health")
        let daemon = try DaemonProcess(data: folder.path, certificates: .shared)

        #expect(health(daemon) == #"{"healthy":true} 200"#)
        #expect(health(daemon, "--head").contains("HTTP/1.1 200 OK"))
        #expect(!health(daemon, "--head").contains("healthy\""))
        let twice = health(daemon, "-w ' %{num_connects}' https://localhost:\(daemon.port)/health")
        #expect(twice == #"{"healthy":true} 1{"healthy":true} 0"#)
    }

    @Test
    func `a disk with less room than asked for is told`() throws {
        let folder = TemporaryFolder("tarn-health")
        let daemon = try DaemonProcess(
            data: folder.path, certificates: .shared, options: ["--min-free-space", "1000000T"])

        #expect(
            health(daemon)
                == #"{"healthy":false,"problem":"the data folder's disk is full or nearly so"} 503"#
        )
    }

    @Test
    func `while the disk does not come back health and figures are told, and then all is written`()
        throws
    {
        let folder = TemporaryFolder("tarn-stuck")
        let library = try SlowDisk(in: folder)
        let daemon = try DaemonProcess(
            data: folder.file("data"), certificates: .shared,
            options: ["--metrics", "127.0.0.1:0"], preload: library.path)
        let replica = try LoadedReplica(user: "ann", number: 1, seed: 3, port: daemon.port)
        replica.connect()
        replica.startWriting()
        #expect(Deadline(seconds: 20).wait { replica.report().created.count > 10 })

        library.isStuck = true
        #expect(Deadline(seconds: 30).wait { health(daemon).contains("is stuck") })
        #expect(daemon.logged(" warning unhealthy ", "is stuck") != nil)
        let port = try #require(daemon.metricsPort)
        #expect(system("curl -s -m 3 http://127.0.0.1:\(port)/metrics | grep -q 'healthy 0'") == 0)

        library.isStuck = false
        replica.stopWriting()
        #expect(Deadline(seconds: 30).wait { health(daemon).contains("true") })
        #expect(daemon.logged(" info healthy") != nil)
        #expect(Deadline(seconds: 30).wait { replica.report().unsent == 0 })
        #expect(replica.report().problems == [])
        #expect(daemon.terminate() == 0)
        replica.loop.stop()
    }

    @Test(.enabled(if: PythonClientTests.isSetUp))
    func `figures are in the form of Prometheus, and name nobody`() throws {
        let folder = TemporaryFolder("tarn-metrics")
        let daemon = try DaemonProcess(
            data: folder.path, certificates: .shared, options: ["--metrics", "127.0.0.1:0"])
        let replica = try LoadedReplica(user: "wilhelmina", number: 1, seed: 4, port: daemon.port)
        replica.connect()
        replica.startWriting()
        #expect(Deadline(seconds: 20).wait { replica.report().created.count > 20 })
        replica.stopWriting()
        #expect(Deadline(seconds: 20).wait { replica.report().unsent == 0 })
        // Whoever speaks no TLS has tried in vain.
        _ = system("curl -s -m 3 http://localhost:\(daemon.port)/health >/dev/null 2>&1")

        let port = try #require(daemon.metricsPort)
        let (output, status) = PythonClientTests.run(
            "metrics_check.py",
            ["http://127.0.0.1:\(port)/metrics", "wilhelmina", "\"load\"", folder.path])

        #expect(status == 0, "\(output)")
        var figures: [String: Double] = [:]
        for line in output.split(separator: "\n") {
            guard let space = line.lastIndex(of: " ") else { continue }
            figures[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        #expect(figures["tarnd_commits_total"] ?? 0 > 20)
        #expect(figures["tarnd_commit_duration_seconds_count"] ?? 0 > 0)
        #expect(figures["tarnd_log_sync_duration_seconds_sum"] ?? 0 > 0)
        #expect(figures["tarnd_connections"] == 1)
        #expect(figures["tarnd_connections_accepted_total"] == 2)
        #expect(figures["tarnd_tls_handshakes_total done"] == 1)
        #expect(figures["tarnd_tls_handshakes_total failed"] == 1)
        #expect(figures["tarnd_logins_total accepted"] == 1)
        #expect(figures["tarnd_open_realms"] == 1)
        #expect(figures["tarnd_replica_sessions"] == 1)
        #expect(figures["tarnd_subscriptions"] == 1)
        #expect(figures["tarnd_messages_received_total"] ?? 0 > 20)
        #expect(figures["tarnd_healthy"] == 1)
        replica.loop.stop()
    }
}

/// A library that keeps a daemon's syncs waiting for as long as a file is there.
private final class SlowDisk {
    let path: String
    private let sign: String

    struct NotBuilt: Error {}

    init(in folder: TemporaryFolder) throws {
        path = folder.file("slow.so")
        sign = folder.file("stuck")
        let source = """
            #include <poll.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            static int after(long call, int file) {
                while (access("\(sign)", F_OK) == 0) poll(0, 0, 10);
                return syscall(call, file);
            }
            int fsync(int file) { return after(SYS_fsync, file); }
            int fdatasync(int file) { return after(SYS_fdatasync, file); }
            """
        guard let file = fopen(folder.file("slow.c"), "w") else { throw NotBuilt() }
        fputs(source, file)
        fclose(file)
        let status = system(
            "$(command -v cc || command -v clang || echo /opt/swift/usr/bin/clang) -shared -fPIC "
                + "-o '\(path)' '\(folder.file("slow.c"))'")
        guard status == 0 else { throw NotBuilt() }
    }

    var isStuck = false {
        didSet {
            if isStuck { close(creat(sign, 0o600)) } else { unlink(sign) }
        }
    }
}
