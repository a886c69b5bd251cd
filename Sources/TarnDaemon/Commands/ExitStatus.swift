/// How `tarnd` ends; the numbers are those of sysexits.h.
package enum ExitStatus: Int32, Sendable {
    case success = 0
    /// A command or option that is not understood.
    case usage = 64
    /// What was given does not fit: a user that is there already, or is not.
    case data = 65
    /// An address that cannot be listened on.
    case unavailable = 69
    /// Something that was thought impossible.
    case software = 70
    /// A folder or file that cannot be made or used.
    case cannotCreate = 73
    /// Another daemon has the data folder.
    case inUse = 75
    /// A setting, a certificate or a key that cannot be used.
    case configuration = 78
}
