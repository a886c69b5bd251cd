import Glibc
import TarnTesting
import Testing

/// The daemon against a client that shares no line with it: written in Python from the folder
/// `Protocol` alone. `scripts/setup.sh --tests` makes the environment that it runs in.
struct PythonClientTests {
    private static let root =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    private static let python = "\(root)/.venv/bin/python"
    static let isSetUp = access(python, X_OK) == 0
    static let absence: Comment = "there is no .venv; scripts/setup.sh --tests makes it"

    /// What a script of `Tests/Python` printed, and its status.
    static func run(_ script: String, _ arguments: [String] = []) -> (String, Int32) {
        let words = arguments.map { " '\($0)'" }.joined()
        let command =
            "exec 2>&1; PYTHONDONTWRITEBYTECODE=1 timeout 120 '\(python)' "
            + "'\(root)/Tests/Python/\(script)'\(words)"
        guard let pipe = popen(command, "r") else { return ("no pipe", -1) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
            bytes += buffer[..<count]
        }
        let status = pclose(pipe)
        return (String(decoding: bytes, as: UTF8.self), status >> 8 & 0xFF)
    }

    @Test(.enabled(if: isSetUp, absence))
    func `a client that was written from the specification alone finds it true`() throws {
        let folder = TemporaryFolder("tarn-python")
        let daemon = try DaemonProcess(
            data: folder.file("roomy"), certificates: .shared)
        // One that lets nobody register, and whose files soon cannot grow.
        let small = try DaemonProcess(
            data: folder.file("small"), certificates: .shared, options: ["--no-registration"],
            fileSizeMax: 2048)
        // One that soon forgets.
        let forgetful = try DaemonProcess(
            data: folder.file("forgetful"), certificates: .shared,
            options: ["--history-versions", "20"])

        let (output, status) = Self.run(
            "session_scenario.py",
            [
                "localhost", TestCertificates.shared.authority, "\(daemon.port)", "\(small.port)",
                "\(small.process)", "\(forgetful.port)",
            ])

        #expect(status == 0, "\(output)")
        #expect(output.hasSuffix("all held\n"))
        #expect(output.split(separator: "\n").count { $0.hasPrefix("ok: ") } > 300)
        #expect(daemon.terminate() == 0)
        #expect(forgetful.terminate() == 0)
        // The scenario has told it to end.
        #expect(small.terminate() == 0)
    }

    @Test(.enabled(if: isSetUp, absence))
    func `the specification's vectors and its worked session agree with a second codec`() {
        let (output, status) = Self.run("test_vectors.py")

        #expect(status == 0, "\(output)")
        #expect(output.contains("hold"))
    }
}
