import TarnClient
import TarnCommands
import TarnModel
import TarnStorage
import Testing

/// What became of the work that the server did not take.
struct DrawerCommandTests {
    let desk = Desk()

    init() throws {
        desk.tarn("project", "add", "Groceries")
        desk.tarn("add", "Milk")
        try desk.realm().undo(
            .parked(
                Parking(
                    creator: TransactionID(replica: ReplicaID(7), sequence: 9),
                    sentence: "It waits.")))
    }

    private func kept() throws -> [KeptReceipt] {
        try desk.realm().replica.read { try $0.keptReceipts() }
    }

    private func number() throws -> String {
        "\(try #require(try kept().first).receipt.sequence)"
    }

    @Test func `the drawer shows what waits, and for what`() throws {
        let shown = desk.tarn("receipts")
        #expect(shown.output.contains("#\(try number())  parked ("))
        #expect(shown.output.hasSuffix("): It waits.\n"))

        let lines = desk.tarn("receipts", "--json").output
        #expect(lines.contains("\"outcome\":\"parked\",\"waitsFor\":\"0000000000000007#9\""))
        #expect(desk.tarn("status").output.contains("refused        1"))
    }

    @Test func `what is in it is printed for programs, change by change`() throws {
        let result = desk.tarn("receipts", "export")

        #expect(result.status == 0)
        #expect(result.output.contains("\"outcome\":\"parked\""))
        #expect(result.output.contains("{\"change\":\"create\",\"class\":\"Item\",\"key\":"))
        #expect(result.output.contains("\"body\":\"Milk\""))
        #expect(result.output.contains("{\"change\":\"insert\",\"class\":\"Project\""))
    }

    @Test func `it is tried again by its number, and leaves the drawer`() throws {
        let result = desk.tarn("receipts", "retry", try number())

        #expect(result.status == 0)
        #expect(result.output.hasPrefix("Retried: "))
        #expect(try kept().isEmpty)
        #expect(desk.tarn("receipts", "retry", "--all").output == "Nothing to try again\n")
    }

    @Test func `what is not there is an error`() {
        #expect(desk.tarn("receipts", "retry", "77").status == 66)
        #expect(desk.tarn("receipts", "retry", "x").status == 64)
        #expect(desk.tarn("receipts", "retry").status == 64)
        #expect(desk.tarn("receipts", "drop", "1", "--all").status == 64)
    }

    @Test func `throwing away asks first`() throws {
        #expect(desk.tarn("receipts", "drop", "--all").status == 64)
        #expect(try kept().count == 1)

        desk.terminal.canAsk = true
        desk.terminal.answers = ["n"]
        #expect(desk.tarn("receipts", "drop", "--all").status == 1)
        #expect(try kept().count == 1)

        let dropped = desk.tarn("receipts", "drop", try number(), "--yes")
        #expect(dropped.output == "Dropped this receipt\n")
        #expect(try kept().isEmpty)
    }
}
