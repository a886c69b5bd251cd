internal import Synchronization

/// Counts a server's connections, of all its listeners: in all, by address, and strangers among
/// them, who have not shown yet that they are anybody. An address of IPv6 is counted with the 2^64
/// that its subscriber has.
///
/// Listeners and connections are on many threads; the counts are behind one mutex, which is held
/// for a few look-ups.
package final class ConnectionCensus: Sendable {
    /// Until when a connection is a stranger's.
    package enum StrangerEnd: Sendable {
        /// The WebSocket is open.
        case opened
        /// Its owner says so, by `SecureConnection.isStranger`.
        case vouched
    }

    /// Which of the limits there is no more room in.
    package enum Refusal: Error, Sendable, CaseIterable {
        case connections
        case connectionsByAddress
        case strangers
        case strangersByAddress
    }

    private struct Count {
        var connections = 0
        var strangers = 0

        mutating func add(_ difference: Int, isStranger: Bool) {
            connections += difference
            if isStranger { strangers += difference }
        }
    }

    private struct State {
        var all = Count()
        var byAddress: [AddressRange: Count] = [:]
        var refused: [Refusal: Int] = [:]

        mutating func remove(from range: AddressRange?, isStranger: Bool) {
            guard let range, var count = byAddress[range] else { return }
            count.add(-1, isStranger: isStranger)
            byAddress[range] = count.connections == 0 ? nil : count
        }
    }

    private let limits: TransportLimits
    private let unlimited: [AddressRange]
    let strangerEnd: StrangerEnd
    private let state = Mutex(State())

    /// - Parameter unlimited: addresses that many people come from, as proxies do; the limits by
    ///   address are not for them.
    package init(
        limits: TransportLimits = TransportLimits(),
        unlimited: [AddressRange] = AddressRange.loopback, strangerEnd: StrangerEnd = .opened
    ) {
        self.limits = limits
        self.unlimited = unlimited
        self.strangerEnd = strangerEnd
    }

    package var connectionCount: Int { state.withLock { $0.all.connections } }
    package var strangerCount: Int { state.withLock { $0.all.strangers } }
    /// How many addresses there are connections from, without the unlimited ones.
    package var addressCount: Int { state.withLock { $0.byAddress.count } }

    /// How many connections were turned away, of all time.
    package func refusedCount(_ refusal: Refusal) -> Int {
        state.withLock { $0.refused[refusal] ?? 0 }
    }

    /// A connection has come; nobody knows yet who it is.
    func admit(_ address: NetworkAddress?) throws(Refusal) -> ConnectionPlace {
        let range = rangeToCount(address)
        try check { state in
            if let refusal = refusalInAll(state) { return refusal }
            if let range, let refusal = refusal(of: range, isStranger: true, state) {
                return refusal
            }
            state.all.connections += 1
            state.all.strangers += 1
            if let range { state.byAddress[range, default: Count()].add(1, isStranger: true) }
            return nil
        }
        return ConnectionPlace(in: self, range: range)
    }

    /// The connection turns out to come from another address.
    func move(
        from old: AddressRange?, to address: NetworkAddress, isStranger: Bool
    ) throws(Refusal) -> AddressRange? {
        let new = rangeToCount(address)
        guard new != old else { return old }
        try check { state in
            if let new, let refusal = refusal(of: new, isStranger: isStranger, state) {
                return refusal
            }
            if let new { state.byAddress[new, default: Count()].add(1, isStranger: isStranger) }
            state.remove(from: old, isStranger: isStranger)
            return nil
        }
        return new
    }

    /// Somebody has said who he is, or, `by` 1, is nobody again: that is never refused.
    func changeStrangers(by difference: Int, at range: AddressRange?) {
        state.withLock { state in
            state.all.strangers += difference
            if let range { state.byAddress[range]?.strangers += difference }
        }
    }

    func remove(from range: AddressRange?, isStranger: Bool) {
        state.withLock { state in
            state.all.add(-1, isStranger: isStranger)
            state.remove(from: range, isStranger: isStranger)
        }
    }

    private func rangeToCount(_ address: NetworkAddress?) -> AddressRange? {
        guard let address, !unlimited.contains(where: { $0.contains(address) }) else { return nil }
        return address.subscriberRange
    }

    private func refusalInAll(_ state: State) -> Refusal? {
        if state.all.connections >= limits.connectionCountMax { return .connections }
        return state.all.strangers >= limits.strangerCountMax ? .strangers : nil
    }

    private func refusal(
        of range: AddressRange, isStranger: Bool, _ state: State
    ) -> Refusal? {
        guard let count = state.byAddress[range] else { return nil }
        if count.connections >= limits.connectionCountByAddressMax { return .connectionsByAddress }
        let isFull = isStranger && count.strangers >= limits.strangerCountByAddressMax
        return isFull ? .strangersByAddress : nil
    }

    private func check(_ body: (inout State) -> Refusal?) throws(Refusal) {
        let refusal = state.withLock { state in
            let refusal = body(&state)
            if let refusal { state.refused[refusal, default: 0] += 1 }
            return refusal
        }
        if let refusal { throw refusal }
    }
}

/// What one connection counts as, until it leaves. Whoever has it takes care that it leaves once:
/// it is moved with the connection from thread to thread, and used by one at a time.
struct ConnectionPlace: Sendable {
    private let census: ConnectionCensus
    private var range: AddressRange?
    private(set) var isStranger = true

    init(in census: ConnectionCensus, range: AddressRange?) {
        self.census = census
        self.range = range
    }

    var strangerEnd: ConnectionCensus.StrangerEnd { census.strangerEnd }

    mutating func move(to address: NetworkAddress) throws(ConnectionCensus.Refusal) {
        range = try census.move(from: range, to: address, isStranger: isStranger)
    }

    mutating func setStranger(_ isStranger: Bool) {
        guard isStranger != self.isStranger else { return }
        self.isStranger = isStranger
        census.changeStrangers(by: isStranger ? 1 : -1, at: range)
    }

    func leave() {
        census.remove(from: range, isStranger: isStranger)
    }
}
