package import TarnModel
import TarnStorage

/// The changes of one `write` while they are being made: each is seen by the next, and all of them
/// by others once the write has returned.
package struct WriteTransaction {
    /// What the transaction is going to be called; the life of what it creates.
    package let id: TransactionID
    /// The replica as the user sees it, these changes included.
    package let reader: ReplicaReader
    private(set) var changes: [Change] = []
    /// Every object of which the user may see something else now.
    private(set) var touched: Set<ObjectID> = []
    private var slotCount: UInt32 = 0
    /// What it takes to set it back.
    private(set) var recorder = UndoRecorder()
    /// It sets an earlier one back.
    var isUndoing = false
    /// Objects whose owners are counted at the end.
    var doubtful: Set<ObjectID> = []
    /// Parts that were made in this write, and objects that an owner has let go.
    var born: Set<ObjectID> = []
    var letGo: Set<ObjectID> = []
    /// Cells of unique properties that were set.
    var unique: Set<UniqueCell> = []

    init(id: TransactionID, reader: ReplicaReader) {
        self.id = id
        self.reader = reader
    }

    var store: any ReplicaStore { reader.store }
    var layer: VisibleLayer { VisibleLayer(store: store, identity: reader.identity) }

    package var changeCount: Int { changes.count }
    /// Of the keys, strings and data in the changes.
    private var byteCount = 0

    /// What it weighs by now at the least (`TransactionLimits`).
    package var weight: Int {
        TransactionLimits.weight(changes: changes.count, bytes: byteCount)
    }

    /// It is one of many that belong together, as of an import: it is not set back by itself.
    package mutating func forgoUndo() { recorder.giveUp() }

    /// Notes a change, and does it to what the user sees.
    mutating func make(_ change: Change, on object: ObjectID) throws(ReplicaError) {
        try recorder.note(change, on: object, count: changes.count, in: reader)
        try append(change)
        try touch(object)
        let (layer, id) = (layer, id)
        try reader.stored { () throws(StorageError) in
            try layer.apply(change, to: object, by: id)
        }
    }

    mutating func append(_ change: Change) throws(ReplicaError) {
        try checkRoom()
        changes.append(change)
        byteCount += change.byteCount
    }

    func checkRoom() throws(ReplicaError) {
        guard weight < TransactionLimits.weightMax else {
            throw ReplicaError(
                .limitExceeded,
                TransactionLimits.sentence(changes: changes.count, bytes: byteCount))
        }
    }

    /// Keeps what the server last said of an object, before it is changed.
    mutating func touch(_ object: ObjectID) throws(ReplicaError) {
        guard touched.insert(object).inserted, !reader.identity.isLocal else { return }
        let store = store
        try reader.stored { () throws(StorageError) in
            try store.makeShadow(of: object)
        }
    }

    mutating func nextSlot() -> SlotID {
        defer { slotCount += 1 }
        return SlotID(transaction: id, ordinal: slotCount)
    }
}

extension ReplicaStore {
    /// Sets apart what is confirmed of an object, where that has not been done yet.
    func makeShadow(of object: ObjectID) throws(StorageError) {
        guard try shadow(of: object) == nil, let row = try row(of: object) else { return }
        let values = try values(of: object)
        try setShadow(
            row.isConfirmed
                ? Shadow(life: row.life, values: values)
                : Shadow(life: nil, values: values.map { _ in .null }), of: object)
    }
}
