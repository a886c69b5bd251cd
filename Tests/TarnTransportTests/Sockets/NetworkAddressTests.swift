import TarnTransport
import Testing

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "::ffff:192.0.2.1"), ("2001:DB8::1", "2001:db8:0:0:0:0:0:1"),
        ("::1", "0:0:0:0:0:0:0:1"),
    ])
    func `one address may be written in many ways`(one: String, other: String) {
        #expect(NetworkAddress(one) != nil)
        #expect(NetworkAddress(one) == NetworkAddress(other))
    }

    @Test(arguments: [
        "", " 10.0.0.1", "10.0.0", "10.0.0.256", "010.0.0.0.1", "localhost", "[::1]", "::1%lo",
        "10.0.0.1:80", ":::", "1:2:3:4:5:6:7:8:9", "10.0.0.1\0", "10.0.0.1/8",
    ])
    func `what is no address is none`(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test func `a subscriber has one address of IPv4, and many of IPv6`() throws {
        func range(_ text: String) throws -> AddressRange {
            try #require(NetworkAddress(text)).subscriberRange
        }

        #expect(try range("192.0.2.1") != range("192.0.2.2"))
        #expect(try range("2001:db8:0:7::1") == range("2001:db8:0:7:ffff:ffff:ffff:ffff"))
        #expect(try range("2001:db8:0:7::1") != range("2001:db8:0:8::1"))
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"), ("10.0.0.0/8", "::ffff:10.1.2.3", "9.9.9.9"),
        ("192.0.2.4/30", "192.0.2.7", "192.0.2.8"), ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
        ("2001:db8::/32", "2001:db8:ffff::", "2001:db9::"), ("0.0.0.0/0", "255.1.2.3", "::1"),
        ("2001:db8::/65", "2001:db8::7fff:0:0:0", "2001:db8::8000:0:0:0"), ("::/0", "::1", ""),
    ])
    func `a range has what begins with its bits`(range: String, inside: String, outside: String)
        throws
    {
        let range = try #require(AddressRange(range))

        #expect(range.contains(try #require(NetworkAddress(inside))))
        if let outside = NetworkAddress(outside) { #expect(!range.contains(outside)) }
    }

    @Test(arguments: [
        "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8",
        "::/129", "a/8", "10.0.0.0/99999999999999999999", "10.0.0.0/ 8",
    ])
    func `what is no range is none`(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test func `the loopback is all that reaches no other machine`() throws {
        func isLoopback(_ text: String) throws -> Bool {
            let address = try #require(NetworkAddress(text))
            return AddressRange.loopback.contains { $0.contains(address) }
        }

        #expect(try isLoopback("127.0.0.1"))
        #expect(try isLoopback("127.255.0.9"))
        #expect(try isLoopback("::1"))
        #expect(try !isLoopback("128.0.0.1"))
        #expect(try !isLoopback("::2"))
    }
}
