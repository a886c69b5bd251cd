package import Glibc

/// How a test's programs are started: with no signal blocked. A thread of the tests may block
/// nearly all of them, and a child has its mask from it; then no signal ends that child.
package struct SpawnAttributes: ~Copyable {
    package var value = posix_spawnattr_t()

    package init() {
        posix_spawnattr_init(&value)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&value, &none)
        posix_spawnattr_setflags(&value, Int16(POSIX_SPAWN_SETSIGMASK))
    }

    deinit {
        var value = value
        posix_spawnattr_destroy(&value)
    }
}
