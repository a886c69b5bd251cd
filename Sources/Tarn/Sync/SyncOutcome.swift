/// What became of a wish to be in step with the server.
package enum SyncOutcome: Equatable, Sendable {
    /// All that was wished for.
    case done
    /// Another process leads, and has been woken.
    case leftToLeader
    /// There is no connection; the sentence says why. Nothing is lost: it is sent later.
    case offline(String)
    case timedOut
    /// Waiting does not mend it.
    case failed(TarnError)
    /// The program was told to end, by that signal.
    case interrupted(Int32)
    /// Whoever ran it has stopped it.
    case stopped
}
