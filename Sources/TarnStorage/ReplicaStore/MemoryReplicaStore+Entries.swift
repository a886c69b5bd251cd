package import TarnModel

extension MemoryReplicaStore {
    package func entries(in collection: ListID) throws(StorageError) -> [ReplicaEntry] {
        (state[collection.object]?.entries[collection.property] ?? [:]).values.sorted {
            $0.entry < $1.entry
        }
    }

    package func entry(
        _ entry: Value, in collection: ListID
    ) throws(StorageError) -> ReplicaEntry? {
        state[collection.object]?.entries[collection.property]?[entry.withoutLife]
    }

    package func put(
        _ entry: ReplicaEntry, in collection: ListID
    ) throws(StorageError) {
        let property = try state.schema.property(
            collection.property, in: collection.object.classNumber)
        for value in [entry.confirmed, entry.visible].compactMap(\.self) {
            guard property.acceptsEntry(entry.entry, holding: value) else {
                throw .wrongType(collection.property, in: collection.object.classNumber)
            }
        }
        let kept = ReplicaEntry(
            entry: entry.entry.withoutLife, confirmed: entry.confirmed?.withoutLife,
            visible: entry.visible?.withoutLife)
        let present = try state.expectRow(collection.object)
            .entries[collection.property]?[kept.entry]
        let holder = Holder(object: collection.object, property: collection.property)
        for link in kept.links { try state.reference(link, from: holder) }
        for link in present?.links ?? [] { try state.unreference(link, from: holder) }
        let isGone = kept.confirmed == nil && kept.visible == nil
        state[collection.object]?.entries[collection.property, default: [:]][kept.entry] =
            isGone ? nil : kept
    }

    package func resetEntriesToConfirmed(_ collection: ListID) throws(StorageError) {
        for var entry in try entries(in: collection) where entry.visible != entry.confirmed {
            entry.visible = entry.confirmed
            try put(entry, in: collection)
        }
    }
}

extension ReplicaEntry {
    /// All that it leads to, in whichever layer: what is in both, once for each.
    var links: [Value] {
        [confirmed, visible].flatMap { value in
            value.map { [entry, $0] } ?? []
        }
    }
}
