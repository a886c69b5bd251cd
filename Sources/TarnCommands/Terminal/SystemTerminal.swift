import CLinux
import Glibc

/// The terminal, or whatever stands in its place, of this process.
package final class SystemTerminal: Terminal {
    private var pendingInput: [UInt8] = []

    package init() {
        // A closed pipe is an error to be told by `write`, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
    }

    package var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    package var width: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return 80
        }
        return Int(size.ws_col)
    }

    package func write(_ text: String) throws(OutputClosed) {
        guard Self.writeAll(text, to: STDOUT_FILENO) else { throw OutputClosed() }
    }

    package func writeError(_ text: String) { _ = Self.writeAll(text, to: STDERR_FILENO) }

    private static func writeAll(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN {
                    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&wait, 1, -1)
                    continue
                }
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }

    package func answer(to question: String) -> String? {
        writeError(question)
        return inputLine()
    }

    package func secret(_ question: String) -> String? {
        writeError(question)
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else { return nil }
        // A signal that ends the program must not leave a terminal that shows nothing.
        var (mask, old) = (sigset_t(), sigset_t())
        sigemptyset(&mask)
        for number in [SIGINT, SIGTERM, SIGQUIT, SIGTSTP, SIGHUP] { sigaddset(&mask, number) }
        sigprocmask(SIG_BLOCK, &mask, &old)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            writeError("\n")
            sigprocmask(SIG_SETMASK, &old, nil)
        }
        return inputLine(untilSignalIn: mask)
    }

    package func inputLine() -> String? { inputLine(untilSignalIn: nil) }

    /// Nil also where one of the blocked signals waits to be delivered.
    private func inputLine(untilSignalIn blocked: sigset_t?) -> String? {
        var line: [UInt8] = []
        while true {
            if let end = pendingInput.firstIndex(of: UInt8(ascii: "\n")) {
                line = Array(pendingInput[..<end])
                pendingInput.removeSubrange(...end)
                break
            }
            if let blocked, !waitForInput(unless: blocked) { return nil }
            var buffer = [UInt8](repeating: 0, count: 1_024)
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                guard !pendingInput.isEmpty else { return nil }
                line = pendingInput
                pendingInput = []
                break
            }
            pendingInput += buffer.prefix(count)
            // Nobody types a line so long; a file that was given by mistake ends here.
            guard pendingInput.count <= Self.lineBytesMax else { return nil }
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return String(validating: line, as: UTF8.self)
    }

    private static let lineBytesMax = 65_536

    private func waitForInput(unless blocked: sigset_t) -> Bool {
        var blocked = blocked
        let signals = signalfd(-1, &blocked, Int32(SFD_CLOEXEC))
        defer { close(signals) }
        var waits = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waits, nfds_t(waits.count), -1) < 0, errno == EINTR {}
        return waits[1].revents == 0
    }
}
