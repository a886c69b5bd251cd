import Glibc

/// What a process has used, as the kernel counts it.
enum ProcessUsage {
    /// Nanoseconds on a processor, of all its threads. The scheduler's own count: what `stat` tells
    /// is cut to ticks of ten milliseconds.
    static func processorTime(of process: pid_t) -> Int64 {
        guard let folder = opendir("/proc/\(process)/task") else { return 0 }
        defer { closedir(folder) }
        var sum: Int64 = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix("."),
                let line = TextFile.read("/proc/\(process)/task/\(name)/schedstat"),
                let first = line.split(separator: " ").first, let time = Int64(first)
            else { continue }
            sum += time
        }
        return sum
    }

    /// Resident kilobytes.
    static func residentKilobytes(of process: pid_t) -> Int {
        let status = TextFile.read("/proc/\(process)/status") ?? ""
        for line in status.split(separator: "\n") where line.hasPrefix("VmRSS:") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            if words.count > 1, let number = Int(words[1]) { return number }
        }
        return 0
    }
}
