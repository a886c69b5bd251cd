enum ReplicaFileLimits {
    /// The write-ahead log is brought into the file from this size on: a thousand pages, which take
    /// some 10 ms, and which a reader looks through in no time.
    static let walBytes = 4 << 20
}
