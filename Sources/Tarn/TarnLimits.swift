/// Every bound of the library, with its reason.
package enum TarnLimits {
    /// For a goodbye to the server: a few round trips on a bad line. What was not acknowledged
    /// until then is sent again by whoever leads next.
    package static let goodbye = Duration.milliseconds(500)
    /// What a one-shot command waits for its receipts: as long as a person takes a prompt's
    /// coming back for immediate, and no longer.
    package static let brief = Duration.seconds(2)
    /// What may wait to be sent on a connection. A channel's credit bounds it: several times that,
    /// since small messages have wrappings as long as themselves.
    package static let outgoingByteCountMax = 16 << 20
    /// For registering or logging in: a connection over a bad line, and the server's hashing of
    /// the password behind others'.
    package static let login = Duration.seconds(20)
    /// For a history: the server may have to look through all that it keeps.
    package static let history = Duration.seconds(20)
    /// For revoking a token; offline it is not worth more.
    package static let logout = Duration.seconds(3)
}
