package import TarnServer
package import TarnTransport

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
    /// `host:port` of this machine where figures are told; nil for nowhere.
    package var metrics: String?
    /// In bytes; with less free than that the disk counts as full.
    package var freeSpaceMin = 256 << 20
    /// How much of the past is kept.
    package var history = HistoryPolicy()
    /// Threads for sockets, and threads for realms.
    package var loops: Int
    package var realmThreads: Int
    /// How many connections there may be.
    package var connections = ConnectionBounds()
    /// Proxies that many people come through, and that say for whom they speak.
    package var trustedProxies: [AddressRange] = []

    /// T-A-R-N on a telephone.
    package static let defaultPort: UInt16 = 8276
    package static let defaultMetricsPort: UInt16 = 9276
    package static let defaultFile = "/etc/tarn/tarnd.conf"

    package init(dataFolder: String, cores: Int) {
        self.dataFolder = dataFolder
        listen = ["localhost:\(Self.defaultPort)"]
        loops = max(1, cores)
        realmThreads = max(1, cores / 2)
    }
}

/// How many connections a daemon has at a time. A stranger is who has not logged in (yet).
package struct ConnectionBounds: Equatable, Sendable {
    package var all: Int
    package var byAddress: Int
    package var strangers: Int
    package var strangersByAddress: Int

    package init() {
        let limits = TransportLimits()
        all = limits.connectionCountMax
        byAddress = limits.connectionCountByAddressMax
        strangers = limits.strangerCountMax
        strangersByAddress = limits.strangerCountByAddressMax
    }

    func apply(to limits: inout TransportLimits) {
        limits.connectionCountMax = all
        limits.connectionCountByAddressMax = byAddress
        limits.strangerCountMax = strangers
        limits.strangerCountByAddressMax = strangersByAddress
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
