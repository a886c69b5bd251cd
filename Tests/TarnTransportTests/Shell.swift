import Glibc

/// Runs the tools that a test needs, and independent peers.
enum Shell {
    /// What the command printed, and its status.
    static func run(_ command: String) -> (output: String, status: Int32) {
        guard let pipe = popen("exec 2>&1; \(command)", "r") else { return ("no pipe", -1) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = fread(&buffer, 1, buffer.count, pipe)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        let status = pclose(pipe)
        return (String(decoding: bytes, as: UTF8.self), status >> 8)
    }

    static func has(_ tool: String) -> Bool {
        run("command -v \(tool)").status == 0
    }
}
