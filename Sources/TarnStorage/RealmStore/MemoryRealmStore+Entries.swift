package import TarnModel

extension MemoryRealmStore {
    package func state(
        of entry: Value, in collection: ListID
    ) throws(StorageError) -> EntryState? {
        let entries = try state.entries(collection)
        guard let name = try state.storedEntry(entry, of: collection),
            let stored = entries[name]
        else { return nil }
        return EntryState(
            setting: Setting(
                mark: RegisterMark(stamp: try state.stamp(of: stored.stamped), isDefault: false),
                version: stored.stamped),
            value: try stored.value.map { (value) throws(StorageError) in try state.value(value) })
    }

    package func entries(in collection: ListID) throws(StorageError) -> [Entry] {
        var found: [Entry] = []
        for (entry, stored) in try state.entries(collection) {
            guard let value = stored.value else { continue }
            found.append(Entry(entry: try state.value(entry), value: try state.value(value)))
        }
        return found.sorted { $0.entry < $1.entry }
    }

    package func changedEntries(
        in collection: ListID, since version: Version
    ) throws(StorageError) -> [EntryChange] {
        var changes: [Value: EntryChange] = [:]
        for (entry, stored) in try state.entries(collection) where stored.changed > version {
            let name = try state.value(entry)
            // Of two lives of one key, the one that is there.
            guard let value = stored.value else {
                if changes[name] == nil { changes[name] = EntryChange(entry: name, value: nil) }
                continue
            }
            changes[name] = EntryChange(entry: name, value: try state.value(value))
        }
        let there = Set(try entries(in: collection).map(\.entry))
        return changes.values.filter { $0.value != nil || !there.contains($0.entry) }
            .sorted { $0.entry < $1.entry }
    }

    package func entries(
        holding target: ObjectID, in collection: ListID
    ) throws(StorageError) -> [Value] {
        var found: [Value] = []
        for (entry, stored) in try state.entries(collection) where stored.holds(target, as: entry) {
            found.append(try state.value(entry))
        }
        return found.sorted()
    }
}

extension StoredEntry {
    /// Whether the entry is there and holds the object.
    func holds(_ target: ObjectID, as entry: StoredValue) -> Bool {
        guard let value else { return false }
        return entry.target == target || value.target == target
    }
}
