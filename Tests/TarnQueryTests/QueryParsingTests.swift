import TarnModel
import TarnQuery
import TarnTesting
import Testing

struct QueryParsingTests {
    @Test(arguments: [
        ("Item", "Item"),
        ("  Item\nWHERE\tTRUEPREDICATE ", "Item"),
        ("Item where isDone = true", "Item WHERE isDone == true"),
        ("Item WHERE false <> isDone", "Item WHERE isDone != false"),
        ("Item WHERE 3 =< priority", "Item WHERE priority >= 3"),
        ("Item WHERE a=>-1&&b=<2||!c==nil", "Item WHERE a >= -1 AND b <= 2 OR NOT c == null"),
        ("Item WHERE (a == 1 AND (b == 2)) and c == 3", "Item WHERE a == 1 AND b == 2 AND c == 3"),
        ("Item WHERE a == 1 AND (b == 2 OR c == 3)", "Item WHERE a == 1 AND (b == 2 OR c == 3)"),
        ("Item WHERE NOT(a == 1 or b == 2)", "Item WHERE NOT (a == 1 OR b == 2)"),
        ("Item WHERE !!(a == 1)", "Item WHERE NOT NOT a == 1"),
        ("Item LIMIT(3) SORT(a, b.c desc)", "Item SORT(a ASC, b.c DESC) LIMIT(3)"),
        ("Item WHERE a in[c] {'x',\"y\"}", "Item WHERE a IN[c] {\"x\", \"y\"}"),
        ("Item WHERE a between{$0,$user}", "Item WHERE a BETWEEN {$0, $user}"),
        ("Item WHERE 'x' IN tags", "Item WHERE ANY tags == \"x\""),
        ("Item WHERE some a.b LIKE '*'", "Item WHERE ANY a.b LIKE \"*\""),
        ("Item WHERE 'abc' CONTAINS a", "Item WHERE \"abc\" CONTAINS a"),
        ("Item WHERE a.@size > b.@count", "Item WHERE a.@count > b.@count"),
        ("Item WHERE a == 2020-02-29", "Item WHERE a == 2020-02-29T00:00:00Z"),
        ("Item WHERE a == 2020-02-29@1:00:00", nil),
        (
            "Item WHERE a == 2020-02-29@01:02:03:5",
            "Item WHERE a == 2020-02-29T01:02:03.000000005Z"
        ),
        (
            "Item WHERE a == '\\u00e9\\u{1F600}\\n\\'\\0'",
            "Item WHERE a == \"é😀\\n'\\u{0}\""
        ),
        (
            "Item WHERE a == UUID('0123ABCD-0000-0000-0000-000000000000')",
            "Item WHERE a == uuid(\"0123abcd-0000-0000-0000-000000000000\")"
        ),
        (
            "Item WHERE not == 1 AND any.all == 2 AND none != sort SORT(limit)",
            "Item WHERE not == 1 AND any.all == 2 AND none != sort SORT(limit ASC)"
        ),
        ("", nil), ("Item WHERE", nil), ("WHERE a == 1 x", nil), ("1tem", nil), ("Item x", nil),
        ("Item WHERE a", nil), ("Item WHERE a ==", nil), ("Item WHERE == 1", nil),
        ("Item WHERE 1 == 1", nil), ("Item WHERE (a == 1", nil), ("Item WHERE a == 1)", nil),
        ("Item WHERE a == 1 b == 2", nil), ("Item WHERE a <[c] 'x'", nil),
        ("Item WHERE a ==[d] 'x'", nil), ("Item WHERE a == 'x", nil),
        ("Item WHERE a == '\\q'", nil), ("Item WHERE a == '\\u{110000}'", nil),
        ("Item WHERE a == '\\uD800'", nil),
        ("Item WHERE a == 9223372036854775808", nil), ("Item WHERE a == 12x", nil),
        ("Item WHERE a == -", nil), ("Item WHERE a == 2021-02-29", nil),
        ("Item WHERE a IN {}", nil), ("Item WHERE a IN {b}", nil), ("Item WHERE 1 IN {1}", nil),
        ("Item WHERE a BETWEEN {1}", nil), ("Item WHERE a BETWEEN {1, 2, 3}", nil),
        ("Item WHERE a..b == 1", nil), ("Item WHERE a.@sum == 1", nil),
        ("Item WHERE ANY a.@count == 1", nil), ("Item WHERE a == $", nil),
        ("Item WHERE a == $64", nil), ("Item WHERE a == $me", nil),
        ("Item WHERE a == uuid('x')", nil),
        ("Item SORT()", nil), ("Item SORT(a) SORT(b)", nil), ("Item LIMIT(1) LIMIT(1)", nil),
        ("Item LIMIT(-1)", nil), ("Item LIMIT(x)", nil), ("Item DISTINCT(a)", nil),
        ("Item WHERE a & 1", nil), ("Item WHERE é == 1", nil),
    ])
    func `a text gives its canonical form or an error`(text: String, canonical: String?) throws {
        guard let canonical else {
            #expect(throws: QueryError.self) { try Query.parse(text) }
            return
        }
        let query = try Query.parse(text)

        #expect(query.description == canonical)
        #expect(try Query.parse(canonical) == query)
    }

