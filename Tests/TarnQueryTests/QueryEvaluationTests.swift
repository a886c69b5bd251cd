import TarnModel
import TarnQuery
import Testing

struct QueryEvaluationTests {
    @Test(arguments: [
        ("Project", ["p1", "p2", "p3"]),
        ("Project WHERE owner == $user SORT(timestamp DESC)", ["p1", "p3"]),
        ("Project WHERE owner == $user SORT(timestamp)", ["p3", "p1"]),
        ("Project LIMIT(2) SORT(timestamp ASC)", ["p3", "p2"]),
        ("Project LIMIT(0)", []),
        ("Project SORT(owner DESC, timestamp ASC)", ["p2", "p3", "p1"]),
        ("Project WHERE timestamp >= 1970-01-01@00:00:20", ["p1", "p2"]),
        (
            "Project WHERE timestamp BETWEEN {1970-01-01T00:00:10Z, 1970-01-01T00:00:20.0Z}",
            ["p2", "p3"]
        ),
        ("Project WHERE projectId IN {'p3', 'p1', 'p8'}", ["p1", "p3"]),
        ("Project WHERE projectId > 'p1' AND NOT (owner = 'anna')", ["p2"]),
        ("Project WHERE FALSEPREDICATE OR target == 1", ["p2"]),
        ("Project WHERE 2 < target", ["p1"]),
        ("Project WHERE projectId == owner OR owner != projectId", ["p1", "p2", "p3"]),
    ])
    func `plain predicates, sorting and limits`(text: String, keys: [String]) throws {
        #expect(try ToDo.keys(text) == keys)
    }

    @Test(arguments: [
        ("name == null", ["p3"]),
        ("name != nil", ["p1", "p2"]),
        ("name != 'Home'", ["p2", "p3"]),
        ("NOT name == 'Home'", ["p2", "p3"]),
        ("name < 'I'", ["p1"]),
        ("NOT name < 'I'", ["p2", "p3"]),
        ("name <= null", ["p3"]),
        ("name < null OR name > null", []),
        ("name IN {'Shop', null}", ["p2", "p3"]),
        ("name CONTAINS ''", ["p1", "p2"]),
        ("name LIKE '*'", ["p1", "p2"]),
        ("name == favourite.body", ["p3"]),
    ])
    func `null equals null, differs from every value and is in no order`(
        predicate: String, keys: [String]
    ) throws {
        #expect(try ToDo.keys("Project WHERE \(predicate)") == keys)
    }

    @Test(arguments: [
        ("items.isDone == false", ["p1"]),
        ("ANY items.isDone == true", ["p1", "p2"]),
        ("SOME items.body ENDSWITH 'ilk'", ["p1"]),
        ("ALL items.isDone == true", ["p2", "p3"]),
        ("NONE items.isDone == true", ["p3"]),
        ("items.body != 'Milk'", ["p1", "p2"]),
        ("NONE items.body == 'ghost'", ["p1", "p2", "p3"]),
        ("items.@count == 2", ["p1"]),
        ("items.@count < target", ["p1"]),
        ("target == items.@count", ["p2", "p3"]),
        ("items.@count BETWEEN {0, 1}", ["p2", "p3"]),
        ("tags.@size > 0", ["p1", "p3"]),
        ("tags == 'red'", ["p1"]),
        ("tags ==[c] 'BLUE'", ["p1"]),
        ("'red' IN tags", ["p1"]),
        ("ALL tags CONTAINS 'ee'", ["p2", "p3"]),
        ("tags IN[c] {'RED', 'GREEN'}", ["p1", "p3"]),
        ("owner == tags", []),
        ("'a redder one' CONTAINS tags", ["p1"]),
        ("items.assignee.nick == 'Anna'", ["p1"]),
        ("items.assignee.nick == null", ["p1", "p2"]),
        ("items.assignee == null", ["p1"]),
        ("ALL items.assignee != null", ["p2", "p3"]),
    ])
    func `a path through a list means any of its elements, unless it says otherwise`(
        predicate: String, keys: [String]
    ) throws {
        #expect(try ToDo.keys("Project WHERE \(predicate)") == keys)
    }

    @Test(arguments: [
        ("favourite == null", ["p3"]),
        ("favourite != null", ["p1", "p2"]),
        ("favourite.body == null", ["p2", "p3"]),
        ("favourite.body == 'Milk'", ["p1"]),
        ("favourite.itemId == 'i1'", ["p1"]),
        ("favourite == favourite", ["p1", "p3"]),
        ("favourite != favourite", ["p2"]),
        ("favourite == $0", ["p1"]),
        ("items == favourite", ["p1"]),
        ("items == $0", ["p1"]),
        ("favourite.assignee == null", ["p2", "p3"]),
        ("NONE items == favourite", ["p2", "p3"]),
    ])
    func `a link that leads to no object is not null and equals nothing`(
        predicate: String, keys: [String]
    ) throws {
        let argument = Value.link(Link(key: .string("i1"), life: nil))

        #expect(try ToDo.keys("Project WHERE \(predicate)", [argument]) == keys)
    }

    @Test(arguments: [
        ("body CONTAINS 'ilk'", ["i1", "i2"]),
        ("body CONTAINS 'MILK'", []),
        ("body CONTAINS[c] 'MILK'", ["i1", "i2"]),
        ("body BEGINSWITH[c] 'm'", ["i1"]),
        ("body LIKE '?ilk'", ["i1"]),
        ("body LIKE[c] '*M?LK*'", ["i1", "i2"]),
        ("body !=[c] 'milk'", ["i2", "i3"]),
        ("priority > 1 AND isDone != true", ["i1"]),
        ("reference == uuid('00000000-0000-0000-0000-000000000000')", []),
    ])
    func `strings compare by their bytes, and without case where asked`(
        predicate: String, keys: [String]
    ) throws {
        #expect(try ToDo.keys("Item WHERE \(predicate)") == keys)
    }

    @Test func `folding goes scalar by scalar`() {
        #expect(Text("ÄÖ ß ΑΣ İ").folded == Text("äö ß ασ i\u{307}"))
        #expect(Text("plain").folded == Text("plain"))
    }

    @Test func `a long part that repeats itself is found`() {
        let text = Text(String(repeating: "ab", count: 40) + "abc")

        #expect(TextOperator.contains.holds(text: text, part: Text("abababababababababababc")))
        #expect(!TextOperator.contains.holds(text: text, part: Text("ababababababababababc!")))
    }
}
