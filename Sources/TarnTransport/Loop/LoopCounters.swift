/// What happened on a loop since it was made, and what is there now. The loop's thread counts; any
/// may read.
package final class LoopCounters: Sendable {
    /// By listeners of this loop, whichever loops they gave them to.
    package let connectionsAccepted = Tally()
    /// Open sockets with TLS, in whatever phase.
    package let connections = Tally()
    package let handshakesDone = Tally()
    /// Also those that were given up or took too long.
    package let handshakesFailed = Tally()
    /// By other threads.
    package let wakeUps = Tally()
    /// Of the network, so encrypted.
    package let bytesReceived = Tally()
    package let bytesSent = Tally()
    /// Of WebSockets.
    package let messagesReceived = Tally()
    package let messagesSent = Tally()
    /// What waits for peers to take it, as of the last turn.
    package let bytesQueued = Tally()
}
