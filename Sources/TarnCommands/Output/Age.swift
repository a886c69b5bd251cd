import TarnModel

/// How long ago something was, for people: "just now", "12 s ago", or a date.
package struct Age: CustomStringConvertible, Sendable {
    private let milliseconds: Int64
    private let time: Int64

    /// Both in milliseconds since 1970.
    package init(of time: Int64, now: Int64) {
        self.time = time
        let (age, overflow) = now.subtractingReportingOverflow(time)
        milliseconds = overflow ? .max : max(0, age)
    }

    package var description: String {
        switch milliseconds / 1_000 {
        case 0..<2: "just now"
        case let seconds where seconds < 60: "\(seconds) s ago"
        case let seconds where seconds < 3_600: "\(seconds / 60) min ago"
        case let seconds where seconds < 86_400: "\(seconds / 3_600) h ago"
        default: Self.moment(time)
        }
    }

    /// RFC 3339, for programs.
    package static func moment(_ time: Int64) -> String {
        "\(Timestamp(milliseconds: time))"
    }
}
