import TarnModel
import TarnStorage
import TarnTesting
import Testing

struct LogRecordCodingTests {
    private let realm = RealmID(bytes: Array(1...16))!

    private func record(_ outcome: Outcome) -> LogRecord {
        let id = transaction(alice, 9)
        return LogRecord(
            realm: realm, point: ResumePoint(version: Version(3), salt: Salt(.max)),
            origin: origin(id, ticks: .max, user: "al-ice"), outcome: outcome,
            effects: [
                .create(
                    className: "A", key: .int(1), life: id,
                    values: [InitialValue("p", .bool(true), isDefault: true)]),
                .delete(className: "A", key: .int(2)),
            ])
    }

    @Test(arguments: [
        Outcome.accepted,
        .overridden([
            Override(className: "A", key: .int(1), property: nil, reason: .objectDeleted)
        ]), .refused(Refusal(.unknownName, "There is no class B.")),
        .parked(
            Parking(
                creator: TransactionID(replica: ReplicaID(7), sequence: 9), sentence: "It waits.")),
    ])
    func `a record comes back as it was written`(outcome: Outcome) throws {
        let record = record(outcome)

        let read = try LogRecord(record.encoded, realm: realm, version: Version(3))

        #expect(read == record)
    }

    @Test func `a record of another format is refused`() {
        var bytes = record(.accepted).encoded
        #expect(bytes[1] == 1)
        bytes[1] = 2

        #expect(throws: FormatError.self) {
            try LogRecord(bytes, realm: realm, version: Version(3))
        }
    }

    @Test func `a record with bytes after its end is refused`() {
        #expect(throws: FormatError.self) {
            try LogRecord(record(.accepted).encoded + [0], realm: realm, version: Version(3))
        }
    }

    @Test(arguments: [UInt64](1...50))
    func `a changed record is read or refused, and never traps`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var bytes = record(.accepted).encoded
            bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                UInt8(truncatingIfNeeded: random.next())
            _ = try? LogRecord(
                Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))), realm: realm,
                version: Version(3))
        }
    }
}
