package import TarnModel

/// A group of a series that is here and not applied, encoded as it came.
package struct StagedGroup: Hashable, Sendable {
    package let bytes: [UInt8]
    /// What numbers mean that no staged group before it has told, encoded; nil where there are
    /// none but those.
    package let dictionary: [UInt8]?

    package init(bytes: [UInt8], dictionary: [UInt8]?) {
        self.bytes = bytes
        self.dictionary = dictionary
    }
}

/// Where the staged groups lead from and to.
package struct StagedSeries: Hashable, Sendable {
    /// What the first of them begins at.
    package let from: ResumePoint
    /// What the last of them leads to, and what the server wants to hear to go on from there.
    package let to: ResumePoint
    package let cursor: [UInt8]

    package init(from: ResumePoint, to: ResumePoint, cursor: [UInt8]) {
        self.from = from
        self.to = to
        self.cursor = cursor
    }
}

/// A large download on its way: its groups are kept until the last is here, then applied together.
package protocol ReplicaStaging {
    /// Nil where nothing is staged.
    func stagedSeries() throws(StorageError) -> StagedSeries?
    /// Adds a group at the end; the series is what it is then.
    func stage(_ group: StagedGroup, of series: StagedSeries) throws(StorageError)
    /// Hands over the groups in the order in which they came, one at a time.
    func forEachStaged(_ body: (StagedGroup) throws -> Void) throws
    func dropStaged() throws(StorageError)
}
