internal import Glibc

/// A moment as HTTP writes it (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
struct HTTPDate: Equatable, Sendable, CustomStringConvertible {
    /// Since 1970.
    let seconds: Int

    static func now() -> HTTPDate { HTTPDate(seconds: time(nil)) }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    var description: String {
        var seconds = time_t(self.seconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let day = Self.days[Int(parts.tm_wday)]
        let month = Self.months[Int(parts.tm_mon)]
        let date = "\(Self.digits(parts.tm_mday)) \(month) \(parts.tm_year + 1900)"
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.digits)
        return "\(day), \(date) \(clock.joined(separator: ":")) GMT"
    }

    private static func digits(_ number: Int32) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
