import TarnClient
import TarnCommands
import TarnModel
import TarnStorage
import Testing

struct ObjectCommandTests {
    let desk = Desk()

    init() {
        desk.tarn(
            "schema", "add",
            "Task(id int, title string = \"new\", note string?, done bool, due date?, count int, "
                + "weight double, seal data?, mark uuid?, lead Person, labels list of string, "
                + "tags set of string, points map of double?, near set of Task, home Place, "
                + "rooms map of Place)",
            "Person(name string)", "embedded Place(id uuid, street string, spot Spot)",
            "embedded Spot(id uuid, x double)", "Code(id uuid, text string)")
    }

    private func shown(_ query: String) -> String {
        desk.tarn("query", "--json", query).output
    }

    private func values(_ key: String) -> String {
        let line = shown("Task WHERE id == \(key)")
        return line.split(separator: "\n").first.map(String.init) ?? ""
    }

    @Test func `an object is created with values of every type, and shown without loss`() throws {
        desk.tarn("create", "Person", "name=Ann/e")
        let result = desk.tarn(
            "create", "Task", "id=7", "title=Buy = milk", "done=true", "due=2026-11-30",
            "count=-9223372036854775808", "weight=1e300", "seal=AP8=",
            "mark=01890A5D-AC96-774B-BCCE-B302099A8057", "lead=Person/Ann/e", "labels+=a",
            "labels+=null and void", "tags+=red", "tags+=blue", "points[maths]=1.5",
            "points[a]=b]=nan")

        // The last edit's key ends where an operator follows: at the first "]=".
        #expect(result.status == 65)
        #expect(result.errors.contains("Task.points takes a number, not \"b]=nan\""))

        let made = desk.tarn(
            "create", "Task", "id=7", "title=Buy = milk", "done=true", "due=2026-11-30",
            "count=-9223372036854775808", "weight=1e300", "seal=AP8=",
            "mark=01890A5D-AC96-774B-BCCE-B302099A8057", "lead=Person/Ann/e", "labels+=a",
            "labels+=null and void", "tags+=red", "tags+=blue", "points[maths]=1.5",
            "points[a]b]=nan", "points[]=-infinity", "points[z]=null")
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output == "Created Task/7\n")
        #expect(
            values("7")
                == "{\"type\":\"object\",\"object\":{\"class\":\"Task\",\"key\":7,\"values\":{"
                + "\"title\":\"Buy = milk\",\"note\":null,\"done\":true,"
                + "\"due\":\"2026-11-30T00:00:00Z\",\"count\":-9223372036854775808,"
                + "\"weight\":1e+300,\"seal\":\"AP8=\","
                + "\"mark\":\"01890a5d-ac96-774b-bcce-b302099a8057\","
                + "\"lead\":{\"class\":\"Person\",\"key\":\"Ann/e\",\"values\":{}},"
                + "\"labels\":[\"a\",\"null and void\"],\"tags\":[\"blue\",\"red\"],"
                + "\"points\":{\"\":\"-infinity\",\"a]b\":\"nan\",\"maths\":1.5,\"z\":null},"
                + "\"near\":[],\"home\":null,\"rooms\":{}}}}")
        #expect(
            desk.tarn("query", "Task").output
                == "Task 7  title: \"Buy = milk\"  note: null  done: true  "
                + "due: 2026-11-30T00:00:00Z  count: -9223372036854775808  weight: 1e+300  "
                + "seal: B64\"AP8=\"  mark: 01890a5d-ac96-774b-bcce-b302099a8057  lead: → Ann/e  "
                + "home: null  labels: [\"a\", \"null and void\"]  tags: {\"blue\", \"red\"}  "
                + "points: {\"\": -infinity, \"a]b\": nan, \"maths\": 1.5, \"z\": null}  "
                + "near: {}  rooms: {}\n")
    }

    @Test func `edits change what they name, in one transaction`() throws {
        desk.tarn("create", "Task", "id=1", "labels+=a", "labels+=b", "labels+=a", "tags+=x")
        let before = try desk.realm().replica.read { try $0.status().chain.sequence }

        let result = desk.tarn(
            "set", "Task/1", "count+=5", "count-=2", "labels-=a", "labels[0]=c", "tags-=x",
            "tags+=y", "points[k]=2", "points[l]=3", "points-=k", "title=\"null\"", "note=null",
            "weight=3", "near+=1")

        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "Set Task/1\n")
        let json = values("1")
        for part in [
            "\"count\":3", "\"labels\":[\"c\",\"a\"]", "\"tags\":[\"y\"]", "\"points\":{\"l\":3.0}",
            "\"title\":\"null\"", "\"note\":null", "\"weight\":3.0",
            "\"near\":[{\"class\":\"Task\"",
        ] {
            #expect(json.contains(part), "\(json)")
        }
        #expect(try desk.realm().replica.read { try $0.status().chain.sequence } == before + 1)
    }

    @Test func `counters are increments, which add up with those of others`() throws {
        desk.tarn("create", "Task", "id=1")
        desk.tarn("set", "Task/1", "count+=5")

        let pending = try desk.realm().replica.read {
            try $0.store.pending(after: 0, limit: .max)
        }
        let body = try #require(pending.last).sealed.body
        let changes = try TransactionDecoder.transaction(from: body).changes

        guard case .increment(_, property: "count", by: 5)? = changes.first else {
            Issue.record("\(changes)")
            return
        }
    }

    @Test func `a part is created in its place, and goes with its holder`() throws {
        desk.tarn("create", "Task", "id=1")
        let home = desk.tarn("create", "Place", "street=Mill Lane", "--in", "Task/1.home")
        #expect(home.status == 0, "\(home.errors)")
        let room = desk.tarn("create", "Place", "street=Back", "--in", "Task/1.rooms[a.b]")
        #expect(room.status == 0, "\(room.errors)")
        let key = try desk.realm().replica.read { reader in
            let task = try #require(try reader.find("Task", .int(1)))
            let place = try #require(try reader.target("home", of: task))
            return try reader.key(of: place)
        }
        #expect(desk.tarn("create", "Spot", "x=1", "--in", "Place/\(key).spot").status == 0)
        // Parts are shown within their holder, however deep.
        #expect(values("1").contains("\"spot\":{\"class\":\"Spot\","))
        #expect(values("1").contains("\"values\":{\"x\":1.0}"))
        #expect(values("1").contains("\"rooms\":{\"a.b\":{\"class\":\"Place\""))
        #expect(desk.tarn("create", "Place", "street=Nowhere").status != 0)

        #expect(desk.tarn("delete", "Task/1").output == "Deleted Task/1\n")

        #expect(shown("Place") == "")
        #expect(shown("Spot") == "")
    }

    @Test func `a key that is a UUID may be left out`() throws {
        let result = desk.tarn("--json", "create", "Code", "text=x")

        #expect(result.status == 0)
        #expect(result.output.hasPrefix("{\"action\":\"created\",\"object\":{\"class\":\"Code\","))
        #expect(result.output.hasSuffix("\"values\":{\"text\":\"x\"}},\"sent\":true}\n"))
        #expect(shown("Code WHERE text == 'x'").contains("\"key\":\"0"))
    }

    @Test func `several objects are deleted in one transaction, or none`() throws {
        desk.tarn("create", "Person", "name=a")
        desk.tarn("create", "Person", "name=b")

        #expect(desk.tarn("delete", "Person/a", "Person/c").status == 66)
        #expect(shown("Person").split(separator: "\n").count == 2)
        #expect(desk.tarn("delete", "Person/a", "Person/b", "Person/a").status == 0)
        #expect(shown("Person") == "")
    }

    @Test(arguments: [
        ("create Nothing id=1", 66, "there is no class \"Nothing\""),
        ("create Tsk id=1", 66, "did you mean \"Task\"?"),
        ("create Task", 64, "the primary key is missing: id=KEY"),
        ("create Task id=x", 65, "the key Task.id takes a whole number, not \"x\""),
        ("create Task id=null", 65, "the key Task.id is never null"),
        ("create Task id=1", 65, "Task has an object 1 already"),
        ("create Task id=2 id=3", 64, "the key is given once"),
        ("create Task id+=2", 64, "the key is given once"),
        (
            "create Task id=2 titel=x", 66,
            "there is no property Task.titel; did you mean \"title\"?"
        ),
        ("create Task id=2 --in Task/1", 64, "is no place"),
        ("create Task id=2 --in Task/1.title", 65, ""),
        ("create Task id=2 --in Task/1.rooms", 65, "is a map: its key stands behind it"),
        ("create Task id=2 --in Task/1.near[x]", 65, "Task.near is no map"),
        ("create Task id=2 --in Task/9.near", 66, "there is no object Task/9 here"),
        ("create Spot x=1", 65, ""),
        ("set Task title=x", 64, "\"Task\" is no object: CLASS/KEY"),
        ("set /1 title=x", 64, "is no object"),
        ("set Task/1", 64, "something is missing"),
        ("set Task/9 title=x", 66, "there is no object Task/9 here"),
        ("set Task/1 title", 64, "\"title\" is no edit"),
        ("set Task/1 =x", 64, "is no edit"),
        ("set Task/1 points[x", 64, "is no edit"),
        ("set Task/1 id=2", 65, "Task.id is the primary key, which never changes"),
        ("set Task/1 title=null", 65, "Task.title is never null"),
        ("set Task/1 title='x\\q'", 65, "Task.title: "),
        ("set Task/1 title[0]=x", 65, "Task.title is one value"),
        ("set Task/1 title+=x", 65, "+= is for whole numbers, sets and lists"),
        ("set Task/1 weight+=1", 65, "+= is for whole numbers"),
        ("set Task/1 count+=1.5", 65, "Task.count takes a whole number, not \"1.5\""),
        ("set Task/1 count=9223372036854775808", 65, "Task.count takes a whole number"),
        ("set Task/1 done=yes", 65, "Task.done takes true or false"),
        ("set Task/1 weight=heavy", 65, "Task.weight takes a number"),
        ("set Task/1 due=tomorrow", 65, "Task.due takes a date"),
        ("set Task/1 mark=1", 65, "Task.mark takes a UUID"),
        ("set Task/1 seal=AP8", 65, "Task.seal takes base64"),
        ("set Task/1 lead=Zoe", 65, "Task.lead cannot lead to Zoe, which is not here"),
        ("set Task/1 near+=9", 65, "cannot lead to 9, which is not here"),
        ("set Task/1 near+=x", 65, "the key Task.id takes a whole number"),
        ("set Task/1 labels=x", 65, "Task.labels is a list: += appends"),
        ("set Task/1 labels-=x", 66, "Task.labels has no element x"),
        ("set Task/1 labels[1]=x", 65, "there is no place 1 in a list of 1"),
        ("set Task/1 labels[x]=x", 65, "in brackets stands an index"),
        ("set Task/1 labels+=null", 65, ""),
        ("set Task/1 tags=x", 65, "Task.tags is a set: += puts in"),
        ("set Task/1 tags[x]=y", 65, "Task.tags is a set"),
        ("set Task/1 tags-=x", 66, "Task.tags has no element x"),
        ("set Task/1 points=1", 65, "Task.points is a map: [KEY]= sets an entry"),
        ("set Task/1 points-=x", 66, "Task.points has nothing under x"),
        ("set Task/1 points[x]+=1", 65, "Task.points is a map"),
        ("delete Task/x", 65, "the key Task.id takes a whole number"),
        ("delete Task/9", 66, "there is no object Task/9 here"),
    ])
    func `wrong input gives one sentence, and nothing is written`(
        arguments: String, status: Int32, sentence: String
    ) throws {
        desk.tarn("create", "Task", "id=1", "labels+=first")
        let before = try desk.realm().replica.read { try $0.status() }

        let result = desk.tarn(arguments.split(separator: " ").map(String.init))

        #expect(result.status == status, "\(result.errors)")
        #expect(result.output == "")
        #expect(result.errors.contains(sentence), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(try desk.realm().replica.read { try $0.status() } == before)
    }

    @Test func `a link to what is not here is shown as such, to people and to programs`() throws {
        desk.tarn("create", "Person", "name=ann")
        desk.tarn("create", "Task", "id=1", "lead=ann")
        desk.tarn("create", "Task", "id=2")
        desk.tarn("create", "Task", "id=3", "near+=2")
        let realm = try desk.realm()
        try realm.replica.store.begin(.writing(.full))
        let row = try #require(try realm.replica.store.row(of: .int(3), in: 0))
        try realm.replica.store.set(
            .link(Link(key: .string("zoe"), life: nil)), 8, of: row.object)
        try realm.replica.store.commit()

        #expect(values("1").contains("\"lead\":{\"class\":\"Person\",\"key\":\"ann\",\"values\":"))
        #expect(values("2").contains("\"lead\":null"))
        #expect(
            values("3").contains(
                "\"lead\":{\"class\":\"Person\",\"key\":\"zoe\",\"unresolved\":true}"))
        let lines = desk.tarn("query", "Task").output.split(separator: "\n")
        #expect(lines[0].contains("lead: → ann  "))
        #expect(lines[1].contains("lead: null  "))
        #expect(lines[2].contains("lead: ⇢ zoe (not here)  "))
        let found = desk.tarn("query", "Task WHERE lead.@state == 'unresolved'").output
        #expect(found.hasPrefix("Task 3"))
        #expect(desk.tarn("set", "Task/2", "lead=zoe").status == 65)
        #expect(desk.tarn("set", "Task/3", "lead=null").status == 0)
        #expect(values("3").contains("\"lead\":null"))
    }
}
