package import Glibc

/// How a test's programs are started: with no signal blocked, unless the test is about that. A
/// thread of the tests may block nearly all of them, and a child has its mask from it; then no
/// signal ends that child.
package struct SpawnAttributes: ~Copyable {
    package var value = posix_spawnattr_t()

    package init(blocking signals: [Int32] = []) {
        posix_spawnattr_init(&value)
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for signal in signals { sigaddset(&blocked, signal) }
        posix_spawnattr_setsigmask(&value, &blocked)
        posix_spawnattr_setflags(&value, Int16(POSIX_SPAWN_SETSIGMASK))
    }

    deinit {
        var value = value
        posix_spawnattr_destroy(&value)
    }
}
