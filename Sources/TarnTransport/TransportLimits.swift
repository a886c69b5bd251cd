/// Everything of this layer that has a bound, and why this one. What goes over a limit closes the
/// connection, with a sentence that says which.
package struct TransportLimits: Sendable, Equatable {
    /// A message of the protocol is at most this, so that channels can take turns.
    package var messageByteCountMax = 65_536
    /// A message may come in one frame.
    package var frameByteCountMax = 65_536
    /// Proxies may cut messages; nobody needs to cut one into more than this.
    package var fragmentCountMax = 128

    /// Browsers with their cookies stay below; it is what many servers accept.
    package var httpHeadByteCountMax = 8_192
    /// Three times what a browser sends.
    package var httpHeaderCountMax = 64
    /// Requests of one connection that are answered; monitors that ask for ever begin anew.
    package var httpRequestCountMax = 100
    /// From one answer to the end of the next request: a check that comes every few seconds keeps
    /// its connection, and a rarer one pays for a new handshake.
    package var httpIdleTimeout = Duration.seconds(30)

    /// From accepted or connected to open: three round trips of a bad mobile network, with retries.
    package var handshakeTimeout = Duration.seconds(10)
    /// Below the 30 seconds after which the strictest common address translators forget us.
    package var pingInterval = Duration.seconds(25)
    /// One may be lost with a change of network; two mean that nobody is there.
    package var missedPingCountMax = 2
    /// Without a message either way; nil because a quiet day is no reason to hang up.
    package var idleTimeout: Duration?
    /// For a peer to answer our close, and then to end the stream.
    package var closeTimeout = Duration.seconds(5)
    /// A peer that takes no byte for so long while bytes wait for it is as good as gone.
    package var stallTimeout = Duration.seconds(30)

    /// Above this a connection is not writable: some turns' worth for a fast network.
    package var outgoingHighWater = 262_144
    /// At or below this it is writable again; far enough below not to flutter.
    package var outgoingLowWater = 65_536
    /// The owner ignored `isWritable`; memory is not for that.
    package var outgoingByteCountMax = 4_194_304

    /// What the kernel keeps unsent of a connection before it takes no more; nil for what it likes,
    /// which may be megabytes that are then neither ours to take back nor in our sight.
    package var socketUnsentByteCountMax: Int?
    /// What the kernel keeps for a client's connection to read; nil for what it finds fit.
    package var socketReceiveByteCount: Int?

    /// What one connection may read in a turn before others have theirs.
    package var readByteCountPerTurn = 262_144
    /// At about 16 KB each, this many connections are 160 MB.
    package var connectionCountMax = 10_000
    /// A large office behind one address has room, and it takes ten such addresses to leave none
    /// for others.
    package var connectionCountByAddressMax = 1_000
    /// Connections whose peer is not known yet: a second's handshakes of two processors. They take
    /// nothing of what is left for those who are known.
    package var strangerCountMax = 1_000
    /// So many come at once from an office whose network is back.
    package var strangerCountByAddressMax = 100
    /// What the system holds ready for us to accept; the kernel may lower it.
    package var backlogCountMax = 1_024
    /// How long accepting rests when descriptors have run out.
    package var exhaustedPause = Duration.milliseconds(100)

    package init() {}
}
