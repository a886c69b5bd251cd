import CLinux
import Glibc

/// A process of the run. It ends with this object, if it has not before; and with the run, however
/// that ends, where it is a part of the run itself.
final class ChildProcess {
    enum Output {
        /// To be read by `readLine`.
        case pipe
        case file(String)
        case nowhere
    }

    let process: pid_t
    private var isRunning = true
    private var input: Int32
    private var output: Int32
    private var buffered: [UInt8] = []

    /// - Parameter extra: a descriptor that it gets as number 3.
    init(
        _ path: String, _ arguments: [String], output: Output, extra: Int32? = nil
    ) throws(BenchError) {
        let toChild = try Self.makePipe()
        let fromChild = try Self.makePipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild.reading, STDIN_FILENO)
        switch output {
        case .pipe:
            posix_spawn_file_actions_adddup2(&actions, fromChild.writing, STDOUT_FILENO)
        case .file(let path):
            for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
                posix_spawn_file_actions_addopen(
                    &actions, descriptor, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            }
        case .nowhere:
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }
        if let extra { posix_spawn_file_actions_adddup2(&actions, extra, 3) }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, path, &actions, nil, &words, environ)
        close(toChild.reading)
        close(fromChild.writing)
        guard result == 0 else {
            close(toChild.writing)
            close(fromChild.reading)
            throw BenchError("\(path) cannot be started: \(String(cString: strerror(result))).")
        }
        self.process = process
        input = toChild.writing
        self.output = fromChild.reading
    }

    deinit {
        end(by: SIGKILL)
        if input >= 0 { close(input) }
        close(output)
    }

    /// Both ends are gone from programs that are started, but for what is handed to them.
    static func makePipe() throws(BenchError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchError("No pipe can be made.") }
        // Above the numbers that a child is given, so that none is overwritten.
        let high = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
        for end in ends { close(end) }
        guard high.allSatisfy({ $0 >= 0 }) else { throw BenchError("No pipe can be made.") }
        return (high[0], high[1])
    }

    func writeLine(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
    }

    /// Tells it that nothing more comes.
    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Nil at the end of what it has to say.
    func readLine() -> String? {
        while true {
            if let end = buffered.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffered.removeSubrange(...end) }
                return String(decoding: buffered[..<end], as: UTF8.self)
            }
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = piece.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            buffered += piece[..<count]
        }
    }

    /// The next line must be this one.
    func expect(_ word: String, from name: String) throws(BenchError) {
        let line = readLine()
        guard line == word else {
            throw BenchError("The \(name) did not get ready: \(line ?? "it ended").")
        }
    }

    @discardableResult
    func end(by signal: Int32) -> Int32 {
        guard isRunning else { return -1 }
        kill(process, signal)
        return waitForEnd()
    }

    /// Its exit status; less than 0 where a signal ended it.
    func waitForEnd() -> Int32 {
        guard isRunning else { return -1 }
        isRunning = false
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
}
