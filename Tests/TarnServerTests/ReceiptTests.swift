import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage
import Testing

/// Outcomes are kept until the replica has said that it knows them.
struct ReceiptTests {
    let stage = Stage()
    let client: Client

    init() {
        client = Client(stage, 1)
        stage.engine.receiptsKept = 0
        client.resume()
        client.commit(.addClass(ToDo.project), .addClass(ToDo.item))
    }

    private func kept() throws -> [UInt64] {
        try stage.store.receipts(of: client.replica, after: 0).map(\.sequence)
    }

    @Test func `a receipt is kept until it is confirmed`() throws {
        client.isPrompt = false
        client.commit(.createItem("a"))
        #expect(try kept() == [2])

        client.isPrompt = true
        stage.settle()

        #expect(try kept() == [])
        #expect(try stage.store.head(of: client.replica)?.confirmedHash == client.hash)
    }

    @Test func `a receipt that did not arrive comes in the next session`() throws {
        let id = client.write([.createItem("a")])
        client.upload()
        stage.holdsLog = true
        stage.turn()
        client.disconnect()
        stage.completeLog()
        stage.holdsLog = false
        #expect(client.outcome(id) == nil)

        client.resume()

        #expect(client.outcome(id) == .accepted)
    }

    @Test func `what was not sent cannot be confirmed`() {
        client.say(.integrated(client.channel, client.model.integrated, acknowledgedSequence: 2))
        stage.settle()

        #expect(client.errors.map(\.code) == [.protocolViolation])
    }

    @Test(arguments: [Salt(3), Salt(0)])
    func `a version with another salt cannot have been integrated`(salt: Salt) {
        client.say(
            .integrated(
                client.channel, ResumePoint(version: stage.version, salt: salt),
                acknowledgedSequence: 1))
        stage.settle()

        #expect(client.errors.map(\.code) == [.protocolViolation])
    }

    @Test func `a group that is still on its way cannot have been integrated`() throws {
        client.subscribe(1, "Item")
        let text = String(repeating: "x", count: 1000)
        client.commit(.createItem("a", InitialValue("body", .string(text))))
        client.disconnect()
        stage.settle()
        let other = Client(stage, 2)
        other.open(credit: 100)
        other.subscribe(1, "Item")
        other.say(.start(other.channel))
        other.isPrompt = false
        stage.settle()
        try #require(other.groups.isEmpty)

        other.say(
            .integrated(other.channel, stage.store.applied, acknowledgedSequence: 0))
        stage.settle()

        #expect(other.errors.map(\.code) == [.protocolViolation])
    }

    @Test func `what depends on a refused transaction is refused whole`() {
        let refused = client.write([
            .createItem("a"), .createItem("b", InitialValue("body", .int(1))),
        ])
        let dependent = client.write([
            .createItem("c"), .set(.item("a", refused), property: "body", value: .string("x")),
        ])
        let free = client.write([.createItem("d")])

        client.upload()
        stage.settle()

        #expect(refusal(client.outcome(refused)) == .wrongType)
        #expect(refusal(client.outcome(dependent)) == .dependsOnRefused)
        #expect(client.outcome(free) == .accepted)
    }

    @Test func `a link to what a refused transaction was to create depends on it`() {
        let refused = client.write([
            .createItem("a"), .createItem("b", InitialValue("body", .int(1))),
        ])
        let dependent = client.write([
            .createItem("c", InitialValue("next", .link("a", of: refused)))
        ])

        client.upload()
        stage.settle()

        #expect(refusal(client.outcome(dependent)) == .dependsOnRefused)
    }

    @Test func `a refused transaction is remembered until its author has written knowing it`()
        throws
    {
        let base = client.model.integrated
        let refused = client.commit(.createItem("a", InitialValue("body", .int(1))))
        #expect(try kept() == [2])
        client.disconnect()
        try stage.restart()
        stage.engine.receiptsKept = 0
        client.resume()

        let late = client.commit(.delete(.item("a", refused)), base: base)
        #expect(refusal(client.outcome(late)) == .dependsOnRefused)
        let knowing = client.commit(.createItem("e"))

        #expect(client.outcome(knowing) == .accepted)
        #expect(try kept() == [])
    }

    @Test func `a refused transaction uses up its sequence and changes nothing`() throws {
        let version = stage.version

        client.commit(.createItem("a"), .createItem("b", InitialValue("nonsense", .int(1))))

        #expect(stage.version == version.next)
        #expect(try stage.store.objects(in: 1).isEmpty)
        #expect(refusal(client.receipts.last?.outcome) == .unknownName)
    }

    @Test func `receipts of many transactions come in order, with little credit too`() {
        client.disconnect()
        stage.settle()
        for number in 0..<40 { client.write([.createItem("i\(number)")]) }

        client.resume(credit: 10)

        #expect(client.receipts.map(\.sequence) == Array(1...41))
    }
}

/// The code of a refusal.
func refusal(_ outcome: Outcome?) -> Refusal.Code? {
    if case .refused(let refusal)? = outcome { refusal.code } else { nil }
}

/// What was lost of a transaction, and to what.
func overrides(_ outcome: Outcome?) -> [Override.Reason] {
    if case .overridden(let overrides)? = outcome { overrides.map(\.reason) } else { [] }
}
