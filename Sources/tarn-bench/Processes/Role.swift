import CLinux
import Glibc

/// What this program does for itself in another process of the run.
enum Role: String {
    /// Becomes the program that is named.
    case daemon
    case writer
    case watcher
    case broadcaster
    case bulkWriter = "bulk-writer"
    case pinger
    case handshakeCrowd = "handshake-crowd"

    static let verb = "--role"
    /// No role outlives this, whatever happens.
    private static let secondsMax: UInt32 = 600

    static func run(_ words: [String]) throws(BenchError) {
        // A run that is killed takes its processes along.
        _ = tarn_end_with_parent(SIGTERM)
        guard let role = words.first.flatMap(Role.init(rawValue:)) else {
            throw .usage("\(verb) is for the program itself.")
        }
        let rest = Array(words.dropFirst())
        if role != .daemon { alarm(secondsMax) }
        switch role {
        case .daemon: try become(rest)
        case .writer: try Writer.run(RoleArguments(rest))
        case .watcher: try Watcher.run(RoleArguments(rest))
        case .broadcaster: try Broadcaster.run(RoleArguments(rest))
        case .bulkWriter: try BulkWriter.run(RoleArguments(rest))
        case .pinger: try Pinger.run(RoleArguments(rest))
        case .handshakeCrowd: try HandshakeCrowd.run(RoleArguments(rest))
        }
    }

    private static func become(_ words: [String]) throws(BenchError) {
        guard let path = words.first else { throw .usage("A program is missing.") }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        execv(path, &arguments)
        throw BenchError("\(path) cannot be started: \(String(cString: strerror(errno))).")
    }
}

/// `name=value` words, as a run hands them to its parts.
struct RoleArguments {
    private let values: [String: String]

    init(_ words: [String]) {
        var values: [String: String] = [:]
        for word in words {
            guard let sign = word.firstIndex(of: "=") else { continue }
            values[String(word[..<sign])] = String(word[word.index(after: sign)...])
        }
        self.values = values
    }

    func text(_ name: String) throws(BenchError) -> String {
        guard let value = values[name] else { throw .usage("\(name)= is missing.") }
        return value
    }

    func number(_ name: String) throws(BenchError) -> Int {
        guard let number = Int(try text(name)) else { throw .usage("\(name)= is no number.") }
        return number
    }
}
