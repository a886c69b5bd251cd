import CLinux
import Glibc
import Synchronization
import TarnModel

/// Lines on standard error: time, level, what happened, then `name=value` pairs. What comes from
/// others is quoted, so that no name can forge a line or move a cursor.
package final class DaemonLog: Sendable {
    private let level: LogLevel
    /// Lines of several threads do not run into each other.
    private let lines = Mutex(())

    package init(level: LogLevel) { self.level = level }

    package func debug(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
        write(.debug, event, fields)
    }

    package func info(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
        write(.info, event, fields)
    }

    package func warning(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
        write(.warning, event, fields)
    }

    package func error(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
        write(.error, event, fields)
    }

    /// What there is to say about the certificate that clients are shown.
    func tell(_ notice: CertificateWatch.Notice, _ end: Int64, of path: String) {
        let end = "\(Timestamp(milliseconds: end * 1000))"
        switch notice {
        case .hasEnded: error("certificate-has-ended", ["end": end, "file": path])
        case .endsSoon(let days):
            warning("certificate-ends-soon", ["days": "\(days)", "end": end, "file": path])
        }
    }

    private func write(
        _ level: LogLevel, _ event: String, _ fields: KeyValuePairs<String, String>
    ) {
        guard level >= self.level else { return }
        let time = Timestamp(milliseconds: WallClock.milliseconds)
        var line = "\(time) \(level.name) \(event)"
        for (name, value) in fields { line += " \(name)=\(Self.quoted(value))" }
        line += "\n"
        lines.withLock { _ in
            var bytes = Array(line.utf8)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes {
                    Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
                }
                // A log that nobody can take is no reason to stop serving.
                guard count > 0 else { return }
                bytes = bytes.dropFirst(count)
            }
        }
    }

    private static func quoted(_ value: String) -> String {
        let isPlain =
            !value.isEmpty
            && value.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        if isPlain { return value }
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C:
                text += "\\"
                text.unicodeScalars.append(scalar)
            case 0x20..<0x7F, 0xA0...: text.unicodeScalars.append(scalar)
            default: text += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return text + "\""
    }
}

/// The machine's clock.
package enum WallClock {
    /// Milliseconds since 1970.
    package static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
