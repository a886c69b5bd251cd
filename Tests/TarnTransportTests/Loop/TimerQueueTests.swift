import TarnTesting
import Testing

@testable import TarnTransport

@Suite struct TimerQueueTests {
    @Test func `timers that are cancelled and made anew do not fill the queue`() throws {
        let loop = try EventLoop(name: "timers")
        var timers = (0..<10_000).map { _ in loop.schedule(after: .seconds(25)) {} }

        for _ in 0..<20 {
            for index in timers.indices {
                timers[index].cancel()
                timers[index] = loop.schedule(after: .seconds(25)) {}
            }
            #expect(loop.timerCount <= 2 * timers.count + 64)
        }

        for timer in timers { timer.cancel() }
        #expect(loop.timerCount <= 128)
    }

    @Test(arguments: [UInt64](1...20))
    func `timers fire in the order of their times, and cancelled ones not at all`(seed: UInt64)
        throws
    {
        // One test uses it, on one thread: that is why it is Sendable without the compiler's proof.
        final class Clock: @unchecked Sendable {
            var now = MonotonicTime(nanoseconds: 0)
        }
        let clock = Clock()
        let loop = try EventLoop(name: "timers", clock: { clock.now })
        var random = SeededGenerator(seed: seed)
        var fired: [Int] = []
        var expected: [(time: Int, number: Int)] = []
        for number in 0..<300 {
            let time = Int.random(in: 1...50, using: &random)
            let timer = loop.schedule(after: .seconds(time)) { fired.append(number) }
            if Int.random(in: 0..<3, using: &random) == 0 {
                timer.cancel()
            } else {
                expected.append((time, number))
            }
        }

        while let next = loop.nextTimerTime {
            clock.now = next
            _ = loop.runOneTurn(waiting: 0)
        }

        #expect(
            fired == expected.sorted { ($0.time, $0.number) < ($1.time, $1.number) }.map(\.number))
    }
}
