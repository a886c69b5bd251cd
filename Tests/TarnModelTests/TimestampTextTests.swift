import TarnModel
import TarnTesting
import Testing

struct TimestampTextTests {
    @Test(
        arguments: [
            (0, 0, "1970-01-01T00:00:00Z"),
            (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
            (951_782_400, 0, "2000-02-29T00:00:00Z"),
            (1_796_026_500, 250_000_000, "2026-11-30T08:15:00.25Z"),
            // Swift's distantPast and distantFuture.
            (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
            (64_092_211_200, 0, "4001-01-01T00:00:00Z"),
            (253_402_300_799, 1, "9999-12-31T23:59:59.000000001Z"),
        ] as [(Int64, Int32, String)])
    func `a time is written and read`(seconds: Int64, nanoseconds: Int32, text: String) throws {
        let time = try #require(Timestamp(seconds: seconds, nanoseconds: nanoseconds))

        #expect(time.description == text)
        #expect(Timestamp(text) == time)
    }

    @Test(arguments: [
        ("2026-11-30", "2026-11-30T00:00:00Z"),
        ("2026-11-30Z", "2026-11-30T00:00:00Z"),
        ("2026-11-30@08:15:00", "2026-11-30T08:15:00Z"),
        ("2026-11-30T08:15:00.5", "2026-11-30T08:15:00.5Z"),
        ("2026-11-30T08:15:00.500000000Z", "2026-11-30T08:15:00.5Z"),
        ("2026-11-30T24:00:00", nil), ("2026-11-30T08:60:00", nil), ("2026-11-30T08:15:60", nil),
        ("2026-02-29", nil), ("1900-02-29", nil), ("2026-13-01", nil), ("2026-00-01", nil),
        ("2026-04-31", nil), ("2026-01-00", nil), ("26-01-01", nil), ("2026-1-1", nil),
        ("2026-11-30T08:15", nil), ("2026-11-30T", nil), ("2026-11-30T08:15:00.", nil),
        ("2026-11-30T08:15:00.1234567890", nil), ("2026-11-30T08:15:00+01:00", nil),
        ("-026-11-30", nil), ("+026-11-30", nil), ("٢٠٢٦-11-30", nil), ("2026-11-30ZZ", nil),
        ("", nil), ("Z", nil), ("T", nil), ("2026-11-30T08:15:00T", nil), (" 2026-11-30", nil),
    ])
    func `other forms are read, and everything else is refused`(text: String, form: String?) {
        #expect(Timestamp(text)?.description == form)
    }

    @Test(arguments: [UInt64](1...20))
    func `what is written is read again`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &random)
            let nanoseconds = Int32.random(in: 0...999_999_999, using: &random)
            let time = try #require(Timestamp(seconds: seconds, nanoseconds: nanoseconds))

            #expect(Timestamp(time.description) == time)
        }
    }

    @Test(arguments: [UInt64](1...20))
    func `a day of the calendar and its seconds name each other`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let seconds = Int64.random(in: -31_000_000_000_000...31_000_000_000_000, using: &random)

            #expect(CivilTime(secondsSince1970: seconds).secondsSince1970 == seconds)
        }
    }

    @Test(arguments: [Int64.min, .min + 1, .max - 1, .max])
    func `the furthest times can be written`(seconds: Int64) throws {
        let time = try #require(Timestamp(seconds: seconds, nanoseconds: 999_999_999))

        #expect(time.description.hasSuffix(".999999999Z"))
        #expect(Timestamp(milliseconds: seconds).nanoseconds >= 0)
    }

    @Test func `nanoseconds are less than a second and count forward`() {
        #expect(Timestamp(seconds: 0, nanoseconds: 1_000_000_000) == nil)
        #expect(Timestamp(seconds: 0, nanoseconds: -1) == nil)
        #expect(Timestamp(milliseconds: -1) == Timestamp(seconds: -1, nanoseconds: 999_000_000))
        #expect(Timestamp(milliseconds: -1) < Timestamp(milliseconds: 0))
    }
}
