import Glibc
import TarnTesting

/// A real `tarn` as a process of its own. What it writes goes to files, so that it never waits for
/// a reader.
final class TarnProcess {
    private let outputPath: String
    private let errorPath: String
    private(set) var process: pid_t = 0

    struct NotStarted: Error { let reason: String }

    /// What a program finds itself in.
    struct Surroundings {
        /// Kilobytes that no file of its may outgrow.
        var fileSizeMax: Int?
        /// A library that takes the place of calls of the system's.
        var preload: String?
        /// Signals that it is started with blocked.
        var blocked: [Int32] = []
    }

    init(
        _ arguments: [String], home: String, in folder: TemporaryFolder, number: Int,
        _ surroundings: Surroundings = Surroundings()
    ) throws {
        outputPath = folder.file("output.\(number)")
        errorPath = folder.file("errors.\(number)")
        let tarn = BuiltProgram.path("tarn")
        let limit = surroundings.fileSizeMax.map { "ulimit -f \($0) && exec \"$0\" \"$@\"" }
        let program = limit == nil ? tarn : "/bin/bash"
        let lead = limit.map { ["-c", $0, tarn] } ?? []
        var attributes = SpawnAttributes(blocking: surroundings.blocked)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputPath, flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorPath, flags, 0o600)
        var words: [UnsafeMutablePointer<CChar>?] =
            ([program] + lead + arguments).map { strdup($0) } + [nil]
        let environment =
            ["TARN_HOME=\(home)", "TARN_PASSWORD=correct horse battery"]
            + (surroundings.preload.map { ["LD_PRELOAD=\($0)"] } ?? [])
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        let result = posix_spawn(&process, program, &actions, &attributes.value, &words, &variables)
        guard result == 0 else {
            throw NotStarted(reason: "\(program): \(String(cString: strerror(result)))")
        }
    }

    deinit {
        if process > 0 { end(by: SIGKILL) }
    }

    var output: String { Self.text(outputPath) }
    var errors: String { Self.text(errorPath) }

    /// Waits until it has written something; false where it never does.
    func says(_ text: String, seconds: Int = 20) -> Bool {
        Deadline(seconds: seconds).wait { output.contains(text) }
    }

    func send(_ signal: Int32) { kill(process, signal) }

    /// Whether it stands still until it is continued.
    var isStopped: Bool {
        let fields = Self.text("/proc/\(process)/stat").split(separator: " ")
        return fields.count > 2 && fields[2] == "T"
    }

    /// The exit status; the negative number of the signal that ended it.
    @discardableResult
    func end(by signal: Int32? = nil) -> Int32 {
        guard process > 0 else { return -1 }
        if let signal { kill(process, signal) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        process = 0
        return Self.meaning(of: status)
    }

    /// What `end` would answer, where it has ended by itself; nil while it runs.
    func endIfOver() -> Int32? {
        var status: Int32 = 0
        guard process > 0, waitpid(process, &status, WNOHANG) == process else { return nil }
        process = 0
        return Self.meaning(of: status)
    }

    private static func meaning(of status: Int32) -> Int32 {
        status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
