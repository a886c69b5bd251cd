import TarnModel
import TarnQuery
import Testing

struct QueryBindingTests {
    @Test(arguments: [
        ("Projekt", "unknown class \"Projekt\"; did you mean \"Project\"? (at character 1)"),
        (
            "Project WHERE ownr == $user",
            "unknown property \"ownr\" of Project; did you mean \"owner\"? (at character 15)"
        ),
        ("Project WHERE zzzzzz == 1", "unknown property \"zzzzzz\" of Project (at character 15)"),
        (
            "Project WHERE name == 1",
            "name is a string and cannot be compared with an int (at character 23)"
        ),
        (
            "Project WHERE name == target",
            "name is a string and cannot be compared with target (at character 23)"
        ),
        ("Project WHERE name.x == 1", "name is a string, which leads nowhere (at character 15)"),
        (
            "Item WHERE assignee.ghost.x == 1",
            "ghost leads to the class Nobody, which does not exist yet (at character 12)"
        ),
        (
            "Project WHERE ANY name == 'x'",
            "ANY needs a collection, and name leads through none (at character 19)"
        ),
        ("Project WHERE name.@count > 1", "name is no collection to be counted (at character 15)"),
        ("Project WHERE target CONTAINS '1'", nil),
        ("Project WHERE target ==[c] 1", nil),
        ("Project WHERE items > favourite", nil),
        ("Project WHERE favourite == items.assignee", nil),
        ("Item WHERE isDone < true", nil),
        ("Item WHERE body LIKE body", nil),
        ("Item WHERE 'x' LIKE body", nil),
        ("Item WHERE body LIKE null", nil),
        ("Item WHERE priority BETWEEN {null, 1}", nil),
        ("Item WHERE assignee IN {null}", nil),
        ("Item WHERE body == $0", "$0 is not among the 0 arguments (at character 20)"),
        ("Project WHERE items.body == tags", nil),
        ("Project SORT(items.body)", nil),
        ("Project SORT(favourite)", nil),
        ("Project SORT(tags)", nil),
        ("Item WHERE reference == $user", nil),
    ])
    func `what does not fit the schema is refused in a sentence`(
        text: String, message: String?
    ) throws {
        let query = try Query.parse(text)
        do throws(QueryError) {
            _ = try query.bind(to: ToDo.schema, user: "anna")
            Issue.record("\(text) was bound")
        } catch {
            if let message { #expect(error.description == message) }
        }
    }

    @Test func `queries that ask the same are equal, whatever their texts and users`() throws {
        func bound(_ text: String, _ user: String, _ arguments: [Value] = []) throws -> BoundQuery {
            try Query.parse(text).bind(to: ToDo.schema, user: user, arguments: arguments)
        }

        let plain = try bound("Item WHERE body ==[c] 'MILK' AND priority IN {1, 2}", "anna")
        #expect(try bound("Item WHERE 'milk' ==[c] body && priority IN {2,1,2}", "bert") == plain)
        #expect(
            try bound("Item WHERE body ==[c] $0 && priority IN {$1, 2}", "", ["milk", 1]) == plain)
        #expect(
            try bound("Project WHERE owner == $user", "anna")
                != bound("Project WHERE owner == $user", "bert"))
        #expect(
            try bound("Project WHERE items.isDone == true", "")
                == bound("Project WHERE ANY items.isDone == true", ""))
    }

    @Test func `equality terms are those that every match has`() throws {
        let query = try Query.parse(
            "Project WHERE owner == $user AND name IN {'x'} AND favourite == null AND target > 1 "
                + "AND items.isDone == true AND (projectId == 'a' OR projectId == 'b')"
        ).bind(to: ToDo.schema, user: "anna")

        let terms = query.equalityTerms
        #expect(terms.map(\.property.property) == [0, 1, 4])
        #expect(terms.map(\.value) == ["anna", "x", .null])
        let byKey = try Query.parse("Person WHERE personId == 3").bind(to: ToDo.schema, user: "")
        #expect(byKey.equalityTerms.map(\.property.isPrimaryKey) == [true])
    }
}

extension Value: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
}

extension Value: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .int(value) }
}
