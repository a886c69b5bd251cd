import Glibc
package import TarnStorage

/// Processes as `/proc` tells them apart: a number is given again, but not with the same start.
package enum RunningProcess {
    /// This process, as a lease's holder.
    package static func current() throws(TarnError) -> LeaseHolder {
        guard let holder = holder(of: Int64(getpid())) else {
            throw TarnError(
                .systemFailed, "this process cannot be found in /proc.",
                advice: "Tarn needs a mounted /proc.")
        }
        return holder
    }

    /// The process of that number; nil where there is none.
    package static func holder(of process: Int64) -> LeaseHolder? {
        guard let boot = boot(), let started = start(of: process) else { return nil }
        return LeaseHolder(process: process, started: started, boot: boot)
    }

    /// Whether a lease's holder is still there, and will ever run again.
    package static func isRunning(_ holder: LeaseHolder) -> Bool {
        holder.boot == boot() && start(of: holder.process) == holder.started
    }

    private static func boot() -> String? {
        text("/proc/sys/kernel/random/boot_id")?.split(separator: "\n").first.map(String.init)
    }

    /// Ticks since boot; nil for a process that is gone, or dead and only not reaped yet.
    private static func start(of process: Int64) -> UInt64? {
        guard let text = text("/proc/\(process)/stat") else { return nil }
        // The second field is the program's name in parentheses, and may hold anything.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
        return UInt64(fields[19])
    }

    private static func text(_ path: String) -> String? {
        guard let bytes = try? PrivateFile.read(path, bytesMax: 4_096) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
