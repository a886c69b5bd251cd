import Glibc
import TarnTesting
import TarnTransport
import Testing

/// The Python peers of `Tests/Python`. Where `scripts/setup.sh --tests` has not made their
/// environment, tests that need them are skipped, and say so.
enum Peers {
    static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    static let python = "\(root)/.venv/bin/python"
    static let areSetUp = access(python, X_OK) == 0
    static let absence: Comment = "there is no .venv; scripts/setup.sh --tests makes it"

    static func command(_ script: String, _ arguments: [String]) -> String {
        let words = arguments.map { " '\($0)'" }.joined()
        return "PYTHONDONTWRITEBYTECODE=1 exec '\(python)' "
            + "'\(root)/Tests/Python/\(script)'\(words)"
    }
}

/// The library `websockets` as a server: a process of its own, which ends with its last reference.
final class PythonServer {
    let port: UInt16
    private let process: pid_t
    private let output: UnsafeMutablePointer<FILE>

    struct StartFailed: Error {
        let line: String
    }

    init() throws {
        let folder = Certificates.shared.folder
        let command = Peers.command(
            "peer_server.py", [folder.file("server.pem"), folder.file("server.key")])
        guard let output = popen("exec 2>&1; \(command)", "re") else {
            throw StartFailed(line: "no pipe")
        }
        self.output = output
        let line = Self.readLine(output) ?? ""
        let words = line.split(separator: " ").compactMap { Int32($0) }
        guard words.count == 2, let port = UInt16(exactly: words[0]) else {
            pclose(output)
            throw StartFailed(line: line)
        }
        (self.port, process) = (port, words[1])
    }

    deinit {
        kill(process, SIGKILL)
        pclose(output)
    }

    /// What it says next; nil at its end.
    func line() -> String? { Self.readLine(output) }

    private static func readLine(_ file: UnsafeMutablePointer<FILE>) -> String? {
        var line: [UInt8] = []
        while case let byte = getc(file), byte >= 0 {
            if byte == 10 { return String(decoding: line, as: UTF8.self) }
            line.append(UInt8(truncatingIfNeeded: byte))
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
