import Glibc
import TarnTesting
import Testing

/// How a daemon starts, refuses to, and ends, as its user sees it.
struct StartTests {
    private func run(_ arguments: [String]) -> (status: Int32, output: String) {
        let folder = TemporaryFolder("tarn-start")
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        let program = BuiltProgram.path("tarnd")
        let status = system(
            "timeout 20 '\(program)' \(words) </dev/null >'\(folder.file("out"))' 2>&1")
        return (status >> 8 & 0xFF, Self.text(folder.file("out")))
    }

    private static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    private func serve(_ data: String, _ more: String...) -> [String] {
        let certificates = TestCertificates.shared
        return [
            "serve", "--data", data, "--certificate", certificates.certificate, "--key",
            certificates.key,
        ] + more
    }

    @Test
    func `one daemon has a data folder, and the second is told so`() throws {
        let folder = TemporaryFolder("tarn-start")
        let daemon = try DaemonProcess(data: folder.path, certificates: .shared)

        let second = run(serve(folder.path, "--listen", "localhost:0"))

        #expect(second.status == 75)
        #expect(second.output == "tarnd: Another tarnd runs on \(folder.path).\n")
        #expect(daemon.terminate() == 0)
    }

    @Test
    func `a port in use is named`() throws {
        let folder = TemporaryFolder("tarn-start")
        let daemon = try DaemonProcess(data: folder.file("a"), certificates: .shared)

        let second = run(serve(folder.file("b"), "--listen", "localhost:\(daemon.port)"))

        #expect(second.status == 69)
        #expect(second.output.contains(":\(daemon.port)"))
    }

    @Test(arguments: ["localhost:99999", "nowhere.invalid:1"])
    func `a second address that cannot be had ends the start in a sentence`(address: String) {
        let folder = TemporaryFolder("tarn-start")

        let result = run(
            serve(folder.path, "--listen", "localhost:0", "--listen", address))

        #expect(result.status == 69 || result.status == 78)
        #expect(result.output.hasPrefix("tarnd: "))
        #expect(result.output.split(separator: "\n").count == 1)
    }

    @Test(arguments: ["0.0.0.0:0", "[::]:0", "a b:1", "127.0.0.1:99999"])
    func `figures are told on the loopback alone`(address: String) {
        let folder = TemporaryFolder("tarn-start")

        let result = run(
            serve(folder.path, "--listen", "localhost:0", "--metrics", address))

        #expect(result.status == 78)
        #expect(result.output.hasPrefix("tarnd: "))
        #expect(result.output.split(separator: "\n").count == 1)
    }

    @Test
    func `a port for figures that is in use is named`() throws {
        let folder = TemporaryFolder("tarn-start")
        let daemon = try DaemonProcess(
            data: folder.file("a"), certificates: .shared, options: ["--metrics", "127.0.0.1:0"])
        let port = try #require(daemon.metricsPort)

        let second = run(
            serve(folder.file("b"), "--listen", "localhost:0", "--metrics", "127.0.0.1:\(port)"))

        #expect(second.status == 69)
        #expect(second.output.contains(":\(port)"))
    }

    @Test
    func `nothing is served without TLS`() {
        let folder = TemporaryFolder("tarn-start")

        let result = run(["serve", "--data", folder.path])

        #expect(result.status == 78)
        #expect(result.output.contains("make certs"))
    }

    @Test
    func `a key that is not the certificate's is refused`() {
        let folder = TemporaryFolder("tarn-start")
        let certificates = TestCertificates.shared

        let result = run([
            "serve", "--data", folder.path, "--certificate", certificates.certificate, "--key",
            folder.file("no-such.key"),
        ])

        #expect(result.status == 78)
        #expect(result.output.contains("no-such.key"))
    }

    @Test
    func `a data folder that cannot be made is named`() {
        let result = run(serve("/proc/nowhere", "--listen", "localhost:0"))

        #expect(result.status == 73)
        #expect(result.output.contains("/proc/nowhere"))
    }

    @Test
    func `a damaged commit log is refused, and left as it is`() throws {
        let folder = TemporaryFolder("tarn-start")
        let path = folder.file("commits.tarnlog")
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        let junk = [UInt8](repeating: 0x5A, count: 8192)
        _ = write(descriptor, junk, junk.count)
        close(descriptor)

        let result = run(serve(folder.path, "--listen", "localhost:0"))

        #expect(result.status == 73)
        #expect(Self.text(path) == String(decoding: junk, as: UTF8.self))
    }

    @Test
    func `users are added, listed and removed, and a second one of a name is refused`() {
        let folder = TemporaryFolder("tarn-users")
        let program = BuiltProgram.path("tarnd")
        func add(_ name: String, _ password: String) -> Int32 {
            system(
                "printf '%s\\n' '\(password)' | '\(program)' user add '\(name)' "
                    + "--data '\(folder.path)' >/dev/null 2>&1") >> 8 & 0xFF
        }

        #expect(add("ann", "a long password") == 0)
        #expect(add("ann", "a long password") == 65)
        #expect(add("Ann!", "a long password") == 65)
        #expect(add("bob", "short") == 65)
        #expect(run(["user", "list", "--data", folder.path]).output == "ann\tpassword\n")
        #expect(run(["user", "remove", "ann", "--data", folder.path]).status == 0)
        #expect(run(["user", "remove", "ann", "--data", folder.path]).status == 65)
        #expect(run(["user", "list", "--data", folder.path]).output == "")
    }

    @Test(arguments: [["serv"], [], ["serve", "--dta", "x"], ["user", "add"]])
    func `words that are not understood exit with 64`(words: [String]) {
        let result = run(words)

        #expect(result.status == 64)
        #expect(result.output.hasPrefix("tarnd: "))
        #expect(result.output.split(separator: "\n").count == 1)
    }
}
