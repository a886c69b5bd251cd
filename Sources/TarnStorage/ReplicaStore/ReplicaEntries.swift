package import TarnModel

/// One entry of a set or map in a replica, in both layers. It is gone when neither has it.
package struct ReplicaEntry: Hashable, Sendable {
    /// A set's is the element, which then holds true. Links have no life.
    package let entry: Value
    /// What the server last said; nil where it is not there.
    package var confirmed: Value?
    /// What the user sees; nil where it is not there.
    package var visible: Value?

    package init(entry: Value, confirmed: Value?, visible: Value?) {
        self.entry = entry
        self.confirmed = confirmed
        self.visible = visible
    }
}

extension ReplicaEntry {
    /// Whether the user sees that it leads to what this link says.
    package func visiblyHolds(_ link: Value) -> Bool {
        visible != nil && (entry == link || visible == link)
    }
}

/// The sets and maps of one replica.
package protocol ReplicaEntries {
    /// Those of either layer, by `Value`'s order.
    func entries(in collection: ListID) throws(StorageError) -> [ReplicaEntry]

    func entry(_ entry: Value, in collection: ListID) throws(StorageError) -> ReplicaEntry?

    /// Makes an entry what is given, and takes it away where that is nothing in both layers. A link
    /// to a key that has no row makes one for it, neither confirmed nor visible.
    func put(_ entry: ReplicaEntry, in collection: ListID) throws(StorageError)

    /// Makes what the user sees what the server last said.
    func resetEntriesToConfirmed(_ collection: ListID) throws(StorageError)
}
