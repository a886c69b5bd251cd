import Glibc
import TarnTesting

/// A real nginx or haproxy between clients and a daemon, with one of the configurations that are
/// documented: only ports, names and paths are this test's.
final class ProxyProcess {
    struct Kind: Sendable, CustomStringConvertible {
        let file: String
        /// Whether it ends the clients' TLS, and so can say for whom it speaks.
        let endsTLS: Bool

        var program: String { file.hasPrefix("nginx") ? "nginx" : "haproxy" }
        var description: String { file }

        /// System programs are not on everybody's path.
        var path: String? {
            ["/usr/sbin/", "/usr/bin/", "/usr/local/sbin/"].map { $0 + program }
                .first { access($0, X_OK) == 0 }
        }

        static let all = [
            Kind(file: "nginx.conf", endsTLS: true),
            Kind(file: "nginx-passthrough.conf", endsTLS: false),
            Kind(file: "haproxy.cfg", endsTLS: true),
            Kind(file: "haproxy-passthrough.cfg", endsTLS: false),
        ]
    }

    struct NotStarted: Error { let reason: String }

    let port: UInt16
    private let kind: Kind
    private let folder: TemporaryFolder
    private var process: pid_t = 0

    init(_ kind: Kind, to daemon: UInt16, in folder: TemporaryFolder) throws {
        self.kind = kind
        self.folder = folder
        port = try Self.freePort()
        try write(configuration(daemon), to: folder.file(kind.file))
        let certificates = TestCertificates.shared
        try write(
            read(certificates.certificate) + read(certificates.key),
            to: folder.file("haproxy.pem"))
        try start()
    }

    deinit { end() }

    /// Waits until it listens.
    func start() throws {
        guard let program = kind.path else { throw NotStarted(reason: "no \(kind.program)") }
        let file = folder.file(kind.file)
        let arguments =
            kind.program == "nginx"
            ? ["-c", file, "-e", folder.file("nginx.log"), "-g", "daemon off;"]
            : ["-W", "-db", "-f", file]
        var attributes = SpawnAttributes()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_APPEND
        // Neither of the tests' own: who waits for their end waits for all who could write there.
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(
                &actions, descriptor, folder.file("proxy.errors"), flags, 0o600)
        }
        var words: [UnsafeMutablePointer<CChar>?] =
            ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        guard posix_spawn(&process, program, &actions, &attributes.value, &words, environ) == 0,
            Deadline(seconds: 20).wait(until: { Self.connects(to: port) })
        else { throw NotStarted(reason: (try? read(folder.file("proxy.errors"))) ?? "") }
    }

    /// Has it read its configuration again, and waits until other processes serve.
    func reload() -> Bool {
        let before = children
        kill(process, kind.program == "nginx" ? SIGHUP : SIGUSR2)
        return Deadline(seconds: 20).wait { !children.subtracting(before).isEmpty }
    }

    /// At once, with all that goes through it.
    func end() {
        guard process > 0 else { return }
        var status: Int32 = 0
        // Held first: it replaces children that die, and the new ones would outlive it.
        kill(process, SIGSTOP)
        while waitpid(process, &status, WUNTRACED) < 0, errno == EINTR {}
        let children = self.children
        kill(process, SIGKILL)
        for child in children { kill(child, SIGKILL) }
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        process = 0
    }

    private var children: Set<pid_t> {
        let text = (try? read("/proc/\(process)/task/\(process)/children")) ?? ""
        return Set(text.split(separator: " ").compactMap { pid_t($0) })
    }

    private func configuration(_ daemon: UInt16) throws -> String {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        var text = try read("\(root)/docs/proxies/\(kind.file)")
        let certificates = TestCertificates.shared
        let changes = [
            ("127.0.0.1:8276", "127.0.0.1:\(daemon)"), (":443 ", ":\(port) "),
            (":443\n", ":\(port)\n"), ("listen 443", "listen \(port)"),
            ("tarn.example.org", "localhost"),
            ("/etc/tarn/haproxy.pem", folder.file("haproxy.pem")),
            ("/etc/tarn/server.pem", certificates.certificate),
            ("/etc/tarn/server.key", certificates.key),
            ("/etc/tarn/ca.pem", certificates.authority),
            ("/run/nginx.pid", folder.file("nginx.pid")),
            ("/var/log/nginx/error.log", folder.file("nginx.log")),
            // Where it would put large bodies, which not everybody may write to.
            (
                "http {",
                "http {\n"
                    + ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
                        "\($0)_temp_path \(folder.file("nginx-\($0)"));\n"
                    }.joined()
            ),
        ]
        for (old, new) in changes { text = Self.replace(old, in: text, by: new) }
        return text
    }

    private static func replace(_ old: String, in text: String, by new: String) -> String {
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(of: old) {
            result += rest[..<range.lowerBound] + new
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    private func read(_ path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw NotStarted(reason: "no \(path)") }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    private func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw NotStarted(reason: "no \(path)") }
        defer { fclose(file) }
        fputs(text, file)
    }

    // MARK: Ports

    private static func withSocket<Result>(
        _ port: UInt16, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func connects(to port: UInt16) -> Bool {
        withSocket(port) { connect($0, $1, $2) == 0 }
    }

    /// Proxies do not choose one by themselves.
    private static func freePort() throws -> UInt16 {
        let port = withSocket(0) { descriptor, address, count -> UInt16 in
            guard bind(descriptor, address, count) == 0 else { return 0 }
            var own = sockaddr_in()
            var ownCount = count
            let result = withUnsafeMutablePointer(to: &own) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getsockname(descriptor, $0, &ownCount)
                }
            }
            return result == 0 ? UInt16(bigEndian: own.sin_port) : 0
        }
        guard port > 0 else { throw NotStarted(reason: "no free port") }
        return port
    }
}
