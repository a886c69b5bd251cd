import TarnModel

/// All that a replica holds, as a value: a transaction works on a copy of it.
struct MemoryReplicaState: Sendable {
    var identity: ReplicaIdentity?
    var resumePoint = ResumePoint.zero

    var schema = Schema()
    /// By class number.
    var classes: [MemoryReplicaClass] = []
    /// By the object that they lead to: how many cells, slots and entries of a property do, of
    /// either layer.
    var references: [ObjectID: [Holder: Int]] = [:]
    /// Objects that this transaction took something from: if it was the last that kept a bare row,
    /// the row goes at the commit.
    var loosened: Set<ObjectID> = []

    var chain = ChainState.empty
    /// In order of sequence.
    var pending: [OutboxEntry] = []
    var touched: [UInt64: Set<ObjectID>] = [:]
    var touching: [ObjectID: Set<UInt64>] = [:]
    var receipts: [KeptReceipt] = []
    /// In order of sequence.
    var undo: [UndoEntry] = []
    /// In the order in which they came.
    var archive: [ArchivedTransaction] = []
    /// Ascending by version.
    var points: [ResumePoint] = []
    /// In the order in which they came.
    var staged: [StagedGroup] = []
    var stagedSeries: StagedSeries?

    /// In order of number.
    var subscriptions: [StoredSubscription] = []
    var lastSubscription: Int64 = 0
    /// By subscription: what it holds, and whether as a root.
    var members: [Int64: [ObjectID: Bool]] = [:]

    var lease = Lease(epoch: 0, holder: nil, renewed: 0)
    var status = SyncStatus(connection: .offline, upToDate: nil, problem: nil)
    /// In order, without gaps, up to `lastNote`.
    var notes: [[ObjectID]] = []
    var lastNote: Int64 = 0
}

/// The rows of one class.
struct MemoryReplicaClass: Sendable {
    var rows: [Int64: MemoryReplicaRow] = [:]
    var numbers: [PrimaryKey: Int64] = [:]
    /// The number given last; none is given twice.
    var lastNumber: Int64 = 0
}

/// A row with all that goes when it goes.
struct MemoryReplicaRow: Sendable {
    var row: ReplicaRow
    /// What the user sees, by property number; null for collections.
    var values: [Value]
    /// By property number.
    var lists: [Int: [ReplicaSlot]] = [:]
    /// By property number, of sets and maps.
    var entries: [Int: [Value: ReplicaEntry]] = [:]
    var shadow: Shadow?
}

extension MemoryReplicaState {
    /// Nil where there is no such row. Setting nil is for `erase` alone.
    subscript(_ object: ObjectID) -> MemoryReplicaRow? {
        get {
            guard classes.indices.contains(object.classNumber) else { return nil }
            return classes[object.classNumber].rows[object.number]
        }
        _modify {
            precondition(classes.indices.contains(object.classNumber), "the object has a class")
            yield &classes[object.classNumber].rows[object.number]
        }
    }

    func expectRow(_ object: ObjectID) throws(StorageError) -> MemoryReplicaRow {
        guard let row = self[object] else { throw .absent(object) }
        return row
    }

    func object(_ key: PrimaryKey, in classNumber: Int) -> ObjectID? {
        guard classes.indices.contains(classNumber) else { return nil }
        return classes[classNumber].numbers[key].map {
            ObjectID(classNumber: classNumber, number: $0)
        }
    }

    /// Adds a row with all its values null.
    mutating func insertRow(
        of key: PrimaryKey, in classNumber: Int, life: TransactionID?, isConfirmed: Bool,
        isVisible: Bool
    ) throws(StorageError) -> ObjectID {
        guard let properties = schema.schema(number: classNumber)?.properties else {
            throw .noSuchClass(classNumber)
        }
        guard classes[classNumber].numbers[key] == nil else { throw .keyIsThere(key) }
        classes[classNumber].lastNumber += 1
        let number = classes[classNumber].lastNumber
        let object = ObjectID(classNumber: classNumber, number: number)
        classes[classNumber].numbers[key] = number
        classes[classNumber].rows[number] = MemoryReplicaRow(
            row: ReplicaRow(
                object: object, key: key, life: life, isConfirmed: isConfirmed,
                isVisible: isVisible),
            values: Array(repeating: .null, count: properties.count))
        return object
    }
}
