import Glibc
import TarnTesting
import TarnTransport
import Testing

/// A daemon that is killed at any moment, by real signals, with real clients and files.
struct KillTests {
    @Test
    func `fifty kills of a loaded daemon lose nothing that anybody wrote`() throws {
        let folder = TemporaryFolder("tarn-kill")
        var random = SeededGenerator(seed: 50)
        var daemon = try DaemonProcess(
            data: folder.path, certificates: TestCertificates.shared)
        let port = daemon.port
        let replicas = try [("alice", 1), ("alice", 2), ("bob", 3)].map { user, number in
            try LoadedReplica(user: user, number: Int64(number), seed: 50, port: port)
        }
        for replica in replicas { replica.connect() }
        for replica in replicas { replica.startWriting() }

        for _ in 0..<50 {
            // Long enough to be in the midst of a login, a commit or a download; no two alike.
            Deadline.pause(microseconds: UInt32.random(in: 1_000...120_000, using: &random))
            daemon.kill()
            daemon = try DaemonProcess(
                data: folder.path, certificates: TestCertificates.shared, port: port)
            for replica in replicas { replica.connect() }
        }
        for replica in replicas { replica.stopWriting() }

        let reports = try settle(replicas)
        for report in reports {
            #expect(report.problems == [])
            #expect(report.unsent == 0)
        }
        let alices = reports[0].created.union(reports[1].created)
        #expect(alices.count > 100)
        #expect(Set(reports[0].objects.keys) == alices)
        #expect(reports[0].objects == reports[1].objects)
        #expect(Set(reports[2].objects.keys) == reports[2].created)
        #expect(daemon.terminate() == 0)
        for replica in replicas { replica.loop.stop() }
    }

    @Test
    func `a disk that fills up stops the daemon's commits, and loses nothing`() throws {
        let folder = TemporaryFolder("tarn-full")
        var daemon = try DaemonProcess(
            data: folder.path, certificates: TestCertificates.shared, fileSizeMax: 256)
        let port = daemon.port
        let replicas = try [("alice", 1), ("alice", 2)].map { user, number in
            try LoadedReplica(user: user, number: Int64(number), seed: 7, port: port)
        }
        for replica in replicas { replica.connect() }
        for replica in replicas { replica.startWriting() }

        let health =
            "curl -s -m 5 --cacert '\(TestCertificates.shared.authority)' "
            + "https://localhost:\(port)/health | grep -q '\"healthy\":false'"
        let becameFull = Deadline(seconds: 30).wait {
            for replica in replicas { replica.connect() }
            return system(health) == 0
        }
        for replica in replicas { replica.stopWriting() }
        #expect(becameFull)
        let whileFull = replicas.map { $0.report() }
        #expect(whileFull.allSatisfy { $0.problems == [] })

        #expect(daemon.terminate() == 0)
        daemon = try DaemonProcess(
            data: folder.path, certificates: TestCertificates.shared, port: port)
        let reports = try settle(replicas)

        let written = reports[0].created.union(reports[1].created)
        #expect(Set(reports[0].objects.keys) == written)
        #expect(reports[0].objects == reports[1].objects)
        for replica in replicas { replica.loop.stop() }
    }

    /// Waits until all is sent and two replicas of one user agree.
    private func settle(_ replicas: [LoadedReplica]) throws -> [LoadedReplica.Report] {
        var reports: [LoadedReplica.Report] = []
        _ = Deadline(seconds: 60).wait {
            for replica in replicas { replica.connect() }
            reports = replicas.map { $0.report() }
            return reports.allSatisfy { $0.unsent == 0 && $0.isRunning }
                && reports[0].objects == reports[1].objects
        }
        return reports
    }
}
