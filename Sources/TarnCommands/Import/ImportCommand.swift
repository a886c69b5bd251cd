import TarnClient
import TarnModel
import TarnStorage

/// `tarn import`: many objects, as many transactions.
enum ImportCommand {
    /// Lines that are taken together, and their bytes.
    static let linesABatch = 500
    static let bytesABatch = 256 << 10
    /// What a transaction weighs when it is closed: half of what it may, since a line may make some
    /// changes more, and others' commits may have to wait for each.
    private static let weightATransaction = TransactionLimits.weightMax / 2
    /// A lighter one takes any value.
    private static let weightBesideAnyValue = 10

    static func isFull(_ transaction: WriteTransaction) -> Bool {
        transaction.weight >= weightATransaction
    }

    /// How many of some values a transaction has room for before it is closed, each by a change of
    /// its own or all by one; at least one has room in a transaction that was just begun.
    static func room(
        for values: some Sequence<Value>, changesEach: Int = 1, in transaction: WriteTransaction
    ) -> Int {
        var weight = transaction.weight
        var count = 0
        for value in values {
            let more = TransactionLimits.weight(changes: changesEach, bytes: value.byteCount)
            let hasRoom = weight + more <= weightATransaction || weight < weightBesideAnyValue
            guard hasRoom else { break }
            weight += more
            count += 1
        }
        return count
    }

    static func hasRoom(forBytes count: Int, in transaction: WriteTransaction) -> Bool {
        transaction.weight + TransactionLimits.weight(changes: 1, bytes: count)
            <= weightATransaction
    }

    static let spec = CommandSpec(
        "import", "FILE", 1...1,
        options: [OptionSpec("keep-going", "leave out the lines that are no good")],
        "write the objects of a file of JSON lines; - is the standard input",
        details: """
            A line is an object or a class as tarn export and tarn query --json print it. Keys
            decide: what is here already is changed where it differs, and never there twice. So an
            import that was cut short, or stopped at a bad line, is done again from the start.
            """, run: run)

    @Sendable private static func run(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let file = try LineFile(invocation.operands[0])
        let realm = try context.openRealm()
        var run = ImportRun(
            file: file, realm: realm, context: context, isPatient: invocation.has("keep-going"))
        try run.write(.objects)
        try run.write(.links)
        let isSent = try run.send()
        try context.answer(
            "Imported \(run.objectCount) objects in \(run.transactionCount) transactions",
            [
                "action": "imported", "objects": .int(run.objectCount),
                "transactions": .int(run.transactionCount), "skipped": .int(run.badLines.count),
                "sent": .bool(isSent),
            ])
        if !isSent { context.note("Saved here; will be sent when the server is reachable.") }
        for name in isSent ? try run.classesThatLeft() : [] {
            context.note(
                "Nothing here subscribes to \(name): its objects are on the server only. "
                    + "tarn subscribe NAME \(name) brings them back.")
        }
        if !run.badLines.isEmpty {
            let lines = run.badLines.count == 1 ? "1 line was" : "\(run.badLines.count) lines were"
            throw CommandError(.badData, "\(lines) left out")
        }
    }
}

/// One import while it goes on.
private struct ImportRun {
    let file: LineFile
    let realm: any CommandRealm
    let context: CommandContext
    let isPatient: Bool
    private(set) var objectCount = 0
    private(set) var transactionCount = 0
    private(set) var badLines: Set<Int> = []
    private var classNames: Set<String> = []
    private var lastProgress: Int64

    init(file: LineFile, realm: any CommandRealm, context: CommandContext, isPatient: Bool) {
        self.file = file
        self.realm = realm
        self.context = context
        self.isPatient = isPatient
        lastProgress = context.now()
    }

    private struct NumberedLine {
        let number: Int
        let line: ImportLine
        let byteCount: Int
    }

    /// What is wrong with a line of a batch.
    private struct LineFault: Error {
        let number: Int
        let error: CommandError
    }

    /// So many lines of a batch leave the next one no room in their transaction.
    private struct Crowding: Error {
        let lineCount: Int
    }

    /// What became of a batch's transaction.
    private struct Written {
        let lineCount: Int
        let isEmpty: Bool
    }

