import Testing

@testable import TarnTransport

@Suite struct ConnectionCensusTests {
    /// A census with one limit, and places in it.
    private final class Town {
        let census: ConnectionCensus
        var places: [ConnectionPlace] = []

        init(
            _ limit: WritableKeyPath<TransportLimits, Int>, _ count: Int,
            unlimited: [AddressRange] = []
        ) {
            var limits = TransportLimits()
            limits[keyPath: limit] = count
            census = ConnectionCensus(limits: limits, unlimited: unlimited, strangerEnd: .vouched)
        }

        /// Why it is refused, if it is.
        func add(_ address: String, isKnown: Bool = false) throws -> ConnectionCensus.Refusal? {
            let address = try #require(NetworkAddress(address))
            do throws(ConnectionCensus.Refusal) {
                var place = try census.admit(address)
                if isKnown { place.setStranger(false) }
                places.append(place)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Below, at and above a limit of three.
    static let counts: [(Int, Bool)] = [(2, true), (3, true), (4, false)]

    @Test(arguments: counts)
    func `in all there are at most so many`(count: Int, isAdmitted: Bool) throws {
        let town = Town(\.connectionCountMax, 3)

        let refusals = try (1...count).map { try town.add("192.0.2.\($0)", isKnown: true) }

        #expect((refusals.last ?? nil) == (isAdmitted ? nil : .connections))
        #expect(town.census.connectionCount == min(count, 3))
        #expect(town.census.refusedCount(.connections) == (isAdmitted ? 0 : 1))
    }

    @Test(arguments: counts)
    func `from one address there are at most so many`(count: Int, isAdmitted: Bool) throws {
        let town = Town(\.connectionCountByAddressMax, 3)

        let refusals = try (1...count).map { _ in try town.add("192.0.2.1", isKnown: true) }

        #expect((refusals.last ?? nil) == (isAdmitted ? nil : .connectionsByAddress))
        #expect(try town.add("192.0.2.2") == nil)
        #expect(town.census.connectionCount == min(count, 3) + 1)
    }

    @Test(arguments: counts)
    func `of strangers there are at most so many, wherever from`(count: Int, isAdmitted: Bool)
        throws
    {
        let town = Town(\.strangerCountMax, 3)
        for _ in 0..<9 { #expect(try town.add("192.0.2.1", isKnown: true) == nil) }

        let refusals = try (1...count).map { try town.add("192.0.2.\($0)") }

        #expect((refusals.last ?? nil) == (isAdmitted ? nil : .strangers))
        #expect(town.census.strangerCount == min(count, 3))
    }

    @Test(arguments: counts)
    func `of strangers from one address there are at most so many`(count: Int, isAdmitted: Bool)
        throws
    {
        let town = Town(\.strangerCountByAddressMax, 3)
        for _ in 0..<9 { #expect(try town.add("192.0.2.1", isKnown: true) == nil) }

        let refusals = try (1...count).map { _ in try town.add("192.0.2.1") }

        #expect((refusals.last ?? nil) == (isAdmitted ? nil : .strangersByAddress))
        #expect(try town.add("192.0.2.2") == nil)
    }

    @Test func `addresses of one IPv6 subscriber count together`() throws {
        let town = Town(\.connectionCountByAddressMax, 2)

        #expect(try town.add("2001:db8::1") == nil)
        #expect(try town.add("2001:db8::2") == nil)
        #expect(try town.add("2001:db8::3:4") == .connectionsByAddress)
        #expect(try town.add("2001:db8:0:1::3") == nil)
        #expect(town.census.addressCount == 2)
    }

    @Test func `an address that many people come from has no limit of its own`() throws {
        let proxy = try #require(AddressRange("10.0.0.0/8"))
        let town = Town(\.connectionCountByAddressMax, 1, unlimited: [proxy])

        for _ in 0..<5 { #expect(try town.add("10.1.2.3") == nil) }

        #expect(town.census.connectionCount == 5)
        #expect(town.census.addressCount == 0)
    }

    @Test func `who turns out to be from elsewhere counts there, if there is room`() throws {
        let proxy = try #require(AddressRange("10.0.0.0/8"))
        let town = Town(\.connectionCountByAddressMax, 1, unlimited: [proxy])
        let home = try #require(NetworkAddress("192.0.2.1"))
        for _ in 0..<2 { #expect(try town.add("10.1.2.3") == nil) }

        try town.places[0].move(to: home)
        #expect(throws: ConnectionCensus.Refusal.connectionsByAddress) {
            try town.places[1].move(to: home)
        }
        #expect(try town.add("192.0.2.1") == .connectionsByAddress)
        town.places[0].leave()
        try town.places[1].move(to: home)

        #expect(town.census.connectionCount == 1)
        #expect(town.census.addressCount == 1)
    }

    @Test func `who leaves makes room, and nothing is kept of an address without connections`()
        throws
    {
        let town = Town(\.strangerCountByAddressMax, 1)
        #expect(try town.add("192.0.2.1") == nil)
        #expect(try town.add("192.0.2.1") == .strangersByAddress)

        town.places[0].setStranger(false)
        #expect(try town.add("192.0.2.1") == nil)
        // A logout is never refused.
        town.places[0].setStranger(true)
        #expect(town.census.strangerCount == 2)
        for place in town.places { place.leave() }

        #expect(town.census.connectionCount == 0)
        #expect(town.census.strangerCount == 0)
        #expect(town.census.addressCount == 0)
    }
}
