import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage

/// The server's machine: one log, its realms, and the connections as it sees them.
final class Daemon {
    /// One connection, from this side.
    final class Side {
        var engine = SessionEngine()
        /// Realms by channel, by their places.
        var realms: [Channel: Int] = [:]
        /// Puts together what is sent, for whoever watches.
        var watch = PartAssembler(bytesMax: ProtocolLimits.groupBytesMax)
    }

    let log = MemoryCommitLog()
    let realms: [HostedRealm]
    let salts: SaltSource
    var sides: [Int: Side] = [:]
    var isUp = true
    /// Counts its starts: what was planned for an earlier life does not happen.
    var life = 0
    /// Milliseconds that its clock is wrong by.
    var clockError: Int64 = 0

    init(realms: [HostedRealm], seed: UInt64) {
        self.realms = realms
        salts = SaltSource(seed: seed)
    }

    func realm(_ name: RealmName) -> HostedRealm? { realms.first { $0.name == name } }
}
