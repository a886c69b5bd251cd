import CLinux
import Glibc

/// What the kernel tells of this process, now.
struct ProcessFigures {
    let cpuSeconds: Double
    let residentBytes: Int?
    let virtualBytes: Int?
    let openDescriptors: Int?
    let descriptorsMax: Int?
    /// Since 1970.
    let startSeconds: Double?

    static func now() -> ProcessFigures {
        var usage = rusage()
        _ = tarn_process_usage(&usage)
        var limit = rlimit()
        let hasLimit = tarn_descriptor_limit(&limit) == 0
        let stat = statFields
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        // Fields 22 to 24 of proc(5), counted from the third.
        let started = stat.count > 19 ? Double(stat[19]).map { $0 / ticks } : nil
        return ProcessFigures(
            cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            residentBytes: stat.count > 21 ? Int(stat[21]).map { $0 * pageSize } : nil,
            virtualBytes: stat.count > 20 ? Int(stat[20]) : nil,
            openDescriptors: openDescriptorCount,
            descriptorsMax: hasLimit ? Int(clamping: limit.rlim_cur) : nil,
            startSeconds: started.flatMap { start in bootSeconds.map { $0 + start } })
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }

    /// From the third on: the second is a name, which may have spaces and brackets.
    private static var statFields: [Substring] {
        guard let text = TextFile.read("/proc/self/stat"), let end = text.lastIndex(of: ")")
        else { return [] }
        return text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
    }

    private static var bootSeconds: Double? {
        let lines = TextFile.read("/proc/stat")?.split(separator: "\n") ?? []
        return lines.first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }
    }

    private static var openDescriptorCount: Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without "." and "..", and without the folder's own.
        return count - 3
    }
}
