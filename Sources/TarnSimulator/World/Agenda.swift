/// What is going to happen, by time, and in the order of planning where that is the same: a binary
/// heap.
struct Agenda<Event> {
    private struct Entry {
        let time: Int64
        let order: UInt64
        let event: Event

        static func < (left: Entry, right: Entry) -> Bool {
            (left.time, left.order) < (right.time, right.order)
        }
    }

    private var entries: [Entry] = []
    private var planned: UInt64 = 0

    mutating func plan(_ event: Event, at time: Int64) {
        planned += 1
        entries.append(Entry(time: time, order: planned, event: event))
        var index = entries.count - 1
        while index > 0, entries[index] < entries[(index - 1) / 2] {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    var nextTime: Int64? { entries.first?.time }

    mutating func next() -> (time: Int64, event: Event)? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return (first.time, first.event) }
        entries[0] = last
        sink()
        return (first.time, first.event)
    }

    private mutating func sink() {
        var index = 0
        while true {
            let left = 2 * index + 1
            guard left < entries.count else { return }
            let right = left + 1
            let isRight = right < entries.count && entries[right] < entries[left]
            let child = isRight ? right : left
            guard entries[child] < entries[index] else { return }
            entries.swapAt(index, child)
            index = child
        }
    }
}
