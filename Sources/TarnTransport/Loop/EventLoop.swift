internal import CLinux
internal import Glibc
internal import Synchronization

/// One thread that waits for descriptors, timers and jobs, and calls back plainly. A turn is:
/// descriptors, then jobs from other threads, then timers, then what was put off to the turn's end
/// (connections write there, once), and at last a few handshakes. Everything a turn costs is so
/// paid once a turn.
///
/// What it owns is of two kinds, which is why it is Sendable without the compiler's proof:
/// - `mailbox`, guarded by its mutex, is for every thread;
/// - everything else is for the loop's own thread, and every entrance checks that it is there.
///   Before the loop runs, whoever made it counts as its thread.
package final class EventLoop: @unchecked Sendable {
    package typealias Job = @Sendable () -> Void

    private struct Mailbox {
        var jobs: [Job] = []
        var isWakePending = false
        var shouldStop = false
    }

    package let name: String
    package let counters = LoopCounters()
    private let mailbox = Mutex(Mailbox())
    private let thread: Atomic<UInt>
    private let epoll: Int32
    private let wake: Int32
    @exclusivity(unchecked) private var alarm = LoopAlarm()

    // Touched in every turn, and not checked for overlapping access, which took an eighth of a
    // small echo: callbacks are called when the loop has done with what it looked at.
    @exclusivity(unchecked) private var watches: [DescriptorWatch?] = []
    private var generation: UInt32 = 0
    @exclusivity(unchecked) private var timers = TimerQueue()
    @exclusivity(unchecked) private var timerNumber: UInt64 = 0
    @exclusivity(unchecked) private var turnEnds: [any TurnEndHandler] = []
    @exclusivity(unchecked) private var spareTurnEnds: [any TurnEndHandler] = []
    @exclusivity(unchecked) private var handshakes = HandshakeQueue()

    private let clock: @Sendable () -> MonotonicTime
    @exclusivity(unchecked) private var jobs: [Job] = []
    @exclusivity(unchecked) private var events = [epoll_event](
        repeating: epoll_event(), count: EventLoop.eventCountMax)

    /// The time at which this turn began; good enough for timeouts, and free.
    @exclusivity(unchecked) package private(set) var now: MonotonicTime
    /// Of all time.
    @exclusivity(unchecked) package private(set) var turnCount = 0

    /// What connections of this loop read into, one after the other, and never keep.
    let cipherScratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)
    /// What connections of this loop encrypt into: four full records and what TLS adds.
    let outgoingScratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 69_632, alignment: 64)
    let buffers = BufferPool()
    let plainScratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 64)

    private static let eventCountMax = 256
    /// Room for jobs that is kept for the turns to come.
    private static let keptJobCount = 1_024

    /// - Parameter clock: the machine's, unless a test says what time it is.
    package init(
        name: String = "loop",
        clock: @escaping @Sendable () -> MonotonicTime = { MonotonicTime.now() }
    ) throws(TransportError) {
        self.name = name
        self.clock = clock
        now = clock()
        thread = Atomic(UInt(pthread_self()))
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard epoll >= 0, wake >= 0,
            tarn_epoll_control(epoll, EPOLL_CTL_ADD, wake, tarn_epoll_in, Self.wakeTag) == 0,
            tarn_epoll_control(
                epoll, EPOLL_CTL_ADD, alarm.descriptor, tarn_epoll_in, Self.alarmTag) == 0
        else { throw SystemError.last("An event loop cannot be made") }
    }

    deinit {
        close(epoll)
        close(wake)
        cipherScratch.deallocate()
        plainScratch.deallocate()
        outgoingScratch.deallocate()
    }

    // MARK: - From every thread

    /// Does the job on the loop's thread, in this turn or the next. Many jobs of one turn cost one
    /// wake-up.
    package func execute(_ job: @escaping Job) {
        let mustWake = mailbox.withLock { mailbox in
            mailbox.jobs.append(job)
            // The loop itself is awake, and looks again before it waits.
            guard !isOnThread else { return false }
            defer { mailbox.isWakePending = true }
            return !mailbox.isWakePending
        }
        if mustWake { ring() }
    }

    /// The loop returns after the turn it is in. What it watches is left as it is.
    package func stop() {
        mailbox.withLock { $0.shouldStop = true }
        ring()
    }

    package var isOnThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    package func preconditionOnThread() {
        precondition(isOnThread, "this belongs to the thread of \(name)")
    }

    private func ring() {
        var one: UInt64 = 1
        write(wake, &one, 8)
    }

    // MARK: - Running

    /// Runs until `stop`, on the caller's thread.
    package func runOnCurrentThread() {
        // Under the mailbox's lock, so that a job either finds its thread asleep or is found by it.
        mailbox.withLock { _ in thread.store(UInt(pthread_self()), ordering: .relaxed) }
        while turn(waiting: waitWithAlarm()).goesOn {}
    }

    /// One turn, for who has another clock: waits so long at most for something to do.
    /// - Returns: whether there was anything.
    package func runOneTurn(waiting milliseconds: Int32) -> Bool {
        preconditionOnThread()
        return turn(waiting: min(milliseconds, waitMilliseconds(atMost: milliseconds))).wasBusy
    }

    /// With those that are cancelled and still in the queue.
    package var timerCount: Int { timers.count }

    /// When the next timer is due, by the loop's clock.
    package var nextTimerTime: MonotonicTime? { timers.nextTime() }

    /// What the clock says now: unlike `now`, also within a long turn.
    func readClock() -> MonotonicTime { clock() }

    /// Runs on a thread of its own, which ends with `stop`.
    package func startThread() throws(TransportError) {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let loop = Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue()
                // The kernel keeps fifteen bytes of a thread's name.
                pthread_setname_np(pthread_self(), String(loop.name.prefix(15)))
                loop.runOnCurrentThread()
                return nil
            }, argument)
        guard result == 0 else {
            Unmanaged<EventLoop>.fromOpaque(argument).release()
            throw SystemError.numbered(result, "The thread of \(name) cannot be started")
        }
        pthread_detach(thread)
    }

    private func turn(waiting milliseconds: Int32) -> (goesOn: Bool, wasBusy: Bool) {
        let count = Int(epoll_wait(epoll, &events, Int32(events.count), milliseconds))
        now = clock()
        turnCount += 1
        var index = 0
        while index < count {
            dispatch(events[index])
            index += 1
        }
        let shouldStop = mailbox.withLock { mailbox in
            mailbox.isWakePending = false
            // The two arrays take turns, so that no turn has to make one.
            swap(&mailbox.jobs, &jobs)
            return mailbox.shouldStop
        }
        for job in jobs { job() }
        let lastNumber = timerNumber
        var wasBusy = count > 0 || !jobs.isEmpty || !turnEnds.isEmpty || !handshakes.isEmpty
        jobs.removeAll(keepingCapacity: jobs.count <= Self.keptJobCount)
        while let timer = timers.takeDue(at: now, madeUpTo: lastNumber) {
            wasBusy = true
            timer.fire()
        }
        endTurn()
        for _ in 0..<HandshakeQueue.countPerTurn { handshakes.take()?.continueHandshake() }
        if shouldStop { mailbox.withLock { $0.shouldStop = false } }
        return (!shouldStop, wasBusy)
    }

    /// Whether there is something to do at once.
    private var hasWork: Bool {
        !turnEnds.isEmpty || !handshakes.isEmpty || mailbox.withLock { !$0.jobs.isEmpty }
    }

    /// How long to wait: for ever, where the alarm sees to the next timer.
    private func waitWithAlarm() -> Int32 {
        if hasWork { return 0 }
        guard let next = timers.nextTime() else { return -1 }
        if let time = alarm.time, time <= next { return -1 }
        let now = clock()
        guard next > now else { return 0 }
        return alarm.set(at: next, now: now) ? -1 : waitMilliseconds()
    }

    private func waitMilliseconds(atMost most: Int32 = -1) -> Int32 {
        if hasWork { return 0 }
        guard let next = timers.nextTime() else { return most }
        let nanoseconds = next.nanoseconds - clock().nanoseconds
        guard nanoseconds > 0 else { return 0 }
        // Rounded up: waking before the time would only mean to wait again.
        return Int32(clamping: (nanoseconds - 1) / 1_000_000 + 1)
    }

    private func dispatch(_ event: epoll_event) {
        let tag = event.data.u64
        if tag == Self.alarmTag { return alarm.hear() }
        guard tag != Self.wakeTag else {
            var count: UInt64 = 0
            read(wake, &count, 8)
            counters.wakeUps.add(Int(clamping: count))
            return
        }
        let descriptor = Int(tag & 0xFFFF_FFFF)
        guard descriptor < watches.count, let watch = watches[descriptor],
            watch.generation == UInt32(tag >> 32)
        else { return }
        watch.tell(Readiness(epollEvents: event.events))
    }

    private func endTurn() {
        // What is put off from here waits for the next turn, which comes at once: whoever always
        // has more to write must not keep the others waiting.
        guard !turnEnds.isEmpty else { return }
        swap(&turnEnds, &spareTurnEnds)
        for handler in spareTurnEnds { handler.turnEnded() }
        spareTurnEnds.removeAll(keepingCapacity: true)
    }

    // MARK: - On its thread

    /// Calls once when everything else of this turn is done.
    func atTurnEnd(_ handler: any TurnEndHandler) {
        preconditionOnThread()
        turnEnds.append(handler)
    }

    /// Calls once, when everybody else has had their turn and those before it theirs.
    func whenHandshakesMayGoOn(_ handler: any HandshakeHandler) {
        preconditionOnThread()
        handshakes.append(handler)
    }

    @discardableResult
    package func schedule(after duration: Duration, _ action: @escaping () -> Void) -> LoopTimer {
        preconditionOnThread()
        timerNumber += 1
        // The true time: a turn that took long must not make the timer early.
        let timer = LoopTimer(
            self, time: clock() + duration, number: timerNumber, action: action)
        timers.add(timer)
        return timer
    }

    func noteCancelledTimer() {
        timers.noteCancelled()
    }

    /// Calls back whenever the descriptor is ready for what is of interest, in every turn in which
    /// it is.
    package func watch(
        _ descriptor: Int32, _ interest: Readiness, ready: @escaping (Readiness) -> Void
    ) throws(TransportError) -> DescriptorWatch {
        preconditionOnThread()
        precondition(descriptor >= 0, "an open descriptor")
        generation &+= 1
        let watch = DescriptorWatch(
            self, descriptor: descriptor, generation: generation, interest: interest, ready: ready)
        guard
            tarn_epoll_control(
                epoll, EPOLL_CTL_ADD, descriptor, interest.epollEvents, tag(of: watch)) == 0
        else { throw SystemError.last("A descriptor cannot be watched") }
        while watches.count <= Int(descriptor) { watches.append(nil) }
        watches[Int(descriptor)] = watch
        return watch
    }

    func changeInterest(of watch: DescriptorWatch, to interest: Readiness) {
        _ = tarn_epoll_control(
            epoll, EPOLL_CTL_MOD, watch.descriptor, interest.epollEvents, tag(of: watch))
    }

    func forget(_ watch: DescriptorWatch) {
        _ = tarn_epoll_control(epoll, EPOLL_CTL_DEL, watch.descriptor, 0, 0)
        if watches[Int(watch.descriptor)] === watch { watches[Int(watch.descriptor)] = nil }
    }

    private static let wakeTag = UInt64.max
    private static let alarmTag = UInt64.max - 1

    private func tag(of watch: DescriptorWatch) -> UInt64 {
        UInt64(watch.generation) << 32 | UInt64(UInt32(bitPattern: watch.descriptor))
    }
}

/// What has something to do at the end of a turn.
protocol TurnEndHandler: AnyObject {
    func turnEnded()
}
