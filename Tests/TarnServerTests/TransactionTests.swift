import TarnModel
import TarnProtocol
import TarnStorage
import Testing

/// Each transaction is verified to be the next of its replica's chain, and decided once.
struct TransactionTests {
    let stage = Stage()
    let client: Client

    init() {
        client = Client(stage, 1)
        client.resume()
        client.commit(.addClass(ToDo.project), .addClass(ToDo.item))
    }

    @Test func `what is accepted has a receipt in the next group`() {
        let id = client.commit(.createItem("a"))

        #expect(client.outcome(id) == .accepted)
        #expect(client.pending == 0)
        #expect(client.model.integrated == stage.store.applied)
    }

    /// What each of some transactions weighs, and whether it is taken.
    private static let weights: [(changes: Int, textBytes: Int, isTaken: Bool)] = [
        (1_000, 0, true), (1_101, 0, false), (500, 500 << 10, true), (500, 650 << 10, false),
        (1, 1_000_000, true), (1, 1_000_001, false), (2, 1_200_000, false),
        (1_100, 200 << 10, false),
    ]

    @Test(arguments: weights)
    func `what is too heavy is refused with the figures, and what follows is decided`(
        changes: Int, textBytes: Int, isTaken: Bool
    ) {
        let text = Text(String(repeating: "x", count: textBytes / changes))
        let made = client.commit(.createItem("a"))
        let id = client.write(
            (0..<changes).map { _ in
                .set(.item("a", made), property: "body", value: .string(text))
            })
        let next = client.write([.createItem("b")])
        client.upload()
        stage.settle()

        #expect(client.errors.isEmpty)
        #expect(client.outcome(next) == .accepted)
        guard !isTaken else { return #expect(client.outcome(id) == .accepted) }
        var code: Refusal.Code?
        if case .refused(let refusal) = client.outcome(id) { code = refusal.code }
        #expect(code == .tooLarge)
    }

    @Test func `a gap in the sequence ends the session`() {
        client.write([.createItem("a")])
        client.write([.createItem("b")])
        let before = stage.version

        client.upload(client.sealed(3)!, 3)
        stage.settle()

        #expect(client.errors.map(\.code) == [.sequenceGap])
        #expect(stage.version == before)
    }

    @Test func `a transaction that does not continue the chain is a fork`() {
        client.write([.createItem("a")])
        let sealed = client.sealed(2)!

        client.upload(
            SealedTransaction(body: sealed.body, hash: .zero, clockTicks: sealed.clockTicks), 2)
        stage.settle()

        #expect(client.errors.map(\.code) == [.forked])
    }

    @Test func `a repeated transaction that is another one is a fork`() {
        client.write([.createItem("a")])
        let sealed = client.sealed(2)!
        client.upload(sealed, 2)
        stage.settle()

        client.upload(
            SealedTransaction(body: sealed.body, hash: .zero, clockTicks: sealed.clockTicks), 2)
        stage.settle()

        #expect(client.errors.map(\.code) == [.forked])
    }

    @Test func `a repeated transaction is not decided again, and its receipt comes once`() {
        client.write([.createItem("a")])
        let sealed = client.sealed(2)!
        client.isPrompt = false
        client.upload(sealed, 2)
        stage.settle()
        let version = stage.version

        client.upload(sealed, 2)
        stage.settle()

        #expect(client.isOpen)
        #expect(stage.version == version)
        #expect(client.receipts.map(\.sequence) == [1, 2])
    }

    @Test func `a transaction that is sent again in a later session gets its receipt there`() {
        let id = client.write([.createItem("a")])
        let sealed = client.sealed(2)!
        stage.holdsLog = true
        client.upload(sealed, 2)
        stage.settle()
        client.disconnect()
        stage.completeLog()
        stage.holdsLog = false

        client.open()
        client.say(.start(client.channel))
        client.upload(sealed, 2)
        stage.settle()

        #expect(client.outcome(id) == .accepted)
        #expect(client.receipts.map(\.sequence) == [1, 2])
        #expect(client.errors.isEmpty)
    }

    @Test func `what was written on another history is not decided`() {
        client.write(
            [.createItem("a")], base: ResumePoint(version: stage.version, salt: Salt(5)))
        client.upload()
        stage.settle()

        #expect(client.errors.map(\.code) == [.rewound])
    }

    @Test func `what was written on a version to come is not decided`() {
        client.write(
            [.createItem("a")], base: ResumePoint(version: Version(.max), salt: .zero))
        client.upload()
        stage.settle()

        #expect(client.errors.map(\.code) == [.rewound])
    }

    @Test func `a body that cannot be read ends the session`() {
        client.seal([1, 2, 3])
        client.upload()
        stage.settle()

        #expect(client.errors.map(\.code) == [.protocolViolation])
    }

    @Test func `an upload that cannot be read ends the session`() {
        client.say(
            .upload(client.channel, sequence: 2, Part(total: 2, offset: 0, bytes: [1, 2])))
        stage.settle()

        #expect(client.errors.map(\.code) == [.protocolViolation])
    }

    @Test func `a transaction of another replica ends the session`() {
        let id = TransactionID(replica: ReplicaID(9), sequence: 2)
        client.seal(
            TransactionEncoder.body(
                of: Transaction(id: id, base: client.model.integrated, changes: [])))
        client.upload()
        stage.settle()

        #expect(client.errors.map(\.code) == [.protocolViolation])
    }

    @Test func `a transaction in parts is put together, and each part is acknowledged`() {
        let text = String(repeating: "x", count: ProtocolLimits.partBytesMax * 2)

        let id = client.commit(.createItem("a", InitialValue("body", .string(text))))

        #expect(client.outcome(id) == .accepted)
        #expect(
            client.received.map(\.offset)
                == [1, 2].map { UInt64(ProtocolLimits.partBytesMax * $0) })
    }

