import TarnTransport

/// What a daemon's health is judged by, at one moment.
struct HealthSigns {
    var isShuttingDown = false
    /// What was last written to the commit log became durable.
    var isLogWritable = true
    /// How long the oldest records have waited for the commit log; nil where none wait.
    var logWait: Duration?
    /// Free bytes of the data folder's disk when it was last looked at; nil where that failed.
    var freeBytes: Int?
    /// How long ago that was.
    var diskSilence = Duration.zero

    /// What is wrong, as sentences without their points; nothing where all is well.
    func problems(_ limits: HealthLimits) -> [String] {
        var problems: [String] = []
        if isShuttingDown { problems.append("the daemon is shutting down") }
        if !isLogWritable { problems.append("the commit log cannot be written") }
        if let logWait, logWait >= limits.logWaitMax {
            problems.append("the commit log is stuck")
        }
        if diskSilence >= limits.diskSilenceMax {
            problems.append("the data folder's disk does not answer")
        } else if let freeBytes, freeBytes < limits.freeBytesMin {
            problems.append("the data folder's disk is full or nearly so")
        } else if freeBytes == nil {
            problems.append("the data folder's disk cannot be looked at")
        }
        return problems
    }
}

/// From where on a daemon is not healthy.
struct HealthLimits: Equatable, Sendable {
    /// A sync takes milliseconds, and on a loaded disk a second; clients wait meanwhile.
    var logWaitMax = Duration.seconds(5)
    /// Three looks that did not come back.
    var diskSilenceMax = Duration.seconds(15)
    /// Below this a disk counts as full: what is under way, in every realm, can still be finished
    /// and checkpointed. Zero for no limit.
    var freeBytesMin = 256 << 20
}
