import TarnModel
import TarnProtocol
import TarnStorage

/// What one turn of a realm has decided.
struct DecidedTurn {
    /// The version and the classes before it.
    let since: Version
    let schema: Schema
    private(set) var records: [LogRecord] = []
    private(set) var touched: Set<ObjectID> = []
    private var weight = 0
    /// Sessions that end with it, and why.
    var faults: [(session: RealmSession, fault: ProtocolError)] = []

    init(since: Version, schema: Schema) {
        self.since = since
        self.schema = schema
    }

    var isFull: Bool {
        records.count >= ServerLimits.transactionsATurnMax
            || weight >= ServerLimits.weightATurnMax
    }

    mutating func add(_ verdict: TransactionJudge.Verdict) {
        records.append(verdict.record)
        if touched.isEmpty { touched = verdict.touched } else { touched.formUnion(verdict.touched) }
        weight += max(verdict.weight, verdict.record.effects.count)
    }
}
