import Glibc

/// Measures what deliveries cost a server, whichever it is.
final class DeliveryCost {
    private let run: LoopRun
    private let process: pid_t
    private let receivers: Int
    private let send: () -> Void
    private var delivery: Delivery?
    private var count = 0
    private static let warmUp = 10

    /// - Parameter send: sends the next message to all receivers.
    init(_ run: LoopRun, of process: pid_t, to receivers: Int, send: @escaping () -> Void) {
        self.run = run
        self.process = process
        self.receivers = receivers
        self.send = send
    }

    /// One of the receivers has these messages now, counted from 0.
    func received(_ numbers: Range<Int>) { delivery?.received(numbers) }

    /// Microseconds of the server's processors for each delivery, with so many messages under way
    /// at once at most.
    func measure(_ count: Int, window: Int) throws(BenchError) -> Double {
        try deliver(Self.warmUp, window: window)
        try run.settle()
        let before = ProcessUsage.processorTime(of: process)
        try deliver(count, window: window)
        // What clients answer is part of it.
        try run.settle()
        let used = ProcessUsage.processorTime(of: process) - before
        return Double(used) / 1000 / Double(count * receivers)
    }

    private func deliver(_ more: Int, window: Int) throws(BenchError) {
        let delivery = Delivery(
            count..<count + more, window: window, to: receivers, send: send
        ) { [run] in run.finish() }
        self.delivery = delivery
        count += more
        try run.phase("delivering \(more) messages", atMost: .seconds(120)) { delivery.begin() }
    }
}
