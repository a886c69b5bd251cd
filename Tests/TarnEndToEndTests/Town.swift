import TarnTesting

/// A server, and people with their machines: each a profile of its own.
final class Town {
    let folder = TemporaryFolder("tarn-town")
    private(set) var daemon: DaemonProcess
    let port: UInt16
    private var processCount = 0

    init(options: [String] = []) throws {
        daemon = try DaemonProcess(
            data: folder.file("server"), certificates: .shared, options: options)
        port = daemon.port
    }

    struct Answer: Equatable {
        let status: Int32
        let output: String
        let errors: String
    }

    var home: String { folder.file("people") }

    /// Takes the server away; `raise` brings it back at the same port, with the same data.
    func fell() { daemon.kill() }

    func raise() throws {
        daemon = try DaemonProcess(
            data: folder.file("server"), certificates: .shared, port: port)
    }

    func start(
        _ profile: String, _ arguments: [String],
        _ surroundings: TarnProcess.Surroundings = .init()
    ) throws -> TarnProcess {
        processCount += 1
        return try TarnProcess(
            ["--profile", profile] + arguments, home: home, in: folder, number: processCount,
            surroundings)
    }

    /// The replica that a profile has of a user's list.
    func replica(_ profile: String, of user: String) -> ReplicaFile {
        ReplicaFile(path: "\(home)/\(profile)/realms/\(user)/todo.tarn")
    }

    /// Runs a command to its end.
    @discardableResult
    func tarn(_ profile: String, _ arguments: String...) throws -> Answer {
        let process = try start(profile, arguments)
        let status = process.end()
        return Answer(status: status, output: process.output, errors: process.errors)
    }

    /// - Parameter proxyPort: of what stands between; nil for the daemon itself.
    @discardableResult
    func enter(
        _ user: String, on profile: String, isNew: Bool = false, proxyPort: UInt16? = nil
    ) throws -> Answer {
        try tarn(
            profile, isNew ? "register" : "login", user, "--server",
            "localhost:\(proxyPort ?? port)", "--ca", TestCertificates.shared.authority)
    }

    /// The titles of a profile's tasks; finished ones with a mark.
    func titles(_ profile: String) throws -> [String] {
        var titles: [String] = []
        var isFinished = false
        for line in try tarn(profile, "ls").output.split(separator: "\n") {
            if line.hasPrefix("    ") {
                let words = line.split(separator: " ", omittingEmptySubsequences: true)
                titles.append((isFinished ? "✓" : "") + words.dropFirst().joined(separator: " "))
            } else {
                isFinished = line == "  Finished"
            }
        }
        return titles
    }
}
