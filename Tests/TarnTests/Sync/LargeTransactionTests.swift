import Tarn
import TarnClient
import TarnModel
import TarnStorage
import TarnTransport
import Testing

/// What is as large as it may be, and larger.
struct LargeTransactionTests {
    @Test
    func `forty megabytes over a connection that is cut twice arrive once`() throws {
        let stage = try Stage()
        let machine = try Machine()
        let profile = try stage.profile("home")
        try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        let piece = String(repeating: "0123456789", count: 99_999)
        for id in Int64(1)...40 { try shared.add(id, "\(id) \(piece)") }
        let proxy = try CuttingProxy(to: stage.port, cuts: [9_000_000, 31_000_000])
        let worker = try Worker { proxy.run() }
        defer {
            proxy.stop()
            worker.join()
        }
        let account = try profile.requireAccount()
        try profile.save(
            Tarn.Account(
                server: Endpoint(host: "localhost", port: proxy.port), user: account.user,
                token: account.token, trust: account.trust))

        try machine.start(shared, in: profile)

        #expect(try machine.reaches(within: .seconds(60)) { try shared.unsent() == 0 })
        #expect(proxy.connectionCount == 3)
        try machine.stop()
        let other = try stage.profile("other")
        try stage.login("alice", in: other)
        let copy = try stage.replica(in: other)
        let second = try Machine()
        try second.start(copy, in: other)
        #expect(try second.reaches(within: .seconds(60)) { try copy.notes().count == 40 })
        #expect(try copy.notes() == shared.notes())
        // The class, the notes, and the class once more by the other: each one version.
        let version = try copy.replica.read { try $0.status().resumePoint.version }
        #expect(version.number <= 42)
        try second.stop()
    }

    @Test
    func `what is too large is refused where it is written, and what follows goes on`() throws {
        let stage = try Stage()
        let machine = try Machine()
        let profile = try stage.profile("home")
        try stage.login("alice", in: profile)
        let shared = try stage.replica(in: profile)
        let driver = try machine.start(shared, in: profile)
        #expect(try machine.reaches { try shared.unsent() == 0 })

        let many = try failure {
            try shared.write { transaction in
                for id in 0...Int64(TransactionLimits.weightMax) {
                    _ = try transaction.create("Note", .int(id), [])
                }
            }
        }
        let heavy = try failure {
            try shared.write { transaction in
                let title = InitialValue("title", .string(String(repeating: "x", count: 2_000)))
                for id in Int64(0)..<340 {
                    _ = try transaction.create("Note", .int(id), [title])
                }
            }
        }
        let max = TransactionLimits.stringBytesMax
        let long = try failure { try shared.add(1, String(repeating: "x", count: max + 1)) }
        try shared.add(1, "small")

        #expect(many?.sentence.hasSuffix("this one has 1000 and 0 KB") == true)
        #expect(heavy?.sentence.hasSuffix("this one has 339 and 662 KB") == true)
        #expect(long?.sentence == "a string has at most \(max) bytes")
        #expect(try machine.reaches { try shared.unsent() == 0 })
        #expect(try shared.notes() == [1: "small"])
        #expect(driver.status.problem == nil)
        try machine.stop()
    }

    private func failure(_ body: () throws -> Void) throws -> ReplicaError? {
        do {
            try body()
            return nil
        } catch let error as ReplicaError {
            return error
        }
    }
}
