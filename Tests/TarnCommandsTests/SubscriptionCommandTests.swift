import TarnClient
import TarnCommands
import TarnModel
import TarnStorage
import Testing

struct SubscriptionCommandTests {
    let desk = Desk()

    @Test func `a subscription is made, shown and given up`() throws {
        desk.tarn("project", "add", "Groceries")

        let made = desk.tarn("subscribe", "open", "Item WHERE isDone == $0", "--arg", "false")
        #expect(made.status == 0)
        #expect(made.output == "Subscribed to open: pending\n")

        let shown = desk.tarn("subscriptions")
        #expect(shown.output == "open  pending\n  Item WHERE isDone == $0\n  $0 = false\n")

        #expect(desk.tarn("unsubscribe", "open").output == "Unsubscribed from open\n")
        #expect(desk.tarn("subscriptions").output == "No subscriptions\n")
    }

    @Test func `another query under the same name needs --update`() {
        desk.tarn("subscribe", "mine", "Item")

        let refused = desk.tarn("subscribe", "mine", "Project")
        #expect(refused.status == 65)
        #expect(refused.errors.contains("\"mine\" has another query"))

        #expect(desk.tarn("subscribe", "mine", "Project", "--update").status == 0)
        #expect(desk.tarn("subscriptions").output.contains("  Project\n"))
    }

    @Test func `an argument that no message has room for is refused, and nothing is kept`() throws {
        let long = String(repeating: "x", count: 70_000)

        let result = desk.tarn("subscribe", "x", "Item WHERE body == $0", "--arg", long)

        #expect(result.status == 65)
        #expect(result.errors.contains("at most 65536 bytes"))
        #expect(!result.errors.contains("xxx"))
        #expect(try desk.realm().replica.read { try $0.subscriptions() }.isEmpty)
    }

    @Test func `a misspelt subscription is guessed`() {
        desk.tarn("subscribe", "everything", "Item")

        let result = desk.tarn("unsubscribe", "evrything")

        #expect(result.status == 66)
        #expect(result.errors.contains("did you mean \"everything\"?"))
    }

    @Test func `in JSON a subscription shows its state`() {
        desk.tarn("subscribe", "all", "Item", "--depth", "1")

        #expect(
            desk.tarn("subscriptions", "--json").output
                == "{\"type\":\"subscription\",\"subscription\":{\"name\":\"all\","
                + "\"query\":\"Item\",\"arguments\":[],\"depth\":1,\"state\":\"pending\","
                + "\"version\":null,\"asOf\":null,\"problem\":null}}\n")
    }

    @Test func `a query prints what is here, once`() {
        desk.tarn("project", "add", "Groceries")
        desk.tarn("add", "Milk")
        desk.tarn("add", "Bread")
        desk.tarn("done", "Milk")

        let result = desk.tarn("query", "Item WHERE isDone == $0", "--arg", "false")

        #expect(result.output == "Bread\n")
        #expect(result.errors.contains("the server may have more"))
        #expect(desk.tarn("query", "Item WHERE body == 'x'").output == "No objects\n")
        #expect(
            desk.tarn("query", "--json", "Project").output.contains(
                "\"items\":[{\"class\":\"Item\",\"key\":"))
    }

    @Test func `status says what is unsent and why`() {
        desk.profile.offline = "localhost:8276 cannot be reached"
        desk.tarn("project", "add", "Groceries")

        let people = desk.tarn("status").output
        let programs = desk.tarn("status", "--json").output

        #expect(people.contains("not connected: localhost:8276 cannot be reached"))
        #expect(people.contains("unsent         1\n"))
        #expect(programs.contains("\"connection\":\"offline\""))
        #expect(programs.contains("\"unsent\":1,\"refused\":0"))
    }

    @Test func `while much is fetched, everybody is told how far it is`() throws {
        try desk.realm().progress = DownloadProgress(done: 1_200, total: 5_000)

        let words = "1200 of 5000 objects"
        #expect(desk.tarn("status").output.contains("fetched        \(words)\n"))
        #expect(desk.tarn("status", "--json").output.contains("\"fetched\":1200,\"toFetch\":5000"))
        #expect(desk.tarn("subscribe", "all", "Item").errors.contains("\(words) have been fetched"))
        let late = desk.tarn("sync")
        #expect(late.status == 75)
        #expect(late.errors.contains("\(words) fetched"))
    }

    @Test func `sync without a server ends with its own code`() {
        desk.profile.offline = "localhost:8276 cannot be reached"

        let result = desk.tarn("sync")

        #expect(result.status == 69)
        #expect(result.errors.contains("localhost:8276 cannot be reached"))
    }

    @Test func `refused and lost work is shown by receipts`() throws {
        #expect(desk.tarn("receipts").output == "Nothing was refused or lost\n")
        try desk.realm().keep(
            .refused(Refusal(.tooLarge, "too \u{1B}much")), 3)
        try desk.realm().keep(
            .overridden([
                Override(
                    className: "Item", key: .int(7), property: "body", reason: .laterValue)
            ]), 4)

        #expect(
            desk.tarn("receipts").output == """
                #3  refused: too \\u{1B}much
                #4  overridden in part
                    A change to Item.body of 7 was lost: a later value stands.

                """)
        let lines = desk.tarn("receipts", "--json").output.split(separator: "\n")
        #expect(
            lines[0]
                == "{\"type\":\"receipt\",\"sequence\":3,\"time\":null,\"outcome\":\"refused\","
                + "\"code\":\"tooLarge\",\"sentence\":\"too \\u001bmuch\",\"changes\":null}")
        #expect(lines[1].contains("\"outcome\":\"overridden\",\"lost\":[{\"class\":\"Item\""))
    }
}
