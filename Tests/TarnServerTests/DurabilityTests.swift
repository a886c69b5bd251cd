import TarnModel
import TarnProtocol
import TarnServer
import TarnStorage
import Testing

/// Nothing of a turn is told before the log has it, and nothing of it is left where the log failed.
struct DurabilityTests {
    let stage = Stage()
    let client: Client
    let reader: Client

    init() {
        client = Client(stage, 1)
        client.resume()
        client.commit(.addClass(ToDo.project), .addClass(ToDo.item))
        reader = Client(stage, 2)
        reader.resume()
        reader.subscribe(1, "Item")
        stage.settle()
    }

    @Test(arguments: [false, true])
    func `nothing is published before the log has it`(followsAtOnce: Bool) {
        stage.holdsLog = true
        stage.followsAtOnce = followsAtOnce
        let id = client.commit(.createItem("a"))
        #expect(client.outcome(id) == nil)
        #expect(reader.model.objects.isEmpty)

        stage.completeLog()

        #expect(client.outcome(id) == .accepted)
        #expect(reader.model.objects.count == 1)
    }

    @Test func `who comes while the log is written waits, and sees what was written`() throws {
        stage.holdsLog = true
        client.commit(.createItem("a"))
        let late = Client(stage, 3)
        late.open()
        late.subscribe(1, "Item")
        late.say(.start(late.channel))
        stage.settle()
        #expect(late.opened == nil)

        stage.completeLog()
        stage.settle()

        #expect(late.opened?.latest == stage.store.applied)
        try late.expectAgreement()
    }

    @Test func `credit that is granted while the log is written brings nothing that is not in it`()
    {
        let slow = Client(stage, 3)
        slow.isPrompt = false
        slow.open(credit: 0)
        slow.subscribe(1, "Item")
        slow.say(.start(slow.channel))
        stage.settle()
        stage.holdsLog = true
        client.commit(.createItem("a"))

        slow.say(.credit(slow.channel, bytes: 1_000_000))
        stage.settle()
        #expect(slow.model.objects.isEmpty)

        stage.completeLog()
        #expect(slow.model.objects.count == 1)
    }

    @Test(arguments: [false, true])
    func `a log that fails takes the turn back and ends all sessions`(followsAtOnce: Bool) throws {
        stage.holdsLog = true
        stage.followsAtOnce = followsAtOnce
        let before = stage.store.applied
        client.commit(.createItem("a"))

        stage.failLog()

        #expect(stage.store.applied == before)
        #expect(stage.engine.isBroken)
        #expect(client.errors.map(\.code) == [.storageFailed])
        #expect(reader.errors.map(\.code) == [.storageFailed])
        #expect(try stage.store.objects(in: 1).isEmpty)
    }

    @Test func `who opens a broken realm is told so`() {
        stage.holdsLog = true
        client.commit(.createItem("a"))
        let waiting = Client(stage, 3)
        waiting.open()
        stage.settle()
        stage.failLog()
        let late = Client(stage, 4)

        late.open()
        stage.settle()

        #expect(waiting.errors.map(\.code) == [.storageFailed])
        #expect(late.errors.map(\.code) == [.storageFailed])
        #expect(!waiting.isOpen && !late.isOpen)
    }

    @Test func `after a failure the realm opens again and goes on`() throws {
        stage.holdsLog = true
        let id = client.commit(.createItem("a"))
        stage.failLog()
        stage.holdsLog = false
        try stage.restart()

        client.resume()
        reader.resume()

        #expect(client.outcome(id) == .accepted)
        try reader.expectAgreement()
        #expect(reader.model.objects.count == 1)
    }

    @Test func `what the log has and the store has not is there after a restart`() throws {
        stage.holdsLog = true
        let id = client.commit(.createItem("a"))
        try stage.appendWithoutAnswer()
        stage.holdsLog = false
        try stage.restart()

        client.resume()
        reader.resume()

        #expect(client.outcome(id) == .accepted)
        #expect(client.receipts.map(\.sequence) == [1, 2])
        try reader.expectAgreement()
    }

    @Test func `a log that has the batch and says that it has not loses nothing, and tells no lie`()
        throws
    {
        stage.holdsLog = true
        let id = client.commit(.createItem("a"))
        try stage.appendWithoutAnswer()

        stage.failLog()
        #expect(client.outcome(id) == nil && stage.engine.isBroken)
        stage.holdsLog = false
        try stage.restart()
        client.resume()
        reader.resume()

        #expect(client.outcome(id) == .accepted)
        try reader.expectAgreement()
        #expect(reader.model.objects.count == 1)
    }

    @Test func `a store that fails at any call of a turn tells nobody, and goes on after`() throws {
        var calls = 0
        for number in 1..<300 {
            calls = number
            var left = number
            stage.store.fault = { _ in
                left -= 1
                return left == 0 ? StorageError(.full, while: "writing") : nil
            }
            let id = client.commit(.createItem("item \(number)"))
            stage.store.fault = { _ in nil }
            if left > 0 { break }
            #expect(stage.engine.isBroken, "call \(number)")
            // Who was told was told the truth.
            if client.outcome(id) != nil {
                #expect(try stage.log.lastVersion(of: Stage.realm) == stage.store.applied.version)
            }

            try stage.restart()
            client.resume()
            reader.resume()

            #expect(client.outcome(id) == .accepted, "call \(number)")
            try reader.expectAgreement()
        }
        #expect((5..<300).contains(calls))
    }

    @Test func `what neither has is sent again and decided then`() throws {
        stage.holdsLog = true
        let id = client.commit(.createItem("a"))
        stage.holdsLog = false
        try stage.restart()
        #expect(stage.version == Version(1))

        client.resume()

        #expect(client.outcome(id) == .accepted)
    }

    @Test func `a log that lacks records is refused`() throws {
        client.commit(.createItem("a"))
        client.commit(.createItem("b"))
        try stage.log.trim(Stage.realm, through: stage.version)

        #expect(throws: StorageError.self) { try stage.restart(losing: 6) }
    }

    @Test func `closing all ends sessions in order, and the realm can be opened again`() throws {
        stage.perform(stage.engine.closeAll(ProtocolError(.shuttingDown, "Good night.")))
        #expect(client.errors.map(\.code) == [.shuttingDown])
        #expect(reader.errors.map(\.code) == [.shuttingDown])
        #expect(stage.engine.isIdle)

        client.resume()
        client.commit(.createItem("a"))
        reader.resume()

        try reader.expectAgreement()
        #expect(reader.lastGroup?.views.map(\.isFull) == [false])
    }
}