    @Test func `an error says where and what was expected`() {
        #expect(message("Project WHERE é") == "this character means nothing here (at character 15)")
        #expect(
            message("Project WHERE a == 'é' x")
                == "AND, OR, SORT, LIMIT or the end was expected, not \"x\" (at character 24)"
        )
        #expect(
            message("Project SORT name") == "\"(\" was expected, not \"name\" (at character 14)")
    }

    private func message(_ text: String) -> String? {
        do throws(QueryError) {
            _ = try Query.parse(text)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `what is too much is refused as such`() {
        let limit = QueryLimits.nestingMax
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            let (left, right) = (
                String(repeating: open, count: depth), String(repeating: close, count: depth)
            )
            return "Item WHERE \(left)a == 1\(right)"
        }
        func listed(_ count: Int) -> String {
            "Item WHERE a IN {\((0..<count).map(String.init).joined(separator: ","))}"
        }
        func terms(_ count: Int) -> String {
            "Item WHERE " + [String](repeating: "a == 1", count: count).joined(separator: " AND ")
        }
        func path(_ count: Int) -> String {
            "Item WHERE " + [String](repeating: "a", count: count).joined(separator: ".") + " == 1"
        }
        func padded(_ bytes: Int) -> String { "Item" + String(repeating: " ", count: bytes - 4) }
        let pairs = [
            (nested(limit, "(", ")"), nested(limit + 1, "(", ")")),
            (nested(limit, "!", ""), nested(15_000, "NOT ", "")),
            (nested(limit, "!", ""), nested(8000, "(", ")")),
            (listed(QueryLimits.listedValuesMax), listed(QueryLimits.listedValuesMax + 1)),
            (terms(QueryLimits.termsMax), terms(QueryLimits.termsMax + 1)),
            (path(QueryLimits.pathStepsMax), path(QueryLimits.pathStepsMax + 1)),
            (padded(QueryLimits.textBytesMax), padded(QueryLimits.textBytesMax + 1)),
        ]

        for (fits, exceeds) in pairs {
            #expect(throws: Never.self) { try Query.parse(fits) }
            do throws(QueryError) {
                _ = try Query.parse(exceeds)
                Issue.record("\(exceeds.prefix(80)) was read")
            } catch {
                #expect(error.code == .limit)
            }
        }
    }

    @Test(arguments: [UInt64](1...20))
    func `no bytes make the parser trap, and what it reads has a canonical form`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let words = [
            "Item", "WHERE", "a", "b.c", "==", "!=", "<", "IN", "BETWEEN", "{", "}", "(", ")", ",",
            "AND", "OR", "NOT", "!", "&&", "||", "ANY", "ALL", "NONE", "@count", ".", "[c]", "1",
            "-5", "'x'", "\"\\u{e9}\"", "$user", "$0", "2020-01-01", "null", "true", "SORT",
            "LIMIT",
            "DESC", "CONTAINS", "LIKE", "TRUEPREDICATE", "uuid(", "\u{0}", "é", "\"", "[", "$",
        ]
        var readCount = 0
        for _ in 0..<500 {
            var text = String(
                decoding: random.bytes(Int.random(in: 0...40, using: &random)), as: UTF8.self)
            if Int.random(in: 0..<8, using: &random) > 0 {
                let count = Int.random(in: 0...12, using: &random)
                let chosen = (0..<count).compactMap { _ in words.randomElement(using: &random) }
                text = "Item WHERE a == 1 " + chosen.joined(separator: " ")
            }
            guard let query = try? Query.parse(text) else { continue }
            readCount += 1
            let canonical = query.description
            #expect((try? Query.parse(canonical)) == query)
            #expect((try? Query.parse(canonical))?.description == canonical)
        }
        #expect(readCount > 0)
    }
}
