package import TarnTransport

/// Looks at once and then daily at when the certificate that is shown ends, and tells when that is
/// soon or over: clients refuse it from then on. It belongs to the thread of its loop.
package final class CertificateWatch {
    package enum Notice: Equatable, Sendable {
        case endsSoon(days: Int64)
        case hasEnded
    }

    /// As long as it may take people to have one renewed; those who renew by program do it earlier.
    package static let noticeDays: Int64 = 30
    private static let secondsADay: Int64 = 86_400

    private let loop: EventLoop
    private let interval: Duration
    private let now: () -> Int64
    private let tell: (Notice, _ end: Int64) -> Void
    private var end = Int64.max
    private var timer: LoopTimer?

    /// - Parameter now: seconds since 1970.
    package init(
        on loop: EventLoop, interval: Duration = .seconds(secondsADay), now: @escaping () -> Int64,
        tell: @escaping (Notice, _ end: Int64) -> Void
    ) {
        self.loop = loop
        self.interval = interval
        self.now = now
        self.tell = tell
    }

    /// From now on it is about a certificate that ends then.
    package func watch(endingAt end: Int64) {
        self.end = end
        look()
    }

    private func look() {
        timer?.cancel()
        if let notice = Self.notice(of: end, at: now()) { tell(notice, end) }
        timer = loop.schedule(after: interval) { [weak self] in self?.look() }
    }

    package static func notice(of end: Int64, at now: Int64) -> Notice? {
        let left = end.subtractingReportingOverflow(now).partialValue
        if end <= now { return .hasEnded }
        guard left <= noticeDays * secondsADay else { return nil }
        return .endsSoon(days: left / secondsADay)
    }
}
