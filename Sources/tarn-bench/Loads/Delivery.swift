/// Messages on their way to many: a window of them at most is not yet with everybody.
final class Delivery {
    private let window: Int
    private let receivers: Int
    private let send: () -> Void
    private let finished: () -> Void
    private let first: Int
    private let end: Int
    private var sent: Int
    private var complete: Int
    /// By message, how many have it.
    private var arrived: [Int]

    /// - Parameter numbers: the messages, as they are counted since the first one of all.
    init(
        _ numbers: Range<Int>, window: Int, to receivers: Int, send: @escaping () -> Void,
        finished: @escaping () -> Void
    ) {
        self.window = window
        self.receivers = receivers
        self.send = send
        self.finished = finished
        first = numbers.lowerBound
        end = numbers.upperBound
        sent = first
        complete = first
        arrived = Array(repeating: 0, count: numbers.count)
    }

    func begin() { fill() }

    /// One of the receivers has these messages now.
    func received(_ numbers: Range<Int>) {
        for number in numbers.clamped(to: first..<end) { arrived[number - first] += 1 }
        let before = complete
        while complete < sent, arrived[complete - first] == receivers { complete += 1 }
        guard complete > before else { return }
        if complete == end { finished() } else { fill() }
    }

    private func fill() {
        while sent < end, sent - complete < window {
            sent += 1
            send()
        }
    }
}
