package import Glibc

/// How a test's programs are started: with no signal blocked, unless the test is about that, and
/// none ignored. A thread of the tests may block nearly all of them, and what runs in a shell's
/// background ignores Ctrl-C; a child has both from it, and then no signal ends that child.
package struct SpawnAttributes: ~Copyable {
    package var value = posix_spawnattr_t()

    package init(blocking signals: [Int32] = []) {
        posix_spawnattr_init(&value)
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for signal in signals { sigaddset(&blocked, signal) }
        posix_spawnattr_setsigmask(&value, &blocked)
        var heard = sigset_t()
        sigemptyset(&heard)
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGPIPE] {
            sigaddset(&heard, signal)
        }
        posix_spawnattr_setsigdefault(&value, &heard)
        posix_spawnattr_setflags(
            &value, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    deinit {
        var value = value
        posix_spawnattr_destroy(&value)
    }
}
