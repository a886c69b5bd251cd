/// A timestamp's date and time of day in UTC, in the proleptic Gregorian calendar.
package struct CivilTime: Equatable, Sendable {
    package var year: Int64
    package var month: Int64
    package var day: Int64
    package var hour: Int64 = 0
    package var minute: Int64 = 0
    package var second: Int64 = 0

    private static let secondsADay: Int64 = 86_400
    /// Days in four centuries, after which the calendar repeats.
    private static let daysAnEra: Int64 = 146_097

    package init(year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// The time of so many seconds since 1970.
    package init(secondsSince1970 seconds: Int64) {
        var days = seconds / Self.secondsADay
        var rest = seconds % Self.secondsADay
        if rest < 0 {
            rest += Self.secondsADay
            days -= 1
        }
        // Years are counted from March, so that a leap day ends one (days from 0000-03-01).
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - (Self.daysAnEra - 1)) / Self.daysAnEra
        let dayOfEra = shifted - era * Self.daysAnEra
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    }

    /// Nil where a field is outside its range, the day is not of that month, or the year is
    /// outside ±1,000,000.
    package var secondsSince1970: Int64? {
        guard (-1_000_000...1_000_000).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day), (0..<24).contains(hour),
            (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * Self.daysAnEra + dayOfEra - 719_468
        return days * Self.secondsADay + hour * 3600 + minute * 60 + second
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2:
            year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
