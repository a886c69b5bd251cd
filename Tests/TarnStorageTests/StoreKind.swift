import TarnModel
import TarnSQLite
import TarnStorage
import TarnTesting
import Testing

/// The implementations of each port, of which all must keep the same promises.
enum StoreKind: CaseIterable, CustomTestStringConvertible, Sendable {
    case memory, sqlite

    var testDescription: String { "\(self)" }

    func realmStore(in folder: TemporaryFolder) throws -> any RealmStore {
        switch self {
        case .memory: MemoryRealmStore()
        case .sqlite: try SQLiteRealmStore(path: folder.file("realm.db"))
        }
    }

    func commitLog(in folder: TemporaryFolder) throws -> any CommitLog {
        switch self {
        case .memory: MemoryCommitLog()
        case .sqlite: try SQLiteCommitLog(path: folder.file("log.db"))
        }
    }

    func accountStore(in folder: TemporaryFolder) throws -> any AccountStore {
        switch self {
        case .memory: MemoryAccountStore()
        case .sqlite: try SQLiteAccountStore(path: folder.file("accounts.db"))
        }
    }
}

let alice = ReplicaID(0xA11C_E000_0000_0001)
let bob = ReplicaID(0xB0B0_0000_0000_0002)

func transaction(_ replica: ReplicaID, _ sequence: UInt64) -> TransactionID {
    TransactionID(replica: replica, sequence: sequence)
}

func slot(_ transaction: TransactionID, _ ordinal: UInt32 = 0) -> SlotID {
    SlotID(transaction: transaction, ordinal: ordinal)
}

func point(_ version: UInt64) -> ResumePoint {
    ResumePoint(version: Version(version), salt: Salt(version &* 0x9E37_79B9_7F4A_7C15))
}

func origin(
    _ transaction: TransactionID, ticks: UInt64 = 0, user: String = "alice"
) -> Origin {
    Origin(
        transaction: transaction,
        hash: ChainHash(prefixOf: transaction.sequence.bigEndianBytes + [0, 1, 2, 3, 4, 5, 6, 7])
            ?? .zero, ticks: ticks, user: user)
}
