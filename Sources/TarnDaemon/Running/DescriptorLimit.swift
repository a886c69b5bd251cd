import CLinux
import Glibc

/// How many descriptors this process may have.
enum DescriptorLimit {
    /// For the log, accounts, loops, and some realms' files; what realms need above comes with the
    /// users.
    static let besideConnections = 256

    /// Raises the soft limit to the hard one. Many systems give 1,024 of some 500,000, for the sake
    /// of programs that use `select`.
    /// - Returns: the limit as it is now.
    static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
                limit = raised
            }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
