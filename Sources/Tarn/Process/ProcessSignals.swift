import Glibc

/// What a program does about signals before anything else.
package enum ProcessSignals {
    /// Unblocks those that end, stop or continue a program: a child has its parent's mask, and a
    /// parent that blocks them (many runtimes' workers do) would make one that nobody can end. A
    /// write that a limit of the system forbids becomes an error, rather than the program's end.
    package static func prepare() {
        var handled = sigset_t()
        sigemptyset(&handled)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT] {
            sigaddset(&handled, signal)
        }
        pthread_sigmask(SIG_UNBLOCK, &handled, nil)
        signal(SIGXFSZ, SIG_IGN)
    }
}
