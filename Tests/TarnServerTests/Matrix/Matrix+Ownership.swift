import TarnModel

/// Parts, unique values, what belongs to others, and schemas.
extension Matrix {
    /// The part q, held by x.
    private static let q: [Change] = [createPart("q"), set("x", "part", link("q"))]
    private static let moveToY = [set("x", "part", .null), set("y", "part", link("q"))]
    /// As a client writes it, which sees q die.
    private static let deleteX = [delete("x"), Change.deleteOwned(part("q"))]

    private static func replace(with key: String, _ life: TransactionID) -> [Change] {
        [createPart(key), set("x", "part", link(key, life)), .deleteOwned(part("q"))]
    }

    private static func label(_ text: String) -> Change {
        .set(part("q"), property: "label", value: .string(Text(text)))
    }

    static let parts: [MergeRow] = [
        MergeRow(
            "a part is replaced", "change of the part", .either, stands: "r x(part r) y",
            receipt: "objectDeleted", before: q, replace(with: "r", there), [label("b")]),
        MergeRow(
            "change of a part", "the part is replaced", .either, stands: "s x(part s) y",
            before: q, [label("a")], replace(with: "s", comes)),
        MergeRow(
            "a part is replaced", "it is replaced by another", .later, stands: "s x(part s) y",
            before: q, replace(with: "r", there), replace(with: "s", comes)),
        MergeRow(
            "a part is replaced", "it is replaced by another", .earlier,
            stands: "r x(part r) y", receipt: "laterValue, ownerDeleted", before: q,
            replace(with: "r", there), replace(with: "s", comes)),
        MergeRow(
            "a part is moved to another object", "change of the part", .either,
            stands: "q(label b) x y(part q)", before: q, moveToY, [label("b")]),
        MergeRow(
            "a part is moved to another object", "it is moved to a third", .either,
            stands: "q x y(part q) z", receipt: "heldTwice", order: .first,
            before: q + [create("z")], moveToY,
            [set("x", "part", .null), set("z", "part", link("q"))]),
        MergeRow(
            "a part", "another object takes it, too", .seen, stands: "q x(part q) y",
            receipt: "heldTwice", before: q, [], [set("y", "part", link("q"))]),
        MergeRow(
            "a part is moved to another object", "delete of its owner", .either,
            stands: "q y(part q)", order: .first, before: q, moveToY, deleteX),
        MergeRow(
            "delete of a part's owner", "the part is moved to another object", .either,
            stands: "y", receipt: "objectDeleted, targetDeleted", order: .first, before: q,
            deleteX, moveToY),
        MergeRow(
            "delete of a part's owner", "change of the part", .either, stands: "y",
            receipt: "objectDeleted", before: q, deleteX, [label("b")]),
        MergeRow(
            "delete of the owner", "a new part in it", .either, stands: "y",
            receipt: "objectDeleted, ownerDeleted", [delete("x")],
            [createPart("s"), insert(link("s", comes), into: "x", "parts", comes.slot())]),
        MergeRow(
            "a part is removed from a list", "it is moved in the list", .either, stands: "x y",
            receipt: "elementGone",
            before: [
                createPart("q"), insert(link("q"), into: "x", "parts", born.slot()),
            ], [remove(0, of: "x", "parts"), .deleteOwned(part("q"))],
            [move(0, of: "x", "parts", comes.slot())]),
        MergeRow(
            "a new part under a key", "another under the same key", .later,
            stands: "s x(places k:s) y",
            [createPart("r"), put(link("r", there), under: "k", of: "x", "places")],
            [createPart("s"), put(link("s", comes), under: "k", of: "x", "places")]),
        MergeRow(
            "a new part under a key", "another under the same key", .earlier,
            stands: "r x(places k:r) y", receipt: "laterValue, ownerDeleted",
            [createPart("r"), put(link("r", there), under: "k", of: "x", "places")],
            [createPart("s"), put(link("s", comes), under: "k", of: "x", "places")]),
        MergeRow(
            "anything", "a new part without a place", .seen, stands: "x y",
            receipt: "ownerDeleted", [], [createPart("s")]),
    ]

    private static let slug = [set("x", "slug", .string("s"))]

    static let uniques: [MergeRow] = [
        MergeRow(
            "a unique value", "the same of another object", .either, stands: "x(slug s) y",
            receipt: "notUnique", order: .first, slug, [set("y", "slug", .string("s"))]),
        MergeRow(
            "a unique value", "a creation with the same", .either, stands: "x(slug s) y",
            receipt: "notUnique", order: .first, slug, [create("n", said("slug", .string("s")))]),
        MergeRow(
            "a unique value", "the same of the same object", .either, stands: "x(slug s) y", slug,
            slug),
        MergeRow(
            "null", "null of another object", .either, stands: "x y", before: slug,
            [set("x", "slug", .null)], [set("y", "slug", .null)]),
        MergeRow(
            "a unique value is given up", "another object takes it", .either,
            stands: "x(slug t) y(slug s)", order: .first, before: slug,
            [set("x", "slug", .string("t"))], [set("y", "slug", .string("s"))]),
        MergeRow(
            "delete of its holder", "another object takes the value", .either,
            stands: "y(slug s)", order: .first, before: slug,
            [delete("x")], [set("y", "slug", .string("s"))]),
        MergeRow(
            "two unique values", "they are exchanged", .seen, stands: "x(slug t) y(slug s)",
            before: slug + [set("y", "slug", .string("t"))], [],
            [set("x", "slug", .string("t")), set("y", "slug", .string("s"))]),
    ]

