import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage

/// Nobody here has one.
private struct NoPasswords: Error {}

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

    private(set) var log: MemoryCommitLog
    private(set) var accounts: MemoryAccountStore
    private(set) var authenticator: Authenticator
    /// The last few, the latest last.
    var backups: [ServerBackup] = []
    /// Whether it has ever become what it was before.
    private(set) var isRestored = false
    /// What is wrong with the disk.
    let power: SimulatedDisk
    let realms: [HostedRealm]
    let means: ServerMeans
    let dice: Dice
    let salts: SaltSource
    var sides: [Int: Side] = [:]
    var isUp = true
    /// Counts its starts: what was planned for an earlier life does not happen.
    var life = 0
    /// So many batches are still written before the log has no room for one; nil where it has.
    var appendsToFailure: Int?
    var clock = SimulatedClock()

    init(realms: [HostedRealm], power: SimulatedDisk, dice: Dice, means: ServerMeans) {
        self.means = means
        self.realms = realms
        self.dice = dice
        self.power = power
        let salts = SaltSource(seed: dice.next())
        self.salts = salts
        log = MemoryCommitLog { _ in power.answer(.commit) }
        accounts = MemoryAccountStore { power.answer($0) }
        authenticator = Self.authenticator(of: accounts, salts)
    }

    private static func authenticator(
        of accounts: MemoryAccountStore, _ salts: SaltSource
    ) -> Authenticator {
        Authenticator(
            accounts: accounts,
            cryptography: AccountCryptography(
                sha256: Digest.digest,
                randomBytes: { count in (0..<count).map { _ in UInt8(salts.next() & 0xFF) } },
                hashPassword: { _, _ in throw NoPasswords() },
                verifyPassword: { _, _ in throw NoPasswords() }),
            providers: LoginProviders(allowsNicknames: true, allowsRegistration: false))
    }

    /// The log and the accounts become what they were.
    func put(_ backup: ServerBackup) {
        let power = power
        log = backup.log.copied()
        log.fault = { _ in power.answer(.commit) }
        accounts = backup.accounts.copied()
        accounts.fault = { power.answer($0) }
        authenticator = Self.authenticator(of: accounts, salts)
        isRestored = true
    }

    func realm(_ name: RealmName) -> HostedRealm? { realms.first { $0.name == name } }
}
