/// What is to happen later, earliest first: a binary heap. A cancelled timer stays in it, without
/// its closure, until its time has come; when these are more than half, they are swept out.
struct TimerQueue {
    private var heap: [LoopTimer] = []
    private var cancelledCount = 0

    var count: Int { heap.count }

    /// When the earliest timer that still counts is due.
    mutating func nextTime() -> MonotonicTime? {
        while let first = heap.first, first.action == nil {
            removeFirst()
            cancelledCount -= 1
        }
        return heap.first?.time
    }

    mutating func add(_ timer: LoopTimer) {
        heap.append(timer)
        var index = heap.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].isBefore(heap[parent]) else { break }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    /// The timer has just lost its action.
    mutating func noteCancelled() {
        cancelledCount += 1
        guard cancelledCount > 64, cancelledCount > heap.count / 2 else { return }
        let kept = heap.filter { $0.action != nil }
        heap.removeAll(keepingCapacity: true)
        cancelledCount = 0
        for timer in kept { add(timer) }
    }

    /// The earliest timer, if its time has come and it is not newer than `number`: timers that make
    /// timers must not hold up a turn for ever.
    mutating func takeDue(at now: MonotonicTime, madeUpTo number: UInt64) -> LoopTimer? {
        guard let time = nextTime(), time <= now, let first = heap.first, first.number <= number
        else { return nil }
        return removeFirst()
    }

    @discardableResult
    private mutating func removeFirst() -> LoopTimer {
        heap.swapAt(0, heap.count - 1)
        let first = heap.removeLast()
        var index = 0
        while true {
            var least = index
            for child in (2 * index + 1)...(2 * index + 2) where child < heap.count {
                if heap[child].isBefore(heap[least]) { least = child }
            }
            guard least != index else { return first }
            heap.swapAt(index, least)
            index = least
        }
    }
}

/// Something that a loop will do later, once. It belongs to its loop's thread.
package final class LoopTimer {
    let time: MonotonicTime
    fileprivate let number: UInt64
    private unowned let loop: EventLoop
    fileprivate(set) var action: (() -> Void)?

    init(_ loop: EventLoop, time: MonotonicTime, number: UInt64, action: @escaping () -> Void) {
        self.loop = loop
        self.time = time
        self.number = number
        self.action = action
    }

    var isArmed: Bool { action != nil }

    /// Afterwards it will not happen; if it has happened, nothing changes.
    package func cancel() {
        loop.preconditionOnThread()
        guard action != nil else { return }
        action = nil
        loop.noteCancelledTimer()
    }

    func fire() {
        let action = self.action
        self.action = nil
        action?()
    }

    /// Timers of one time fire in the order in which they were made.
    fileprivate func isBefore(_ other: LoopTimer) -> Bool {
        time == other.time ? number < other.number : time < other.time
    }
}
