package import TarnModel

/// What stands under one entry of a set or map, and who said so.
package struct EntryState: Hashable, Sendable {
    package let setting: Setting
    /// Nil where the entry was taken out.
    package let value: Value?

    package init(setting: Setting, value: Value?) {
        self.setting = setting
        self.value = value
    }
}

/// The sets and maps of one realm, those entries too that were taken out. Each entry is a register
/// by itself. A link among the entries means one life of its target: that of a key that is deleted
/// and created again is another entry.
package protocol RealmEntries {
    /// Nil for one that was never there, or is forgotten below the floor. A link names the living
    /// object of its key.
    func state(of entry: Value, in collection: ListID) throws(StorageError) -> EntryState?

    /// Those that are there, by `Value`'s order of the entries.
    func entries(in collection: ListID) throws(StorageError) -> [Entry]

    /// What changed above a version, each entry as anybody names it once, by the same order.
    func changedEntries(
        in collection: ListID, since version: Version
    ) throws(StorageError) -> [EntryChange]

    /// The entries that are there and hold this object, be it as a set's element or a map's value.
    func entries(
        holding target: ObjectID, in collection: ListID
    ) throws(StorageError) -> [Value]
}
