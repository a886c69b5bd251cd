import TarnModel
import TarnTransport

/// What people type and programs print: each text that is read prints as a text that is read as the
/// same. The first byte says as what.
enum TextFuzz {
    @Sendable static func run(_ bytes: [UInt8]) throws(BrokenLaw) {
        var input = FuzzInput(bytes)
        let kind = input.choice(8)
        if kind == 0 { return try checkTime(&input) }
        let text = String(decoding: input.rest(), as: UTF8.self)
        switch kind {
        case 1: try check(text) { Timestamp($0) }
        case 2: try check(text) { UUIDValue($0) }
        case 3: try check(text) { RealmName($0) }
        case 4: try check(text) { CertificateFingerprint($0) }
        case 5: try check(text) { NetworkAddress($0) }
        case 6: try checkRange(text)
        default: try checkEndpoint(text)
        }
    }

    private static func check<Form: Equatable & CustomStringConvertible>(
        _ text: String, _ read: (String) -> Form?
    ) throws(BrokenLaw) {
        guard let form = read(text) else { return }
        let printed = form.description
        guard let again = read(printed) else {
            throw BrokenLaw(sentence: "\(printed) is printed, and cannot be read")
        }
        try require(again == form, "\(printed) is read as something else")
        try require(again.description == printed, "\(printed) is printed in another way")
    }

    /// A date need not come from a text: a message may hold any seconds.
    private static func checkTime(_ input: inout FuzzInput) throws(BrokenLaw) {
        let seconds = input.take(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let nanoseconds = input.take(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        let milliseconds = Timestamp(milliseconds: Int64(bitPattern: seconds))
        try require(!milliseconds.description.isEmpty, "a time is printed as nothing")
        _ = Stamp.ticks(milliseconds: Int64(bitPattern: seconds))
        guard
            let time = Timestamp(
                seconds: Int64(bitPattern: seconds),
                nanoseconds: Int32(truncatingIfNeeded: nanoseconds % 1_000_000_000))
        else { throw BrokenLaw(sentence: "nanoseconds below a second are refused") }
        let civil = CivilTime(secondsSince1970: time.seconds)
        if let again = civil.secondsSince1970 {
            try require(again == time.seconds, "\(time) is of another second")
        }
        guard (0...9999).contains(civil.year) else { return }
        try require(Timestamp(time.description) == time, "\(time) is read as another time")
    }

    private static func checkRange(_ text: String) throws(BrokenLaw) {
        guard let range = AddressRange(text) else { return }
        try require(range.contains(range.first), "a range has not its own first address")
        try require(
            AddressRange(around: range.first, prefixLength: range.prefixLength) == range,
            "a range does not begin with its first address")
    }

    private static func checkEndpoint(_ text: String) throws(BrokenLaw) {
        guard let endpoint = Endpoint(text, defaultPort: 8276) else { return }
        let again = Endpoint(endpoint.description, defaultPort: 1, defaultPath: endpoint.path)
        try require(again == endpoint, "\(endpoint) is read as another server")
    }
}
