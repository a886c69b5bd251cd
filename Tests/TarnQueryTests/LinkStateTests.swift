import TarnModel
import TarnQuery
import Testing

struct LinkStateTests {
    @Test(arguments: [
        ("next.@state == 'null'", [3]),
        ("next.@state == \"present\"", [1, 4]),
        ("next.@state == 'unresolved'", [2]),
        ("'unresolved' == next.@state", [2]),
        ("next.@state != 'present'", [2, 3]),
        ("NOT next.@state == 'present'", [2, 3]),
        ("next.@state IN {'null', 'unresolved'}", [2, 3]),
        ("next.@state == $0", [2]),
        ("next.next.@state == 'unresolved'", [1]),
        ("next.next.@state == 'null'", [2, 3]),
        ("path.@state == 'unresolved'", [2, 4]),
        ("ANY path.@state == 'present'", [1, 4]),
        ("ALL path.@state == 'present'", [1, 3]),
        ("NONE path.@state == 'present'", [2, 3]),
        ("ALL peers.@state != 'present'", [2, 3]),
        ("roles.@state == 'null'", [3, 4]),
        ("ALL roles.@state IN {'null', 'unresolved'}", [2, 3]),
        ("ANY path.next.@state == 'unresolved'", [1]),
        ("path.next.@state == 'present'", [4]),
    ])
    func `the state of a link is null, present or unresolved`(
        predicate: String, keys: [Int64]
    ) throws {
        #expect(try Lab.keys("Sample WHERE \(predicate)", ["unresolved"]) == keys)
    }

    @Test(arguments: [
        ("next.@state==\"null\"", "next.@state == \"null\""),
        ("none path.@state in{'present',$0}", "NONE path.@state IN {\"present\", $0}"),
        ("'null' != some path.@state", "ANY path.@state != \"null\""),
    ])
    func `it has a canonical text`(predicate: String, canonical: String) throws {
        let query = try Query.parse("Sample WHERE \(predicate)")

        #expect(query.description == "Sample WHERE \(canonical)")
        #expect(try Query.parse(query.description) == query)
    }

    @Test(arguments: [
        (
            "next.@state == 'unresolvd'",
            "a state is \"null\", \"present\" or \"unresolved\"; did you mean \"unresolved\"? "
                + "(at character 29)"
        ),
        (
            "next.@state == null",
            "a state is \"null\", \"present\" or \"unresolved\", and cannot be compared with null "
                + "(at character 29)"
        ),
        (
            "size.@state == 'null'",
            "size is an int, and only links have a state (at character 14)"
        ),
        ("next.@state IN {'null', 1}", nil),
        ("next.@state IN[c] {'NULL'}", nil),
        ("next.@state ==[c] 'NULL'", nil),
        ("next.@state < 'null'", nil),
        ("next.@state CONTAINS 'null'", nil),
        ("'null' CONTAINS next.@state", nil),
        ("next.@state BETWEEN {'null', 'present'}", nil),
        ("next.@state == next.@state", nil),
        ("size == next.@state", nil),
        ("next == next.@state", nil),
        ("ANY next.@state == 'null'", nil),
        ("tags.@state == 'null'", nil),
        ("next.@state == $0", "$0 is not among the 0 arguments (at character 29)"),
    ])
    func `a state is compared with given words and nothing else`(
        predicate: String, message: String?
    ) throws {
        let query = try Query.parse("Sample WHERE \(predicate)")
        do throws(QueryError) {
            _ = try query.bind(to: Lab.schema, user: "")
            Issue.record("\(predicate) was bound")
        } catch {
            if let message { #expect(error.description == message) }
        }
    }

    @Test(arguments: ["next.@state", "next.@state.x == 1", "'null' IN next.@state", "@state == 1"])
    func `it stands at the end of a path, and on one side of a comparison`(predicate: String) {
        #expect(throws: QueryError.self) { try Query.parse("Sample WHERE \(predicate)") }
    }

    @Test func `a query by states depends on what the links lead to`() throws {
        let query = try Query.parse("Sample WHERE next.@state == 'unresolved'")
            .bind(to: Lab.schema, user: "")
        var store = Lab.store
        #expect(try query.matches(Lab.sample(2), in: store))

        store.rows[Lab.sample(9)] = store.rows[Lab.sample(3)]

        #expect(try !query.matches(Lab.sample(2), in: store))
        #expect(try query.affectedRoots(by: Lab.sample(9), in: store).contains(Lab.sample(2)))
        #expect(query.equalityTerms.isEmpty)
    }
}