    mutating func write(_ pass: ImportWriter.Pass) throws {
        file.rewind()
        var batch: [NumberedLine] = []
        var bytes = 0
        while let line = try file.next() {
            let number = file.lineNumber
            guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }), !badLines.contains(number) else {
                continue
            }
            do throws(CommandError) {
                batch.append(
                    NumberedLine(
                        number: number, line: try ImportLine(line), byteCount: line.count))
            } catch {
                try flush(&batch, pass)
                try report(LineFault(number: number, error: error))
                continue
            }
            bytes += line.count
            if bytes >= ImportCommand.bytesABatch || batch.count >= ImportCommand.linesABatch {
                try flush(&batch, pass)
                bytes = 0
            }
        }
        try flush(&batch, pass)
    }

    /// Writes all lines of the batch, in one transaction or, where they make many changes, in some.
    private mutating func flush(_ batch: inout [NumberedLine], _ pass: ImportWriter.Pass) throws {
        while !batch.isEmpty {
            do {
                let written = try Self.write(batch, ImportWriter(pass: pass), into: realm)
                let done = batch.prefix(written.lineCount)
                if pass == .objects {
                    for case .object(let object) in done.map(\.line) {
                        objectCount += 1
                        classNames.insert(object.className)
                    }
                }
                if !written.isEmpty { transactionCount += 1 }
                batch.removeFirst(written.lineCount)
            } catch let error as ReplicaError where error.cause == nil && batch.count > 1 {
                // Something is wrong that shows at the end: values that stand twice, for instance.
                // Line by line, it shows with its own.
                for line in batch {
                    var single = [line]
                    try flush(&single, pass)
                }
                batch = []
            } catch let error as ReplicaError where error.cause == nil {
                let number = batch[0].number
                batch = []
                try report(LineFault(number: number, error: CommandError(error)))
            } catch let crowding as Crowding {
                var first = Array(batch.prefix(crowding.lineCount))
                batch.removeFirst(crowding.lineCount)
                try flush(&first, pass)
            } catch let fault as LineFault {
                // Nothing of the transaction is written; those before the line are no worse for it.
                let place = batch.firstIndex { $0.number == fault.number } ?? 0
                if !isPatient { batch.removeSubrange(place...) } else { batch.remove(at: place) }
                if !isPatient { try flush(&batch, pass) }
                try report(fault)
            }
            tellProgress(pass)
        }
    }

    private static func write(
        _ batch: [NumberedLine], _ writer: ImportWriter, into realm: any CommandRealm
    ) throws -> Written {
        try realm.write { transaction in
            transaction.forgoUndo()
            var count = 0
            for numbered in batch {
                // What is long is not begun where it would have to be broken off.
                let hasRoom = ImportCommand.hasRoom(forBytes: numbered.byteCount, in: transaction)
                guard count == 0 || hasRoom else { break }
                var isWhole = false
                do {
                    isWhole = try writer.write(numbered.line, into: &transaction)
                } catch let error as ReplicaError where error.cause != nil {
                    throw error
                } catch let error as ReplicaError where error.code == .limitExceeded && count > 0 {
                    throw Crowding(lineCount: count)
                } catch {
                    throw LineFault(number: numbered.number, error: CommandError(anything: error))
                }
                guard isWhole else { break }
                count += 1
                if ImportCommand.isFull(transaction) { break }
            }
            return Written(lineCount: count, isEmpty: transaction.changeCount == 0)
        }
    }

    private mutating func report(_ fault: LineFault) throws {
        let sentence = "line \(fault.number): \(fault.error.sentence)"
        guard isPatient else {
            throw CommandError(
                fault.error.code, sentence,
                details: [
                    "Mend it and import again: what is here already is not written twice.",
                    "With --keep-going, lines that are no good are left out.",
                ])
        }
        badLines.insert(fault.number)
        context.note("\(sentence.escaped); left out")
    }

    private mutating func tellProgress(_ pass: ImportWriter.Pass) {
        guard context.now() - lastProgress >= 1_000 else { return }
        lastProgress = context.now()
        let share = file.byteCount == 0 ? 100 : file.position * 100 / file.byteCount
        context.note(
            "\(pass == .objects ? "objects" : "links"): line \(file.lineNumber), \(share) %")
    }

    /// The classes of which nothing is here any more: what no subscription holds leaves when the
    /// server has it.
    func classesThatLeft() throws -> [String] {
        guard !realm.replica.isLocal else { return [] }
        return try realm.replica.read { reader in
            try classNames.filter { try reader.all($0).isEmpty }.sorted()
        }
    }

    /// Waits until the server has all of it, for as long as there is a connection.
    mutating func send() throws -> Bool {
        guard transactionCount > 0, !realm.replica.isLocal else { return true }
        let goal = try realm.replica.read { try $0.status().chain.sequence }
        let (context, realm) = (context, realm)
        var lastProgress = lastProgress
        let result = try realm.synchronise(milliseconds: ImportCommand.patienceMilliseconds) {
            let status = try realm.replica.read { try $0.status() }
            if context.now() - lastProgress >= 1_000 {
                lastProgress = context.now()
                context.note("sent: \(status.unsentCount) transactions are left")
            }
            return status.chain.acknowledgedSequence >= goal
        }
        return result == .done
    }
}

extension ImportCommand {
    /// A day: who does not want to wait so long ends it by Ctrl-C, and loses nothing by that.
    fileprivate static let patienceMilliseconds = 86_400_000
}
