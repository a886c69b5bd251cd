import TarnProtocol

/// What a client says on channels whose realm is still looked up: its subscriptions, mostly. It
/// waits here, within bounds of number and bytes.
struct EarlyMessages {
    /// Messages of one channel: all of its subscriptions, and some more.
    static let countMax = ProtocolLimits.subscriptionsMax + 8
    /// Bytes of all channels of a connection, as they came: thousands of queries as people write
    /// them.
    static let byteCountMax = 1 << 20

    private struct Waiting {
        var messages: [ClientMessage] = []
        var byteCount = 0
    }

    private var channels: [Channel: Waiting] = [:]
    private var byteCount = 0

    mutating func begin(_ channel: Channel) { channels[channel] = Waiting() }

    /// - Returns: false where it is too much.
    mutating func add(_ message: ClientMessage, of count: Int, on channel: Channel) -> Bool {
        guard var waiting = channels[channel] else { return true }
        guard waiting.messages.count < Self.countMax, byteCount + count <= Self.byteCountMax else {
            return false
        }
        // The array has one owner while it grows.
        channels[channel] = nil
        waiting.messages.append(message)
        waiting.byteCount += count
        byteCount += count
        channels[channel] = waiting
        return true
    }

    /// Ends a channel's waiting; nil where there is none.
    mutating func end(_ channel: Channel) -> [ClientMessage]? {
        guard let waiting = channels.removeValue(forKey: channel) else { return nil }
        byteCount -= waiting.byteCount
        return waiting.messages
    }
}