    @Test func `a part of another transaction in between ends the session`() {
        client.say(
            .upload(client.channel, sequence: 2, Part(total: 9, offset: 0, bytes: [1])))
        client.say(
            .upload(client.channel, sequence: 3, Part(total: 9, offset: 0, bytes: [1])))
        stage.settle()

        #expect(client.errors.map(\.code) == [.protocolViolation])
    }

    @Test func `more bytes than were granted end the session`() {
        let text = String(repeating: "x", count: ProtocolLimits.creditInitial)
        client.write([.createItem("a", InitialValue("body", .string(text)))])

        client.upload()
        stage.holdsLog = true
        stage.settle()

        #expect(client.errors.map(\.code) == [.protocolViolation])
    }

    @Test func `what is decided is granted again`() {
        client.write([.createItem("a")])
        let bytes = client.sealed(2)!.encoded().count
        let granted = client.grantedUploads

        client.upload()
        stage.settle()

        #expect(client.grantedUploads - granted == UInt64(bytes))
    }

    @Test func `ten thousand small transactions at once are all decided`() {
        for number in 0..<10_500 { client.write([.createItem("i\(number % 7)")]) }

        client.upload()
        stage.settle()

        #expect(client.errors.isEmpty)
        #expect(client.pending == 0)
    }

    @Test func `a bad transaction ends its own session and leaves the others' work`() throws {
        let other = Client(stage, 2)
        other.resume()
        client.write([.createItem("a")])
        client.seal([0])
        other.write([.createItem("b")])

        client.upload()
        other.upload()
        stage.settle()

        #expect(client.errors.map(\.code) == [.protocolViolation])
        #expect(other.receipts.map(\.outcome) == [.accepted])
        #expect(try stage.store.objects(in: 1).count == 2)
    }

    @Test func `writers take turns, and none waits for all of another's work`() {
        let other = Client(stage, 2)
        other.resume()
        for number in 0..<1_500 { client.write([.createItem("c\(number % 5)")]) }
        client.upload()
        let id = other.write([.createItem("o")])
        other.upload()

        stage.turn()

        #expect(other.outcome(id) == .accepted)
        #expect(client.pending > 0)
    }
}
