import Tarn
import TarnClient
import TarnModel
import TarnProtocol
import TarnStorage

/// `tarn history`: who changed what, and when.
enum HistoryCommand {
    private static let limitDefault = 20
    private static let limitMax = 10_000

    static let spec = CommandSpec(
        "history", "[OBJECT|REALM]", 0...1,
        options: [
            OptionSpec("limit", value: "N", "so many entries at most; 20 without a word"),
            OptionSpec("before", value: "VERSION", "only what is older than that version"),
        ],
        "show who changed what and when, newest first",
        details: """
            An object is a task or project, by its title or id, or CLASS/KEY. Without one it is
            the whole realm. The server tells it, so it does not work offline; and it forgets what
            is too old. A number such as #17 is what `tarn undo` takes, where it is your own and
            this machine's.
            """, run: run)

    @Sendable private static func run(
        _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let limit = try invocation.number("limit", in: 1...limitMax) ?? limitDefault
        let before = try invocation.number("before", in: 1...Int.max).map {
            HistoryPlace(version: Version(UInt64($0)), index: 0)
        }
        let target = try HistoryTarget(invocation.operands.first, context)
        let request = HistoryRequest(
            realm: target.realm, object: target.object, before: before ?? .end,
            limit: UInt64(limit))
        let page: HistoryPage
        do {
            page = try context.profile.history(request)
        } catch let error as TarnError where error.code == .cannotConnect {
            throw CommandError(
                .unavailable, error.sentence,
                details: ["The history is kept by the server: it cannot be told offline."])
        }
        for entry in page.entries {
            if context.isJSON {
                try context.line(entry.json)
            } else {
                try context.line(HistoryLine(entry, target, now: context.now()).text(context.paint))
            }
        }
        if !context.isJSON { try tellEnd(of: page, context) }
    }

    private static func tellEnd(of page: HistoryPage, _ context: CommandContext) throws {
        if page.entries.isEmpty { try context.line("Nothing is kept of that") }
        if let next = page.next {
            // Of a version that is told in part, the rest comes with the next.
            context.note(
                "There is more: --before \(next.version.number + (next.index > 0 ? 1 : 0))")
        } else if page.floor > .zero {
            context.note("What happened up to version \(page.floor) is not kept any more.")
        }
    }
}

/// What a history is asked of.
struct HistoryTarget {
    let realm: RealmName
    /// Nil for the whole realm.
    private(set) var object: HistorySubject?

    init(_ operand: String?, _ context: CommandContext) throws {
        let account = try context.account()
        let opened = try context.openRealm()
        let own = opened.replica.identity.realmName
        guard let operand else {
            realm = own
            return
        }
        if let named = RealmName(operand), named.owner == account.user {
            realm = named
            return
        }
        realm = own
        object = try opened.replica.read { reader in
            try Self.object(operand, reader)
        }
    }

    private static func object(
        _ operand: String, _ reader: ReplicaReader
    ) throws -> HistorySubject {
        let parts = operand.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, let schema = reader.schema[String(parts[0])] {
            guard let key = key(String(parts[1]), of: schema) else {
                throw CommandError(
                    .badData, "\"\(parts[1])\" is no key of the class \(schema.name)")
            }
            return HistorySubject(className: schema.name, key: key)
        }
        let state = try TodoState(reader)
        do throws(CommandError) {
            let task = try state.task(named: operand).task
            return HistorySubject(className: TodoSchema.item.name, key: .uuid(task.key))
        } catch {
            // What fits several tasks is asked about; what fits none may be a project.
            guard error.details.isEmpty else { throw error }
            do throws(CommandError) {
                let project = try state.project(named: operand)
                return HistorySubject(className: TodoSchema.project.name, key: .uuid(project.key))
            } catch let other {
                throw other.details.isEmpty
                    ? CommandError(.notFound, "there is no task or project \"\(operand)\"") : other
            }
        }
    }

    private static func key(_ text: String, of schema: ClassSchema) -> PrimaryKey? {
        switch schema.primaryKey.type {
        case .int: Int64(text).map { .int($0) }
        case .uuid: UUIDValue(text).map { .uuid($0) }
        default: .string(Text(text))
        }
    }
}
