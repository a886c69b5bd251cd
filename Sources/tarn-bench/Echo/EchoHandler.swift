import TarnTransport

/// Sends back what comes: text as text, binary as binary. While its peer does not take what waits,
/// it reads nothing more, so that memory is bounded by one turn's messages.
final class EchoHandler: ConnectionHandler {
    /// What an echo is asked to take: messages of 16 MB, in however small fragments.
    static var limits: TransportLimits {
        var limits = TransportLimits()
        limits.messageByteCountMax = 16 << 20
        limits.frameByteCountMax = 16 << 20
        limits.fragmentCountMax = 16 << 20
        // One long message above the high-water mark, and what came with it in its turn.
        limits.outgoingByteCountMax = 64 << 20
        return limits
    }

    func connectionOpened(_ connection: SecureConnection) {}

    func connectionReceived(
        _ payload: RawSpan, as kind: WebSocketMessage.Kind, on connection: SecureConnection
    ) {
        connection.send(payload, as: kind)
    }

    func connectionCaughtUp(_ connection: SecureConnection) {
        if !connection.isWritable { connection.pauseReading() }
    }

    func connectionDrained(_ connection: SecureConnection) { connection.resumeReading() }

    func connectionEnded(_ end: ConnectionEnd) {}
}
