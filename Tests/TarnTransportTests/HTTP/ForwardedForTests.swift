import Testing

@testable import TarnTransport

/// Who is on the other side of a proxy.
@Suite struct ForwardedForTests {
    private static let trusted = ["10.0.0.0/8", "127.0.0.1", "2001:db8:1::/48"].compactMap {
        AddressRange($0)
    }

    private func client(_ lines: String..., peer: String = "10.0.0.1") throws -> String? {
        let head = lines.map { "X-Forwarded-For: \($0)\r\n" }.joined()
        let request = try HTTPHead(Array("GET / HTTP/1.1\r\n\(head)".utf8)[...], headerCountMax: 9)
        return ForwardedFor.client(
            request.list("x-forwarded-for"), of: try #require(NetworkAddress(peer)),
            trusted: Self.trusted
        )?.description
    }

    @Test func `a trusted proxy is believed, and nobody else`() throws {
        #expect(try client("203.0.113.9") == "203.0.113.9")
        #expect(try client("203.0.113.9", peer: "192.0.2.1") == nil)
        #expect(try client("203.0.113.9", peer: "11.0.0.1") == nil)
        #expect(try client("203.0.113.9", peer: "::ffff:10.0.0.1") == "203.0.113.9")
        #expect(try client("2001:DB8::9", peer: "2001:db8:1::7") == "2001:db8::9")
    }

    @Test func `the last who is no trusted proxy is the client, whatever stands before`() throws {
        #expect(try client("1.1.1.1, 203.0.113.9") == "203.0.113.9")
        #expect(try client("1.1.1.1, 203.0.113.9, 10.9.9.9,127.0.0.1") == "203.0.113.9")
        #expect(try client("1.1.1.1", "203.0.113.9 ,", "10.9.9.9") == "203.0.113.9")
        #expect(try client("nonsense, 203.0.113.9, 10.1.1.1") == "203.0.113.9")
        #expect(try client("10.1.1.1, 10.2.2.2") == "10.1.1.1")
    }

    @Test(arguments: [
        "203.0.113.9:4711", "[2001:db8::9]", "[2001:db8::9]:65535", "2001:db8::9",
        "::ffff:203.0.113.9",
    ])
    func `an address may have a port, and brackets`(text: String) throws {
        let told = try client(text)

        #expect(told == "203.0.113.9" || told == "2001:db8::9")
    }

    @Test(arguments: [
        "", ",", "unknown", "_hidden", "203.0.113.9:", "203.0.113.9:x", "203.0.113.9:65536",
        "203.0.113.9:-1", "203.0.113", "203.0.113.256", "[203.0.113.9]", "[2001:db8::9",
        "[2001:db8::9]x", "2001:db8::g", "fe80::1%eth0", "203.0.113.9, junk",
        "203.0.113.9;10.0.0.1", "\"203.0.113.9\"", "203.0.113.9 10.0.0.1",
    ])
    func `what cannot be understood tells nothing`(text: String) throws {
        #expect(try client(text) == nil)
    }

    @Test(arguments: ["\u{600}", "\u{600}, junk", "\u{6DD}\t", "e\u{301}"])
    func `what a client has said before joins with nothing that a proxy says`(
        text: String
    ) throws {
        #expect(try client("\(text),203.0.113.9") == "203.0.113.9")
        #expect(try client("\(text), 203.0.113.9") == "203.0.113.9")
    }

    @Test(arguments: ["0.0.0.0", "255.255.255.255", "::", "::1", "2001:db8:0:1::", "fe80::1"])
    func `an address is written as it is read`(text: String) throws {
        let address = try #require(NetworkAddress(text))

        #expect(address.description == text)
    }
}
