extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC, with as many digits of the second as it has: `2026-11-30T08:15:00.25Z`.
    package var description: String {
        let civil = CivilTime(secondsSince1970: seconds)
        let date = [
            Self.digits(civil.year, 4), Self.digits(civil.month, 2), Self.digits(civil.day, 2),
        ]
        let time = [civil.hour, civil.minute, civil.second].map { Self.digits($0, 2) }
        return date.joined(separator: "-") + "T" + time.joined(separator: ":") + fraction + "Z"
    }

    private var fraction: String {
        guard nanoseconds > 0 else { return "" }
        var digits = Self.digits(Int64(nanoseconds), 9)
        while digits.last == "0" { digits.removeLast() }
        return "." + digits
    }

    private static func digits(_ value: Int64, _ width: Int) -> String {
        let text = String(value.magnitude)
        let padding = String(repeating: "0", count: max(0, width - text.count))
        return (value < 0 ? "-" : "") + padding + text
    }

    /// Reads `YYYY-MM-DD`, with `THH:MM:SS` (or `@`, as Realm's queries write it), a fraction of up
    /// to nine digits and a `Z` if they are there. The time is UTC.
    package init?(_ text: String) {
        var rest = Substring(text)
        if rest.last == "Z" { rest.removeLast() }
        let halves = rest.split(
            maxSplits: 1, omittingEmptySubsequences: false,
            whereSeparator: { $0 == "T" || $0 == "@" })
        guard let dateFields = Self.fields(halves[0], separator: "-", widths: [4, 2, 2]) else {
            return nil
        }
        var timeFields: [Int64] = [0, 0, 0]
        var nanoseconds: Int32 = 0
        if halves.count == 2 {
            let clock = halves[1].split(
                separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let fields = Self.fields(clock[0], separator: ":", widths: [2, 2, 2]) else {
                return nil
            }
            timeFields = fields
            if clock.count == 2 {
                guard (1...9).contains(clock[1].utf8.count), clock[1].utf8.allSatisfy(Self.isDigit),
                    let value = Int32(clock[1])
                else { return nil }
                nanoseconds = (clock[1].utf8.count..<9).reduce(value) { scaled, _ in scaled * 10 }
            }
        }
        let civil = CivilTime(
            year: dateFields[0], month: dateFields[1], day: dateFields[2], hour: timeFields[0],
            minute: timeFields[1], second: timeFields[2])
        guard let seconds = civil.secondsSince1970 else { return nil }
        self.init(seconds: seconds, nanoseconds: nanoseconds)
    }

    private static func fields(
        _ text: Substring, separator: Character, widths: [Int]
    ) -> [Int64]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == widths,
            parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) })
        else { return nil }
        return parts.compactMap { Int64($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
