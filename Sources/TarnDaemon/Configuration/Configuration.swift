/// What a daemon is told before it starts.
package struct Configuration: Equatable, Sendable {
    /// Where everything is kept.
    package var dataFolder: String
    /// `host:port` each; port 0 lets the system choose.
    package var listen: [String]
    package var certificate: String?
    package var key: String?
    package var allowsNicknames = false
    package var allowsRegistration = true
    package var allowsTLS12 = false
    package var logLevel: LogLevel = .info
    /// Threads for sockets, and threads for realms.
    package var loops: Int
    package var realmThreads: Int

    /// T-A-R-N on a telephone.
    package static let defaultPort: UInt16 = 8276
    package static let defaultFile = "/etc/tarn/tarnd.conf"

    package init(dataFolder: String, cores: Int) {
        self.dataFolder = dataFolder
        listen = ["localhost:\(Self.defaultPort)"]
        loops = max(1, cores / 2)
        realmThreads = max(1, cores / 2)
    }
}

package enum LogLevel: Int, Comparable, Sendable, CaseIterable {
    case debug, info, warning, error

    package var name: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }

    package init?(_ name: String) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    package static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
