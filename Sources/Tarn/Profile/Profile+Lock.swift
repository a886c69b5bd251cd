import Glibc

extension Profile {
    /// Runs the body while nobody else, in this process or another, opens or removes the profile's
    /// replicas, or changes its account. One inside another would wait for itself for ever.
    ///
    /// The lock is on the profile's folder, which stays while all that is in it comes and goes.
    func alone<Answer>(_ body: () throws(TarnError) -> Answer) throws(TarnError) -> Answer {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw PrivateFile.failure("opening the folder \(path)") }
        // Which gives the lock back, too.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw PrivateFile.failure("locking the folder \(path)")
            }
        }
        return try body()
    }
}
