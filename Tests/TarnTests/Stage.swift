import Glibc
import Tarn
import TarnClient
import TarnModel
import TarnProtocol
import TarnStorage
import TarnTesting
import TarnTransport
import Testing

/// A daemon, and people with profiles on one machine.
final class Stage {
    let folder = TemporaryFolder("tarn-library")
    private(set) var daemon: DaemonProcess
    let port: UInt16

    init() throws {
        daemon = try DaemonProcess(data: folder.file("server"), certificates: .shared)
        port = daemon.port
    }

    var server: Endpoint { Endpoint(host: "localhost", port: port) }
    var trust: TLSClientContext.Trust { .authority(TestCertificates.shared.authority) }

    /// Takes the daemon away; `raise` brings it back at the same port, with the same data.
    func fell() { daemon.kill() }

    func raise() throws {
        daemon = try DaemonProcess(
            data: folder.file("server"), certificates: .shared, port: port)
    }

    func profile(_ name: String) throws -> Profile {
        try Profile(name, in: folder.file("profiles"))
    }

    /// Logs a user in by a bare name.
    @discardableResult
    func login(_ user: String, in profile: Profile) throws -> Tarn.Account {
        try profile.login(to: server, as: .nickname(user), trust: trust) { _ in false }
    }

    /// A replica of `alice/todo`, say, with its schema and a subscription to all notes.
    func replica(in profile: Profile) throws -> SharedReplica {
        let account = try profile.requireAccount()
        let shared = try profile.openReplica(
            of: RealmName(owner: account.user, name: "todo")!, for: account)
        if try shared.replica.read({ $0.schema["Note"] }) == nil {
            try shared.write { try $0.addClass(Note.schema) }
        }
        _ = try shared.subscribe(to: "Note SORT(id ASC)", name: "notes")
        return shared
    }
}

/// The one class of these tests.
enum Note {
    static let schema = ClassSchema(
        "Note", primaryKey: PropertySchema("id", .int),
        properties: [PropertySchema("title", .string)])
}

extension SharedReplica {
    func add(_ id: Int64, _ title: String) throws {
        try write { transaction in
            _ = try transaction.create(
                "Note", .int(id), [InitialValue("title", .string(Text(title)))])
        }
    }

    func rename(_ id: Int64, _ title: String) throws {
        try write { transaction in
            let note = try #require(try transaction.reader.find("Note", .int(id)))
            try transaction.set("title", of: note, to: .string(Text(title)))
        }
    }

    /// Titles by number, as the user sees them.
    func notes() throws -> [Int64: String] {
        try replica.read { reader in
            guard reader.schema["Note"] != nil else { return [:] }
            var notes: [Int64: String] = [:]
            for note in try reader.all("Note") {
                guard case .int(let id) = try reader.key(of: note),
                    case .string(let title) = try reader.value("title", of: note)
                else { continue }
                notes[id] = title.string
            }
            return notes
        }
    }

    func unsent() throws -> Int {
        try replica.read { try $0.store.pendingCount() }
    }
}