    /// The thing c, which belongs to x.
    private static let c: [Change] = [create("c"), set("x", "child", link("c"))]
    private static let deleteOwner = [delete("x"), Change.deleteOwned(object("c"))]

    static let owned: [MergeRow] = [
        MergeRow(
            "delete of an owner", "change of what it owns", .either, stands: "y",
            receipt: "objectDeleted", before: c, deleteOwner, [set("c", "text", .string("b"))]),
        MergeRow(
            "change of what an object owns", "delete of the owner", .either, stands: "y",
            before: c, [set("c", "text", .string("a"))], deleteOwner),
        MergeRow(
            "delete of an owner", "change of what belongs to what it owns", .either, stands: "y",
            receipt: "objectDeleted",
            before: c + [create("d"), put(link("d"), into: "c", "kin")], [delete("x")],
            [set("d", "text", .string("b"))]),
        MergeRow(
            "delete of one owner", "delete of the other", .either, stands: "",
            before: c + [put(link("c"), under: "k", of: "y", "heirs")], [delete("x")],
            [delete("y")]),
        MergeRow(
            "another owner takes it", "delete of the owner", .either, stands: "c y(child c)",
            order: .first, before: c, [set("y", "child", link("c"))], deleteOwner),
        MergeRow(
            "delete of the owner", "another owner takes it", .either, stands: "y",
            receipt: "targetDeleted", order: .first, before: c, deleteOwner,
            [set("y", "child", link("c"))]),
        MergeRow(
            "the owner lets it go", "delete of the owner", .either, stands: "y", before: c,
            [set("x", "child", .null)], deleteOwner),
        MergeRow(
            "the owner lets it go", "anything", .seen, stands: "c x y(text b)", before: c,
            [set("x", "child", .null)], [set("y", "text", .string("b"))]),
        MergeRow(
            "delete of the owner", "an object is made for it", .either, stands: "y",
            receipt: "objectDeleted, ownerDeleted", [delete("x")],
            [create("d"), insert(link("d", comes), into: "x", "children", comes.slot())]),
        MergeRow(
            "delete of the owner", "an object is made for its set, and one for its map", .either,
            stands: "y", receipt: "objectDeleted, objectDeleted, ownerDeleted, ownerDeleted",
            [delete("x")],
            [
                create("d"), create("e"), put(link("d", comes), into: "x", "kin"),
                put(link("e", comes), under: "k", of: "x", "heirs"),
            ]),
        MergeRow(
            "delete of the owner", "its creation, with an object made for it", .either,
            stands: "y", receipt: "objectDeleted, ownerDeleted", [delete("x")],
            [create("d"), create("x", said("child", link("d", comes)))]),
        MergeRow(
            "delete of the owner", "an object that was there is put into it", .either,
            stands: "y z", receipt: "objectDeleted", order: .first, before: [create("z")],
            [delete("x")], [insert(link("z"), into: "x", "children", comes.slot())]),
        MergeRow(
            "what an owner has is set", "to an object made for it", .earlier,
            stands: "d x(child y) y", receipt: "laterValue", [set("x", "child", link("y"))],
            [create("d"), set("x", "child", link("d", comes))]),
    ]

    private static func adding(
        _ property: PropertySchema, to name: String = "Thing", key: String = "thingId"
    ) -> [Change] {
        [
            .addClass(
                ClassSchema(name, primaryKey: PropertySchema(key, .string), properties: [property]))
        ]
    }

    private static func adding(_ name: String, isEmbedded: Bool) -> [Change] {
        [
            .addClass(
                ClassSchema(
                    name, primaryKey: PropertySchema("id", .int), properties: [],
                    isEmbedded: isEmbedded))
        ]
    }

    private static let size = adding(PropertySchema("size", .int))

    private static func conflict(_ comes: String, _ property: PropertySchema) -> MergeRow {
        MergeRow(
            "a property", comes, .either, stands: "x y; Thing.size int", receipt: "schemaConflict",
            order: .first, size, adding(property))
    }

    static let schemas: [MergeRow] = [
        MergeRow("a property", "the same", .either, stands: "x y; Thing.size int", size, size),
        MergeRow(
            "a property", "another", .either, stands: "x y; Thing.size int; Thing.width double",
            size, adding(PropertySchema("width", .double))),
        conflict("the same name, another type", PropertySchema("size", .double)),
        conflict("the same name, optional", PropertySchema("size", .int, isOptional: true)),
        conflict("the same name, another kind", .set("size", of: .int)),
        conflict(
            "the same name, unique", PropertySchema("size", .int, isOptional: true, isUnique: true)
        ),
        MergeRow(
            "a link", "the same name, owning", .either,
            stands: "x y; Thing.more list link(\"Thing\")",
            receipt: "schemaConflict", order: .first, adding(.list("more", of: .link("Thing"))),
            adding(.list("more", of: .link("Thing"), isOwning: true))),
        MergeRow(
            "a class of parts", "the same name, not of parts", .either, stands: "x y; Other parts",
            receipt: "schemaConflict", order: .first, adding("Other", isEmbedded: true),
            adding("Other", isEmbedded: false)),
        MergeRow(
            "objects of a class", "a unique property that may not be null", .seen, stands: "x y",
            receipt: "schemaConflict", [], adding(PropertySchema("code", .int, isUnique: true))),
    ]
}
