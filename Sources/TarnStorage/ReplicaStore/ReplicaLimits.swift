/// What a replica bounds, the same in every implementation.
package enum ReplicaLimits {
    /// Notes of changes that are kept for the other processes. One that looks less often than every
    /// thousandth commit reads its results anew, which then costs it less than the notes would.
    package static let notesMax = 1_000
    /// Objects in all kept notes together, for the same reason: 10,000 are some 100 KB.
    package static let notedObjectsMax = 10_000
    /// Transactions that can be set back: more than anybody remembers.
    package static let undoMax = 200
    /// Points that a server which was restored can be asked for: 20 KB of one message.
    package static let pointsMax = 1_000
}
