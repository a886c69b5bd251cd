package import TarnClient
import TarnModel
import TarnStorage

/// A command that writes commits on this machine first, and then waits a little for the server.
extension CommandContext {
    /// How long a command waits for its receipts.
    static let patienceMilliseconds = 2_000

    /// How long a command that only shows waits to have it fresh.
    static let freshnessMilliseconds = 1_000

    /// Brings what is here up to date before it is shown, where the server can be reached; says
    /// where it cannot.
    package func freshen(_ realm: any CommandRealm) throws {
        guard !realm.replica.isLocal else { return }
        let why: String
        switch try realm.synchroniseAll(milliseconds: Self.freshnessMilliseconds) {
        case .done: return
        case .offline(let sentence): why = sentence
        case .timedOut: why = "the server does not answer in time"
        }
        let time = try realm.connection().status.upToDate
        let age = time.map { "as of \(Age(of: $0, now: now()))" } ?? "never fetched yet"
        note("Not connected (\(why.escaped)); \(age).")
    }

    /// Writes one transaction, tells what it did, and waits for its receipt.
    ///
    /// - Parameter body: answers a sentence for people (`escaped`) and the members for programs.
    package func write(
        in realm: any CommandRealm,
        _ body: (inout WriteTransaction) throws -> Deed
    ) throws {
        let (deed, sequence) = try realm.write { transaction in
            (try body(&transaction), transaction.id.sequence)
        }
        if !isJSON { for line in deed.lines { try self.line(line) } }
        let isSent = try isReceived(sequence, by: realm)
        if isJSON {
            for object in deed.objects {
                try line(
                    .object(
                        [.init(name: "action", value: .string(deed.action))] + object
                            + [.init(name: "sent", value: .bool(isSent))]))
            }
        }
        if !isSent { note("Saved here; will be sent when the server is reachable.") }
        try tellReceipts(from: sequence, in: realm)
    }

    /// Whether the server has decided the transaction, before patience ends.
    private func isReceived(_ sequence: UInt64, by realm: any CommandRealm) throws -> Bool {
        if realm.replica.isLocal { return true }
        let isDecided = {
            try realm.replica.read { reader in
                let chain = try reader.status().chain
                // A write that changed nothing has no transaction to wait for.
                return chain.sequence < sequence || chain.acknowledgedSequence >= sequence
            }
        }
        if try isDecided() { return true }
        let result = try realm.synchronise(
            milliseconds: Self.patienceMilliseconds, until: isDecided)
        return result == .done
    }

    /// A refusal is an error; what was lost to others is a note.
    private func tellReceipts(from sequence: UInt64, in realm: any CommandRealm) throws {
        let receipts = try realm.replica.read { try $0.keptReceipts() }
        guard let kept = receipts.last(where: { $0.receipt.sequence == sequence }) else { return }
        switch kept.receipt.outcome {
        case .accepted: return
        case .overridden(let overrides):
            for override in overrides { note(override.sentence.escaped) }
        case .refused(let refusal):
            throw CommandError(.notAllowed, "the server refused it: \(refusal.sentence)")
        case .parked(let parking):
            throw CommandError(.notAllowed, "the server parked it: \(parking.sentence)")
        }
    }
}

/// What a transaction did, to be told.
package struct Deed {
    /// For people, `escaped`.
    package let lines: [String]
    /// In JSON: what was done, once for each object.
    package let action: String
    package let objects: [[JSONValue.Member]]

    package init(_ action: String, _ lines: [String], _ objects: [[JSONValue.Member]]) {
        self.action = action
        self.lines = lines
        self.objects = objects
    }

    package init(_ action: String, _ line: String, _ member: String, _ object: JSONValue) {
        self.init(action, [line], [[.init(name: member, value: object)]])
    }
}
