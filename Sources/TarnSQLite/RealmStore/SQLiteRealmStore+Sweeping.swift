import TarnModel
import TarnStorage

/// How far the store is with freeing what the floor has passed. It is kept in memory only: whoever
/// opens the file begins again, and finds little to do.
struct PruningProgress {
    /// What the floor had passed by then is freed, but for versions.
    var freed = Version.zero
    /// The last view that was looked at since.
    var view: Int64 = 0
    /// The sweep under way; nil between two of them.
    var sweep: VersionSweep?
}

/// One round of finding the versions whose stamp nothing bears any more.
///
/// A cell, a slot or an entry bears its version's stamp by the version's number, so a version below
/// the floor stays while one of them does. Which do is found by looking at all of them. What bears
/// the stamp of a version below the floor only ever gets fewer, since what is written bears a new
/// one: so the walk may stop and go on while the realm is written to. (Whoever adds a table whose
/// rows bear stamps adds it to `stampedTables`.)
struct VersionSweep {
    /// Versions below are swept: the floor when the round began.
    let floor: Version
    /// The versions of this walk, in order, and whether something bears their stamp.
    var window: [UInt64] = []
    var isBorne: [Bool] = []
    /// All versions up to this one were listed.
    var listed: UInt64 = 0
    var step = Step.list
    /// The table that is walked over, and its last row that was looked at.
    var table = 0
    var row: Int64 = 0
    /// How many of the window's versions were looked at.
    var swept = 0
    var kept = 0
    var visited = 0

    enum Step { case list, walk, free }

    /// Versions that one walk looks for: what is kept of them in memory is 9 bytes each.
    static let windowMax = 1 << 17

    init(floor: Version) { self.floor = floor }

    mutating func bear(_ version: UInt64) {
        guard let last = window.last, version <= last else { return }
        var low = 0
        var high = window.count
        while low < high {
            let middle = (low + high) / 2
            if window[middle] < version { low = middle + 1 } else { high = middle }
        }
        if low < window.count, window[low] == version { isBorne[low] = true }
    }
}

extension SQLiteRealmStore {
    /// Rows that are walked over for the price of one that is freed.
    private static let rowsAStep = 8
    /// Below so many versions a round is not worth the while.
    private static let roundMin: UInt64 = 256

    func sweepVersions(_ rest: inout Int) throws(StorageError) -> Bool {
        if pruning.sweep == nil {
            guard try isSweepDue() else { return false }
            pruning.sweep = VersionSweep(floor: cache.floor)
        }
        while rest > 0, let sweep = pruning.sweep {
            switch sweep.step {
            case .list: try listVersions(&rest)
            case .walk: try walkOverStamps(&rest)
            case .free: try freeVersions(&rest)
            }
        }
        return pruning.sweep != nil
    }

    /// A round costs a look at everything that is kept: so it waits until as many versions have
    /// passed the floor as are in some proportion to that.
    private func isSweepDue() throws(StorageError) -> Bool {
        let last = try connection.first("SELECT swept, kept, visited FROM realm") {
            (row) throws(StorageError) in
            (swept: try row.bits(0), kept: try row.bits(1), visited: try row.bits(2))
        }
        guard let last, cache.floor.number > last.swept else { return false }
        return cache.floor.number - last.swept
            >= max(Self.roundMin, last.kept / 4, last.visited / 16)
    }

    private func listVersions(_ rest: inout Int) throws(StorageError) {
        guard var sweep = pruning.sweep else { return }
        pruning.sweep = nil
        let wanted = min(rest * Self.rowsAStep, VersionSweep.windowMax - sweep.window.count)
        let numbers = try connection.all(
            "SELECT n FROM version WHERE n > ? AND n < ? ORDER BY n LIMIT ?", .bits(sweep.listed),
            .bits(sweep.floor.number), .int(Int64(wanted))
        ) { (row) throws(StorageError) in try row.bits(0) }
        rest -= 1 + numbers.count / Self.rowsAStep
        sweep.window += numbers
        sweep.isBorne += numbers.map { _ in false }
        sweep.listed = numbers.last ?? sweep.listed
        if numbers.count < wanted || sweep.window.count == VersionSweep.windowMax {
            sweep.step = .walk
        }
        pruning.sweep = sweep.window.isEmpty ? try ended(sweep) : sweep
    }

    /// All tables whose rows bear stamps, and the column that says whose; nil for objects, of which
    /// each cell has its own.
    private var stampedTables: [(table: String, column: String?)] {
        cache.classes.flatMap { realmClass in
            let layout = realmClass.layout
            return [(layout.table, nil)]
                + layout.lists.map { (layout.listTable($0.number), "placed") }
                + layout.entries.map { (layout.listTable($0.number), "stamped") }
        }
    }

    /// Every object, slot and entry, tombstones too: a few at a time.
    private func walkOverStamps(_ rest: inout Int) throws(StorageError) {
        guard var sweep = pruning.sweep else { return }
        pruning.sweep = nil
        let tables = stampedTables
        guard tables.indices.contains(sweep.table) else {
            sweep.step = .free
            pruning.sweep = sweep
            return
        }
        let (table, column) = tables[sweep.table]
        let wanted = rest * Self.rowsAStep
        var count = 0
        let columns = column.map { "n, \($0)" } ?? "n, a, created, known, marks"
        try connection.statement(
            "SELECT \(columns) FROM \(table) WHERE n > ? ORDER BY n LIMIT ?"
        ).each([.int(sweep.row), .int(Int64(wanted))]) { (row) throws(StorageError) in
            count += 1
            sweep.row = try row.int(0)
            if column != nil {
                sweep.bear(try row.bits(1))
            } else if try row.flag(1) {
                sweep.bear(try row.bits(2))
                for version in try Self.marks(row, 2).stampedVersions {
                    sweep.bear(version.number)
                }
            }
            return true
        }
        rest -= 1 + count / Self.rowsAStep
        sweep.visited += count
        if count < wanted {
            sweep.table += 1
            sweep.row = 0
        }
        pruning.sweep = sweep
    }

    private func freeVersions(_ rest: inout Int) throws(StorageError) {
        guard var sweep = pruning.sweep else { return }
        pruning.sweep = nil
        while rest > 0, sweep.swept < sweep.window.count {
            if sweep.isBorne[sweep.swept] {
                sweep.kept += 1
            } else {
                try connection.run(
                    "DELETE FROM version WHERE n = ?", .bits(sweep.window[sweep.swept]))
                rest -= 1
            }
            sweep.swept += 1
        }
        guard sweep.swept == sweep.window.count else {
            pruning.sweep = sweep
            return
        }
        guard sweep.window.count == VersionSweep.windowMax else {
            pruning.sweep = try ended(sweep)
            return
        }
        sweep.window = []
        sweep.isBorne = []
        (sweep.swept, sweep.table, sweep.row) = (0, 0, 0)
        sweep.step = .list
        pruning.sweep = sweep
    }

    private func ended(_ sweep: VersionSweep) throws(StorageError) -> VersionSweep? {
        try connection.run(
            "UPDATE realm SET swept = ?, kept = ?, visited = ?", .bits(sweep.floor.number),
            .int(Int64(sweep.kept)), .int(Int64(sweep.visited)))
        return nil
    }
}
