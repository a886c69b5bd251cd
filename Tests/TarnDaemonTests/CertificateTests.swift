import Glibc
import TarnTesting
import TarnTransport
import Testing

@testable import TarnDaemon

/// A daemon's certificate: renewed while it runs, and near its end.
struct CertificateTests {
    /// What a command prints, on both outputs.
    private func output(_ command: String) -> String {
        guard let pipe = popen("exec 2>&1; \(command)", "r") else { return "" }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
            bytes += buffer[..<count]
        }
        pclose(pipe)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func client(_ daemon: DaemonProcess, _ options: String = "") -> String {
        output("echo | timeout 10 openssl s_client -connect localhost:\(daemon.port) \(options)")
    }

    /// Of the certificate that who comes now is shown.
    private func shownSerial(by daemon: DaemonProcess) -> String {
        output(
            "echo | timeout 10 openssl s_client -connect localhost:\(daemon.port) 2>/dev/null | "
                + "openssl x509 -noout -serial")
    }

    private func serial(of certificates: TestCertificates) -> String {
        output("openssl x509 -noout -serial -in '\(certificates.certificate)'")
    }

    private func replace(_ path: String, with text: String) {
        _ = output("printf '%s' '\(text)' > '\(path)'")
    }

    @Test
    func `a certificate is renewed under load, and no connection notices`() throws {
        let folder = TemporaryFolder("tarn-renewal")
        let certificates = TestCertificates.copy()
        let daemon = try DaemonProcess(data: folder.path, certificates: certificates)
        let replicas = try [("ann", 1), ("bob", 2)].map { user, number in
            try LoadedReplica(user: user, number: Int64(number), seed: 1, port: daemon.port)
        }
        for replica in replicas { replica.connect() }
        for replica in replicas { replica.startWriting() }

        for _ in 0..<5 {
            let before = replicas.map { $0.report().created.count }
            certificates.renew()
            daemon.reload()
            #expect(daemon.logged("certificate-reloaded") != nil)
            #expect(shownSerial(by: daemon) == serial(of: certificates))
            #expect(
                Deadline(seconds: 20).wait {
                    zip(replicas, before).allSatisfy { $0.report().created.count > $1 }
                })
        }

