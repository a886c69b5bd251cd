/// What the kernel holds for all sockets of TCP on this machine.
enum KernelMemory {
    /// Kilobytes, by pages of four.
    static var ofSockets: Int {
        let text = TextFile.read("/proc/net/sockstat") ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix("TCP:") {
            let words = line.split(separator: " ")
            guard let place = words.firstIndex(of: "mem"), place + 1 < words.count else { continue }
            return (Int(words[place + 1]) ?? 0) * 4
        }
        return 0
    }
}
