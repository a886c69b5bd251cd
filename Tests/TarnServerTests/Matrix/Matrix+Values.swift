import TarnModel

/// Existence, values and numbers.
extension Matrix {
    static let existence: [MergeRow] = [
        MergeRow(
            "creation", "creation of the same key", .either, stands: "n(text a, count 3) x y",
            [create("n", said("text", .string("a")))], [create("n", said("count", .int(3)))]),
        MergeRow(
            "creation with a value", "creation with another", .later, stands: "n(text b) x y",
            [create("n", said("text", .string("a")))], [create("n", said("text", .string("b")))]),
        MergeRow(
            "creation with a value", "creation with another", .earlier, stands: "n(text a) x y",
            receipt: "laterValue",
            [create("n", said("text", .string("a")))], [create("n", said("text", .string("b")))]),
        MergeRow(
            "creation with a default", "creation with a value", .either, stands: "n(text b) x y",
            [create("n", said("text", .string("a"), byDefault: true))],
            [create("n", said("text", .string("b")))]),
        MergeRow(
            "creation with a value", "creation with a default", .either, stands: "n(text a) x y",
            [create("n", said("text", .string("a")))],
            [create("n", said("text", .string("b"), byDefault: true))]),
        MergeRow(
            "set", "creation with a default", .either, stands: "x(text a) y",
            [set("x", "text", .string("a"))],
            [create("x", said("text", .string("b"), byDefault: true))]),
        MergeRow(
            "delete", "creation", .either, stands: "y", receipt: "objectDeleted",
            [delete("x")], [create("x", said("text", .string("a")))]),
        MergeRow(
            "delete", "creation", .seen, stands: "x(text a) y",
            [delete("x")], [create("x", said("text", .string("a")))]),
        MergeRow("delete", "delete", .either, stands: "y", [delete("x")], [delete("x")]),
        MergeRow(
            "delete", "set", .either, stands: "y", receipt: "objectDeleted",
            [delete("x")], [set("x", "text", .string("a"))]),
        MergeRow(
            "set", "delete", .either, stands: "y",
            [set("x", "text", .string("a"))], [delete("x")]),
        MergeRow(
            "delete, and creation anew", "set, of the old life", .either, stands: "x y",
            receipt: "objectDeleted", winner: nil,
            [delete("x"), create("x")], [set("x", "text", .string("a"))]),
        MergeRow(
            "delete, and creation anew", "delete, of the old life", .either, stands: "x y",
            [delete("x"), create("x")], [delete("x")]),
    ]

    static let values: [MergeRow] = [
        MergeRow(
            "set", "set", .later, stands: "x(text b) y",
            [set("x", "text", .string("a"))], [set("x", "text", .string("b"))]),
        MergeRow(
            "set", "set", .earlier, stands: "x(text a) y", receipt: "laterValue",
            [set("x", "text", .string("a"))], [set("x", "text", .string("b"))]),
        MergeRow(
            "set", "set", .seen, stands: "x(text b) y",
            [set("x", "text", .string("a"))], [set("x", "text", .string("b"))]),
        MergeRow(
            "set", "set to the same", .either, stands: "x(text a) y",
            [set("x", "text", .string("a"))], [set("x", "text", .string("a"))]),
        MergeRow(
            "set", "set to null", .later, stands: "x y",
            [set("x", "some", .int(1))], [set("x", "some", .null)]),
        MergeRow(
            "set", "set of another property", .either, stands: "x(text a, count 1) y",
            [set("x", "text", .string("a"))], [set("x", "count", .int(1))]),
        MergeRow(
            "delete of an object", "set of a link to it", .either, stands: "x",
            receipt: "targetDeleted",
            [delete("y")], [set("x", "friend", link("y"))]),
        MergeRow(
            "set of a link", "delete of the object that it leads to", .either, stands: "x",
            [set("x", "friend", link("y"))], [delete("y")]),
    ]

    static let increments: [MergeRow] = [
        MergeRow(
            "increment", "increment", .either, stands: "x(count 12) y",
            [increment("x", "count", 5)], [increment("x", "count", 7)]),
        MergeRow(
            "increment", "set", .either, stands: "x(count 105) y",
            [increment("x", "count", 5)], [set("x", "count", .int(100))]),
        MergeRow(
            "set", "increment", .either, stands: "x(count 107) y",
            [set("x", "count", .int(100))], [increment("x", "count", 7)]),
        MergeRow(
            "increment", "set", .seen, stands: "x(count 100) y",
            [increment("x", "count", 5)], [set("x", "count", .int(100))]),
        MergeRow(
            "set", "increment", .seen, stands: "x(count 107) y",
            [set("x", "count", .int(100))], [increment("x", "count", 7)]),
        MergeRow(
            "set, and increment of that", "set", .later, stands: "x(count 15) y",
            [set("x", "count", .int(100)), increment("x", "count", 5)],
            [set("x", "count", .int(10))]),
        MergeRow(
            "set, and increment of that", "set", .earlier, stands: "x(count 105) y",
            receipt: "laterValue",
            [set("x", "count", .int(100)), increment("x", "count", 5)],
            [set("x", "count", .int(10))]),
        MergeRow(
            "set to null", "increment", .either, stands: "x y", receipt: "valueIsNull",
            before: [set("x", "some", .int(1))],
            [set("x", "some", .null)], [increment("x", "some", 7)]),
        MergeRow(
            "increment", "set to null", .either, stands: "x y",
            before: [set("x", "some", .int(1))],
            [increment("x", "some", 7)], [set("x", "some", .null)]),
        MergeRow(
            "increment", "creation with a default", .either, stands: "x(count 105) y",
            [increment("x", "count", 5)],
            [create("x", said("count", .int(100), byDefault: true))]),
        MergeRow(
            "increment", "creation with a value", .either, stands: "x(count 105) y",
            [increment("x", "count", 5)], [create("x", said("count", .int(100)))]),
        MergeRow(
            "delete", "increment", .either, stands: "y", receipt: "objectDeleted",
            [delete("x")], [increment("x", "count", 7)]),
        MergeRow(
            "increment", "delete", .either, stands: "y",
            [increment("x", "count", 5)], [delete("x")]),
    ]
}