        for replica in replicas { replica.stopWriting() }
        for replica in replicas {
            #expect(Deadline(seconds: 20).wait { replica.report().unsent == 0 })
            #expect(replica.report().problems == [])
            #expect(replica.report().ends == [])
            replica.loop.stop()
        }
        #expect(daemon.terminate() == 0)
    }

    @Test
    func `a broken renewal keeps what was, says why, and can be mended`() throws {
        let folder = TemporaryFolder("tarn-renewal")
        let certificates = TestCertificates.copy()
        let daemon = try DaemonProcess(data: folder.path, certificates: certificates)
        let replica = try LoadedReplica(user: "ann", number: 1, seed: 1, port: daemon.port)
        replica.connect()
        #expect(Deadline(seconds: 20).wait { replica.report().unsent == 0 })
        let first = serial(of: certificates)

        replace(certificates.certificate, with: "half a certif")
        daemon.reload()
        let nonsense = daemon.logged("certificate-not-reloaded")
        #expect(nonsense?.contains("no certificate in PEM is in it") == true)
        #expect(shownSerial(by: daemon) == first)

        certificates.renew()
        replace(certificates.key, with: "")
        daemon.reload()
        let keyless = daemon.logged("certificate-not-reloaded")
        #expect(keyless?.contains("no private key in PEM is in it") == true)
        #expect(shownSerial(by: daemon) == first)

        certificates.renew()
        daemon.reload()
        #expect(daemon.logged("certificate-reloaded") != nil)
        #expect(shownSerial(by: daemon) == serial(of: certificates))
        #expect(replica.report().ends == [])
        replica.loop.stop()
    }

    @Test
    func `a ticket is taken until the certificate is renewed, and not after`() throws {
        let folder = TemporaryFolder("tarn-renewal")
        let certificates = TestCertificates.copy()
        let daemon = try DaemonProcess(data: folder.path, certificates: certificates)
        let ticket = folder.file("ticket")
        let question =
            "printf 'GET /health HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n' | "
            + "timeout 10 openssl s_client -ign_eof -connect localhost:\(daemon.port)"

        let first = output("\(question) -sess_out '\(ticket)'")
        let before = output("\(question) -sess_in '\(ticket)'")
        certificates.renew()
        daemon.reload()
        #expect(daemon.logged("certificate-reloaded") != nil)
        let after = output("\(question) -sess_in '\(ticket)'")

        #expect(first.contains("New, TLSv1.3"))
        #expect(before.contains("Reused, TLSv1.3"))
        #expect(after.contains("New, TLSv1.3"))
        #expect(after.contains(#"{"healthy":true}"#))
    }

    @Test(arguments: [
        (29, "warning certificate-ends-soon days=2"), (-1, "error certificate-has-ended"),
    ])
    func `a certificate near its end is named at the start and at a reload`(
        days: Int, words: String
    ) throws {
        let folder = TemporaryFolder("tarn-renewal")
        let certificates = TestCertificates.copy()
        certificates.renew(days: days)

        let daemon = try DaemonProcess(data: folder.path, certificates: certificates)

        #expect(daemon.startLog.contains(words))
        #expect(daemon.startLog.contains("file=\(certificates.certificate)"))
        daemon.reload()
        #expect(daemon.logged(words) != nil)
        certificates.renew(days: 90)
        daemon.reload()
        #expect(daemon.logged("certificate-reloaded") != nil)
        // It serves all the same, and is what it is told to be from then on.
        #expect(shownSerial(by: daemon) == serial(of: certificates))
    }

    @Test
    func `of a certificate that is good for long nothing is said`() throws {
        let folder = TemporaryFolder("tarn-renewal")

        let daemon = try DaemonProcess(data: folder.path, certificates: .shared)

        #expect(!daemon.startLog.contains("certificate"))
    }

    private static let aDay: Int64 = 86_400
    private static let moments: [(Int64, CertificateWatch.Notice?)] = [
        (-1, .hasEnded), (0, .hasEnded), (1, .endsSoon(days: 0)), (aDay, .endsSoon(days: 1)),
        (30 * aDay, .endsSoon(days: 30)), (30 * aDay + 1, nil), (10_000 * aDay, nil),
    ]

    @Test(arguments: moments)
    func `the last thirty days are told`(left: Int64, notice: CertificateWatch.Notice?) {
        #expect(CertificateWatch.notice(of: 1_000_000 + left, at: 1_000_000) == notice)
    }

    @Test
    func `it is looked at again and again`() throws {
        let loop = try EventLoop(name: "watch")
        var time: Int64 = 0
        var notices: [CertificateWatch.Notice] = []
        let watch = CertificateWatch(
            on: loop, interval: .milliseconds(1), now: { time },
            tell: { notice, _ in
                notices.append(notice)
                if notice == .hasEnded { loop.stop() }
            })
        // Nobody is told of a hundred days, and then of one, and of none.
        watch.watch(endingAt: 100 * Self.aDay)
        let before = notices
        time = 99 * Self.aDay
        loop.schedule(after: .milliseconds(20)) { time = 100 * Self.aDay }
        loop.schedule(after: .seconds(10)) { loop.stop() }

        loop.runOnCurrentThread()

        #expect(before == [])
        #expect(notices.first == .endsSoon(days: 1))
        #expect(notices.last == .hasEnded)
        withExtendedLifetime(watch) {}
    }

    @Test(arguments: [([], "alert protocol version"), (["--allow-tls12"], "New, TLSv1.2")])
    func `TLS 1.2 is spoken if the daemon is told to`(options: [String], words: String) throws {
        let folder = TemporaryFolder("tarn-versions")
        let daemon = try DaemonProcess(
            data: folder.path, certificates: .shared, options: options)

        #expect(client(daemon, "-tls1_2").contains(words))
        #expect(client(daemon).contains("New, TLSv1.3"))
        #expect(client(daemon, "-tls1_1 -cipher ALL:@SECLEVEL=0").contains("alert protocol"))
    }
}
