import TarnClient
import TarnCommands
import TarnModel
import TarnStorage
import Testing

struct SchemaCommandTests {
    let desk = Desk()

    @Test func `a class is added, and shown as it was written`() throws {
        let person = "Person(name string, home Address, marks map of double?, tags set of string)"
        let address = "embedded Address(id uuid, street string = \"-\", lines list of int)"

        let added = desk.tarn("schema", "add", address, person)

        #expect(added.status == 0, "\(added.errors)")
        #expect(added.output == "Added \(address)\nAdded \(person)\n")
        #expect(desk.tarn("schema").output == "\(address)\n\(person)\n")
        let again = desk.tarn("schema", "add", person).output
        #expect(again == "Nothing new in \(person)\n")
        let more = desk.tarn("schema", "add", "Person(name string, age int? unique)").output
        #expect(
            more == "Added to Person(name string, home Address, marks map of double?, "
                + "tags set of string, age int? unique)\n")
    }

    @Test func `without classes it says so`() {
        #expect(desk.tarn("schema").output == "No classes\n")
        #expect(desk.tarn("schema", "--json").output == "")
    }

    @Test func `in JSON a class is one object a line`() {
        let result = desk.tarn(
            "--json", "schema", "add", "A(id int, b set of A owning, c double = 1)")
        #expect(result.output.hasPrefix("{\"action\":\"class added\",\"class\":{\"name\":\"A\","))
        #expect(
            desk.tarn("schema", "--json").output
                == "{\"type\":\"class\",\"class\":{\"name\":\"A\",\"embedded\":false,"
                + "\"key\":{\"name\":\"id\",\"type\":\"int\",\"class\":null,\"kind\":\"value\","
                + "\"optional\":false,\"unique\":false,\"owning\":false,\"default\":null},"
                + "\"properties\":[{\"name\":\"b\",\"type\":\"link\",\"class\":\"A\","
                + "\"kind\":\"set\",\"optional\":false,\"unique\":false,\"owning\":true,"
                + "\"default\":null},{\"name\":\"c\",\"type\":\"double\",\"class\":null,"
                + "\"kind\":\"value\",\"optional\":false,\"unique\":false,\"owning\":false,"
                + "\"default\":1.0}]}}\n")
    }

    @Test(arguments: [
        ("", "the name of a class was expected"),
        ("Task", "\"(\" was expected, not the end"),
        ("Task()", "the name of a property was expected"),
        ("Task(id)", "a type was expected"),
        ("Task(id uuid", "\")\" was expected, not the end"),
        ("Task(id uuid,)", "the name of a property was expected"),
        ("Task(id uuid) x", "the end of the class was expected, not \"x\""),
        ("Task(id bool)", "the primary key Task.id must be an int, a string or a uuid"),
        ("Task(id uuid?)", "the primary key Task.id must be"),
        ("Task(id uuid, a bag of int)", "before \"of\" stands list, set or map, not \"bag\""),
        ("Task(id uuid, a list of)", "a type was expected"),
        ("Task(id uuid, a int nice)", "unique, owning, a default"),
        ("Task(id uuid, a int unique unique)", "unique, owning, a default"),
        ("Task(id uuid, a int = )", "a value was expected"),
        ("Task(id uuid, a int = x)", "the default of a takes a whole number, not \"x\""),
        ("Task(id uuid, a Task = 1)", "a is a link, and has no default but null"),
        ("Task(id uuid, a string = \"x)", "a value was expected"),
        ("Task(id uuid, a list of int = 1)", "the default of Task.a is of another type"),
        ("Task(id uuid, a int, a int)", "class Task names a property twice"),
        ("Task(id uuid, a list of int?)", "Task.a cannot hold null"),
        ("Task(id uuid, a int owning)", "Task.a owns nothing"),
        ("Task(id uuid, a double unique)", "Task.a cannot be unique"),
        ("Tä(id uuid)", "\"(\" was expected"),
    ])
    func `what is no class is refused in a sentence`(text: String, sentence: String) throws {
        let result = desk.tarn("schema", "add", text)

        #expect(result.status == 65)
        #expect(result.output == "")
        #expect(result.errors.contains(sentence), "\(result.errors)")
        #expect(try desk.realm().replica.read { $0.schema.classes }.isEmpty)
    }

    @Test func `of several classes all are added or none`() throws {
        desk.tarn("schema", "add", "A(id int, x int)")

        let result = desk.tarn("schema", "add", "B(id int)", "A(id int, x string)")

        #expect(result.status == 65)
        #expect(result.errors.contains("A.x is defined otherwise already"))
        #expect(try desk.realm().replica.read { $0.schema.classes.map(\.name) } == ["A"])
    }

    @Test(arguments: [UInt64](1...40))
    func `every class that a realm can have is read as it is shown`(seed: UInt64) throws {
        var random = SeededRandom(state: seed)
        for _ in 0..<20 {
            let schema = Self.schema(&random)
            guard case .changed = Schema().adding(schema) else { continue }

            #expect(try SchemaReader.read(schema.text) == schema, "\(schema.text)")
        }
    }

    private static func schema(_ random: inout SeededRandom) -> ClassSchema {
        let defaults: [ValueType: [Value]] = [
            .bool: [.bool(true)], .int: [.int(-3), .int(.min)],
            .string: [
                .string(""), .string("a, \"b\") \\ 'c'\n\u{1}"), .string("null"),
                .string("\u{301}x"),
            ],
            .double: [.double(1), .double(-0.0), .double(.infinity), .double(.nan)],
            .data: [.data([]), .data([0, 255])], .uuid: [.uuid(UUIDValue(high: 1, low: 2))],
            .date: [.date(Timestamp(milliseconds: -1))],
        ]
        let types = defaults.keys.sorted { $0.word < $1.word } + [.link("embedded"), .link("of")]
        let kinds: [PropertyKind] = [.value, .value, .value, .list, .set, .map]
        let properties = (0..<6).map { index in
            let type = types[Int.random(in: 0..<types.count, using: &random)]
            let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
            let value = defaults[type]?.randomElement(using: &random)
            let hasDefault = kind == .value && Bool.random(using: &random)
            return PropertySchema(
                "p\(index)", type, kind,
                isOptional: kind != .list && kind != .set && Bool.random(using: &random),
                isUnique: !hasDefault && Int.random(in: 0..<4, using: &random) == 0,
                isOwning: type.isLink && Bool.random(using: &random),
                default: hasDefault ? value : nil)
        }
        return ClassSchema(
            ["Task", "embedded", "list"].randomElement(using: &random) ?? "Task",
            primaryKey: PropertySchema("key", .string), properties: properties,
            isEmbedded: Bool.random(using: &random))
    }
}
