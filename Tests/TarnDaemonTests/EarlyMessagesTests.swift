import TarnProtocol
import Testing

@testable import TarnDaemon

struct EarlyMessagesTests {
    private let channel = Channel(1)
    private let message = ClientMessage.unsubscribe(Channel(1), number: 1)

    private func added(_ count: Int, of byteCount: Int, to early: inout EarlyMessages) -> Bool {
        var isAllThere = true
        for _ in 0..<count {
            isAllThere = early.add(message, of: byteCount, on: channel) && isAllThere
        }
        return isAllThere
    }

    @Test(arguments: [(-1, true), (0, true), (1, false)])
    func `a channel may have so many messages wait`(more: Int, isAllThere: Bool) {
        var early = EarlyMessages()
        early.begin(channel)

        let result = added(EarlyMessages.countMax + more, of: 10, to: &early)
        let waiting = early.end(channel)

        #expect(result == isAllThere)
        #expect(waiting?.count == EarlyMessages.countMax + min(more, 0))
    }

    @Test(arguments: [(-1, true), (0, true), (1, false)])
    func `a connection may have so many bytes wait`(more: Int, isAllThere: Bool) {
        let half = EarlyMessages.byteCountMax / 2
        var early = EarlyMessages()
        early.begin(channel)
        early.begin(Channel(2))

        let first = early.add(message, of: half, on: Channel(2))
        let second = early.add(message, of: half + more, on: channel)
        // Who is found makes room for others.
        let found = early.end(Channel(2))
        let third = early.add(message, of: half - 1, on: channel)

        #expect(first && second == isAllThere)
        #expect(found?.count == 1)
        #expect(third)
    }

    @Test func `what is said on a channel that waits for nothing is not kept`() {
        var early = EarlyMessages()

        let isWell = early.add(message, of: 10, on: channel)
        let waiting = early.end(channel)

        #expect(isWell && waiting == nil)
    }
}
