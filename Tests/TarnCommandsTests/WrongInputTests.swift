import TarnClient
import TarnCommands
import TarnModel
import TarnStorage
import Testing

struct WrongInputTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let arguments: String
        let status: ExitCode
        let sentence: String

        init(_ arguments: String, _ status: ExitCode, _ sentence: String) {
            self.arguments = arguments
            self.status = status
            self.sentence = sentence
        }

        var testDescription: String { "tarn \(arguments)" }
        /// Blanks part arguments; an underscore stands for a blank, `''` for an empty argument.
        var words: [String] {
            arguments.split(separator: " ").map {
                $0 == "''" ? "" : String($0).replacing("_", with: " ")
            }
        }
    }

    static let cases = [
        Case("", .usage, "tarn needs a command; tarn --help lists them"),
        Case("ad Milk", .usage, "there is no command \"ad\"; did you mean \"add\"?"),
        Case("frobnicate", .usage, "there is no command \"frobnicate\"; tarn --help lists them"),
        Case("project", .usage, "tarn project needs one of: add, ls, rename, rm"),
        Case("project ad X", .usage, "there is no command \"project ad\"; did you mean \"add\"?"),
        Case("ls --jsn", .usage, "there is no option --jsn; did you mean \"json\"?"),
        Case("ls -x", .usage, "there is no option -x; what is meant as text stands behind --"),
        Case("ls --to 3", .usage, "tarn ls takes no --to"),
        Case("ls --json=yes", .usage, "--json takes no value"),
        Case("add Milk --project", .usage, "--project needs a value: PROJECT"),
        Case("add Milk -p A -p B", .usage, "--project is given twice"),
        Case("add", .usage, "something is missing: tarn add TITLE..."),
        Case("whoami now", .usage, "\"now\" is too much: tarn whoami"),
        Case("add ''", .badData, "a task's title cannot be blank"),
        Case("add _ _", .badData, "a task's title cannot be blank"),
        Case("add \u{200B}", .badData, "a task's title cannot be blank"),
        Case("edit Milk _", .badData, "a task's title cannot be blank"),
        Case("project add \t", .badData, "a project's name cannot be blank"),
        Case("project rename Groceries _", .badData, "a project's name cannot be blank"),
        Case("done Butter", .notFound, "there is no task \"Butter\""),
        Case("ls Nowhere", .notFound, "there is no project \"Nowhere\""),
        Case("mv Milk", .usage, "tarn mv needs one of --to, --before and --after"),
        Case("mv Milk --to 1 --after Milk", .usage, "tarn mv needs one of --to, --before"),
        Case("mv Milk --to 0", .usage, "--to takes a number from 1 on, not \"0\""),
        Case("mv Milk --to x", .usage, "--to takes a number from 1 on, not \"x\""),
        Case("--realm todo ls", .usage, "\"todo\" is no realm"),
        Case("query Item_WHERE", .badData, ""),
        Case("query Itm", .badData, "unknown class \"Itm\"; did you mean \"Item\"?"),
        Case("query Item_WHERE_body_==_$0", .badData, ""),
        Case("subscribe s Item_WHERE_(", .badData, ""),
        Case("subscribe _ Item", .badData, "a subscription's name cannot be blank"),
        Case("subscribe s Item --depth -1", .usage, "--depth takes a number"),
        Case("unsubscribe nothing", .notFound, "there is no subscription \"nothing\""),
        Case("watch nothing", .notFound, "there is no subscription \"nothing\""),
        Case("watch a --query Item", .usage, "either a subscription's name or --query"),
        Case("watch --arg 1", .usage, "--arg goes with --query"),
        Case("login alice", .usage, "which server?"),
        Case("login alice --server h --ca f --fingerprint x", .usage, "exclude each other"),
        Case("login alice --server h", .usage, "nobody can type a password here"),
        Case("sync --timeout never", .usage, "--timeout takes a number"),
    ]

    @Test(arguments: cases)
    func `bad input gives one sentence and its code, and nothing is written`(wrong: Case) throws {
        let desk = Desk()
        desk.tarn("project", "add", "Groceries")
        desk.tarn("add", "Milk")
        let before = try desk.realm().replica.read { try $0.status() }

        let result = desk.tarn(wrong.words)

        #expect(result.status == wrong.status.rawValue, "\(result.errors)")
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("tarn: ") && result.errors.hasSuffix("\n"))
        #expect(result.errors.contains(wrong.sentence), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(try desk.realm().replica.read { try $0.status() } == before)
        #expect(try desk.realm().replica.read { try $0.subscriptions() }.isEmpty)
    }

    @Test(arguments: ["ls", "add X", "status", "sync", "watch", "receipts", "logout", "whoami"])
    func `without a login each command says how to log in`(arguments: String) {
        let result = Desk(user: nil).tarn(arguments.split(separator: " ").map(String.init))

        #expect(result.status == 77)
        #expect(result.errors.contains("tarn login"))
    }

    @Test func `options of one name take a value in all commands, or in none`() {
        var values: [String: Bool] = [:]
        for option in OptionSpec.everywhere + CommandTable.commands.flatMap(\.options) {
            let takesValue = option.value != nil
            #expect(values[option.name, default: takesValue] == takesValue, "\(option.name)")
            values[option.name] = takesValue
        }
    }

    @Test func `options stand anywhere until two dashes, which make the rest text`() throws {
        let desk = Desk()
        desk.tarn("--json", "project", "--profile", "x", "add", "Groceries")

        #expect(desk.tarn("add", "--", "--yes", "-p").status == 0)
        #expect(try desk.titles("Groceries") == ["--yes -p"])
        #expect(desk.tarn("--", "add", "Milk").status == 64)
    }

    @Test func `help names every command, option and exit code`() {
        let help = Desk(user: nil).tarn("--help")

        #expect(help.status == 0)
        for command in CommandTable.commands {
            #expect(help.output.contains("  \(command.name)"))
            let own = Desk(user: nil).tarn(command.words + ["--help"])
            #expect(own.status == 0)
            #expect(own.output.hasPrefix("usage: tarn \(command.name)"))
            for option in command.options { #expect(own.output.contains("--\(option.name)")) }
        }
        for code in ExitCode.allCases { #expect(help.output.contains("\(code.rawValue)")) }
        for line in help.output.split(separator: "\n") { #expect(line.count <= 100) }
    }
}
