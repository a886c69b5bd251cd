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
    let dice: Dice
    let salts: SaltSource
    var sides: [Int: Side] = [:]
    var isUp = true
    /// Counts its starts: what was planned for an earlier life does not happen.
    var life = 0
    /// So many batches are still written before the log has no room for one; nil where it has.
    var appendsToFailure: Int?
    /// Milliseconds that its clock is wrong by.
    var clockError: Int64 = 0

    init(realms: [HostedRealm], dice: Dice) {
        self.realms = realms
        self.dice = dice
        salts = SaltSource(seed: dice.next())
    }

    func realm(_ name: RealmName) -> HostedRealm? { realms.first { $0.name == name } }
}
