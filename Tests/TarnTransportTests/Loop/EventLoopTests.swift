import Glibc
import Synchronization
import TarnTesting
import TarnTransport
import Testing

@Suite struct EventLoopTests {
    @Test func `timers fire in the order of their times, and a cancelled one never`() throws {
        let stage = try Stage()
        var fired: [Int] = []
        for number in [3, 1, 2] {
            stage.loop.schedule(after: .milliseconds(number * 5)) { fired.append(number) }
        }
        let cancelled = stage.loop.schedule(after: .milliseconds(7)) { fired.append(0) }

        cancelled.cancel()
        cancelled.cancel()
        stage.run("the timers") { fired.count == 3 }

        #expect(fired == [1, 2, 3])
    }

    @Test func `thousands of timers may be cancelled`() throws {
        let stage = try Stage()
        var fired = 0
        let timers = (0..<5000).map { number in
            stage.loop.schedule(after: .milliseconds(number % 7)) { fired += 1 }
        }

        for timer in timers[1000...] { timer.cancel() }
        stage.run("the others") { fired == 1000 }

        #expect(fired == 1000)
    }

    @Test func `a timer that always makes another holds up nobody`() throws {
        let stage = try Stage()
        var count = 0
        func again() {
            count += 1
            if count < 10_000 { stage.loop.schedule(after: .seconds(-1), again) }
        }
        again()

        stage.run("another timer") { true }

        #expect(count < 10_000)
    }

    @Test func `a timer does not fire early`() throws {
        let stage = try Stage()
        let clock = ContinuousClock()
        let start = clock.now
        var end: ContinuousClock.Instant?
        stage.loop.schedule(after: .milliseconds(20)) { end = clock.now }

        stage.run("the timer") { end != nil }

        #expect(start.duration(to: try #require(end)) >= .milliseconds(20))
    }

    @Test func `jobs of other threads are done in order, on the loop's thread`() throws {
        let stage = try Stage()
        let loop = stage.loop
        let other = try EventLoop(name: "other")
        try other.startThread()
        let seen = Mutex<[Int]>([])

        other.execute {
            for number in 0..<1000 {
                loop.execute {
                    loop.preconditionOnThread()
                    seen.withLock { $0.append(number) }
                }
            }
        }
        stage.run("the jobs") { seen.withLock { $0.count } == 1000 }
        other.stop()

        #expect(seen.withLock { $0 } == Array(0..<1000))
    }

    @Test func `many jobs of other threads are one wake-up, and done in one turn`() throws {
        let loop = try EventLoop(name: "many")
        let done = Mutex(0)
        let haveAsked = Mutex(false)
        let other = try EventLoop(name: "other")
        try other.startThread()
        other.execute {
            for _ in 0..<1_000 { loop.execute { done.withLock { $0 += 1 } } }
            haveAsked.withLock { $0 = true }
        }
        #expect(Deadline(seconds: 20).wait { haveAsked.withLock { $0 } })
        other.stop()

        let turnsBefore = loop.turnCount
        while loop.runOneTurn(waiting: 0) {}

        #expect(done.withLock { $0 } == 1_000)
        #expect(loop.counters.wakeUps.count == 1)
        // The second finds nothing left to do.
        #expect(loop.turnCount - turnsBefore == 2)
    }

    @Test func `a job may ask for another, which comes in a later turn`() throws {
        let stage = try Stage()
        let loop = stage.loop
        let count = Mutex(0)
        @Sendable func again() {
            let done = count.withLock { count in
                count += 1
                return count == 100
            }
            if !done { loop.execute(again) }
        }

        loop.execute(again)
        stage.run("all of them") { count.withLock { $0 } == 100 }
    }

    @Test func `a watched descriptor calls back while it is readable, until it is cancelled`()
        throws
    {
        let stage = try Stage()
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var received: [UInt8] = []
        let watch = try stage.loop.watch(ends[0], .readable) { readiness in
            #expect(readiness.contains(.readable))
            var byte: UInt8 = 0
            if read(ends[0], &byte, 1) == 1 { received.append(byte) }
        }

        write(ends[1], [1, 2, 3] as [UInt8], 3)
        stage.run("three bytes") { received.count == 3 }
        watch.cancel()
        write(ends[1], [4] as [UInt8], 1)
        var isLater = false
        stage.loop.schedule(after: .milliseconds(5)) { isLater = true }
        stage.run("a while") { isLater }

        #expect(received == [1, 2, 3])
    }

    @Test func `who watches nothing still hears that the other end hung up`() throws {
        let stage = try Stage()
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        var heard: Readiness = []
        var watch: DescriptorWatch?
        watch = try stage.loop.watch(ends[0], []) { readiness in
            heard = readiness
            watch?.cancel()
        }

        close(ends[1])
        stage.run("the end") { !heard.isEmpty }

        #expect(heard == .hungUp)
    }

    /// Something whose thread is a loop's.
    private actor Pinned {
        private let loop: EventLoop
        private var count = 0

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(on loop: EventLoop) {
            self.loop = loop
        }

        func increase() -> Int {
            loop.preconditionOnThread()
            count += 1
            return count
        }

        /// As a callback of the loop does, which knows where it is.
        nonisolated func increaseAtOnce() -> Int {
            assumeIsolated { $0.increase() }
        }
    }

    @Test func `an actor may live on a loop`() async throws {
        let loop = try EventLoop(name: "actor")
        try loop.startThread()
        let pinned = Pinned(on: loop)

        let first = await pinned.increase()
        let second = await Task(executorPreference: loop) { pinned.increaseAtOnce() }.value
        loop.stop()

        #expect(first == 1)
        #expect(second == 2)
    }

    @Test func `touching a loop from another thread is stopped`() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop(name: "one")
            let other = try EventLoop(name: "other")
            other.execute { _ = loop.schedule(after: .zero) {} }
            other.stop()
            try other.startThread()
            pause()
        }
    }
}
