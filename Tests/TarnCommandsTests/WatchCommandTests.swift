import TarnClient
import TarnCommands
import TarnModel
import TarnStorage
import Testing

struct WatchCommandTests {
    let desk = Desk()
    let other: Desk

    init() throws {
        // Another process on the same replica, while the watch follows.
        other = Desk(later: 1_000)
        let realm = try desk.realm()
        other.profile.adopt(realm)
        desk.tarn("project", "add", "Groceries")
        desk.tarn("add", "Milk")
        desk.tarn("add", "Bread")
    }

    @Test func `a watch shows the rows, and then what another process changes`() throws {
        let realm = try desk.realm()
        realm.events = [
            { other.tarn("add", "Eggs") },
            { other.tarn("done", "Milk") },
            { other.tarn("mv", "Bread", "--to", "2") },
            { other.tarn("rm", "Bread") },
        ]

        let result = desk.tarn("watch", "--query", "Item SORT(timestamp ASC)")

        #expect(result.status == 0)
        #expect(
            result.output == """
                Item SORT(timestamp ASC): 2 rows
                  0     Milk
                  1     Bread
                1 inserted
                + 2     Eggs
                1 modified
                ~ 0     Milk  (done)
                1 deleted
                - 1     Bread

                """)
    }

    @Test func `a watch tells that the server is gone, and that it is back`() throws {
        let realm = try desk.realm()
        func become(_ connection: SyncStatus.Connection, _ problem: String?) -> () throws -> Void {
            return { try realm.replica.setSyncStatus(connection, problem: problem) }
        }
        realm.events = [
            become(.connected, nil), become(.offline, "refused"), become(.connecting, "refused"),
            become(.offline, "refused"), become(.connected, nil),
        ].map { change in { do { try change() } catch { Issue.record(error) } } }

        let result = desk.tarn("watch", "--query", "Item SORT(timestamp ASC)")

        #expect(
            result.output == """
                Item SORT(timestamp ASC): 2 rows
                  0     Milk
                  1     Bread
                not connected: refused
                connected again

                """)
    }

    @Test func `a watch tells of every tenth of a large download`() throws {
        let realm = try desk.realm()
        realm.events = [3, 8, 12, 13, 100].map { done in
            { realm.progress = DownloadProgress(done: done, total: 100) }
        }
        realm.events.append { realm.progress = nil }

        let result = desk.tarn("watch", "--query", "Item SORT(timestamp ASC)")

        #expect(
            result.output == """
                Item SORT(timestamp ASC): 2 rows
                  0     Milk
                  1     Bread
                fetched 3 of 100 objects
                fetched 12 of 100 objects
                fetched 100 of 100 objects

                """)
    }

    @Test func `what changes in a project's list is told below its row`() throws {
        _ = try desk.realm().subscribe(
            to: TodoSchema.query, name: "my-projects", arguments: [], depth: nil, update: false)
        try desk.realm().events = [
            { other.tarn("add", "Eggs") },
            { other.tarn("done", "Milk") },
            { other.tarn("mv", "Eggs", "--before", "Bread") },
            { other.tarn("project", "add", "Work") },
            { other.tarn("project", "rm", "Groceries", "--yes") },
        ]

        let result = desk.tarn("watch", "my-projects")

        #expect(result.status == 0)
        #expect(
            result.output == """
                my-projects is pending
                my-projects: 1 row
                  0     Groceries  2 tasks
                      · Milk
                      · Bread
                1 modified
                ~ 0     Groceries  3 tasks
                      + 2 Eggs
                1 modified
                ~ 0     Groceries  3 tasks
                      ~ 0 Milk  (done)
                1 modified
                ~ 0     Groceries  3 tasks
                      > 2 → 1 Eggs
                1 inserted
                + 0     Work  No tasks
                1 deleted
                - 1     Groceries  3 tasks

                """)
    }

    @Test func `in JSON each change set is one object a line`() throws {
        try desk.realm().events = [{ other.tarn("done", "Milk") }, { other.tarn("rm", "Milk") }]

        let lines = desk.tarn("watch", "--json", "--query", "Item SORT(timestamp ASC)").output
            .split(separator: "\n").map(String.init)

        let state = try desk.state()
        let bread = try state.task(named: "Bread").task
        let breadRow =
            "{\"class\":\"Item\",\"key\":\"\(bread.key)\",\"values\":{\"body\":\"Bread\","
            + "\"isDone\":false,\"timestamp\":\"\(bread.created!)\"}}"
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("{\"event\":\"initial\",\"partial\":true,\"rows\":[{\"class\":"))
        #expect(lines[0].hasSuffix(",\(breadRow)]}"))
        #expect(lines[1].contains("\"modifications\":[{\"old\":0,\"new\":0,\"row\":{\"class\":"))
        #expect(lines[1].contains("\"isDone\":true"))
        #expect(
            lines[2]
                == "{\"event\":\"change\",\"partial\":true,\"count\":1,\"deletions\":[0],"
                + "\"insertions\":[],\"modifications\":[],\"moves\":[]}")
    }

    @Test func `a watch ends when its subscription is given up`() throws {
        desk.tarn("subscribe", "all", "Item")
        try desk.realm().events = [
            { other.tarn("unsubscribe", "all") }, { Issue.record("it goes on") },
        ]

        let result = desk.tarn("watch", "all", "--json")

        #expect(result.status == 0)
        #expect(result.output.hasSuffix("{\"event\":\"state\",\"state\":\"invalidated\"}\n"))
    }

    @Test func `a reader that goes away ends a watch in silence`() throws {
        desk.terminal.writesLeft = 3
        try desk.realm().events = [
            { other.tarn("add", "Eggs") }, { Issue.record("it goes on") },
        ]

        let result = desk.tarn("watch", "--query", "Item")

        #expect(result.status == 0)
        #expect(result.errors == "")
    }
}
