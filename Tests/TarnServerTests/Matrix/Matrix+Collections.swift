import TarnModel

/// Lists, sets and maps.
extension Matrix {
    private static let a = Value.string("a")
    private static let b = Value.string("b")
    /// A list of x: a, b.
    private static let words = [
        insert(a, into: "x", "words", born.slot(0)),
        insert(b, into: "x", "words", born.slot(1), after: born.slot(0)),
    ]

    static let lists: [MergeRow] = [
        MergeRow(
            "insertion", "insertion at the same place", .later, stands: "x(words a i j b) y",
            before: words,
            [
                insert(
                    .string("i"), into: "x", "words", there.slot(), after: born.slot(0),
                    before: born.slot(1))
            ],
            [
                insert(
                    .string("j"), into: "x", "words", comes.slot(), after: born.slot(0),
                    before: born.slot(1))
            ]),
        MergeRow(
            "insertion", "insertion at the same place", .earlier, stands: "x(words a j i b) y",
            before: words,
            [
                insert(
                    .string("i"), into: "x", "words", there.slot(), after: born.slot(0),
                    before: born.slot(1))
            ],
            [
                insert(
                    .string("j"), into: "x", "words", comes.slot(), after: born.slot(0),
                    before: born.slot(1))
            ]),
        MergeRow(
            "insertion", "insertion elsewhere", .either, stands: "x(words i a b j) y",
            before: words,
            [insert(.string("i"), into: "x", "words", there.slot(), before: born.slot(0))],
            [insert(.string("j"), into: "x", "words", comes.slot(), after: born.slot(1))]),
        MergeRow(
            "move", "move of the same element", .later, stands: "x(words b a) y", before: words,
            [move(0, of: "x", "words", there.slot(), before: born.slot(0))],
            [move(0, of: "x", "words", comes.slot(), after: born.slot(1))]),
        MergeRow(
            "move", "move of the same element", .earlier, stands: "x(words a b) y",
            receipt: "elementGone", winner: nil, before: words,
            [move(0, of: "x", "words", there.slot(), before: born.slot(0))],
            [move(0, of: "x", "words", comes.slot(), after: born.slot(1))]),
        MergeRow(
            "removal", "move of the same element", .either, stands: "x(words b) y",
            receipt: "elementGone", before: words,
            [remove(0, of: "x", "words")],
            [move(0, of: "x", "words", comes.slot(), after: born.slot(1))]),
        MergeRow(
            "move", "removal of the same element", .either, stands: "x(words b) y", before: words,
            [move(0, of: "x", "words", there.slot(), after: born.slot(1))],
            [remove(0, of: "x", "words")]),
        MergeRow(
            "removal", "removal of the same element", .either, stands: "x(words b) y",
            before: words, [remove(0, of: "x", "words")], [remove(0, of: "x", "words")]),
        MergeRow(
            "clearing", "insertion", .either, stands: "x(words j) y", before: words,
            [remove(0, of: "x", "words"), remove(1, of: "x", "words")],
            [insert(.string("j"), into: "x", "words", comes.slot(), after: born.slot(1))]),
        MergeRow(
            "insertion", "clearing", .either, stands: "x(words i) y", before: words,
            [insert(.string("i"), into: "x", "words", there.slot(), after: born.slot(1))],
            [remove(0, of: "x", "words"), remove(1, of: "x", "words")]),
        MergeRow(
            "delete of the list's owner", "insertion", .either, stands: "y",
            receipt: "objectDeleted", before: words,
            [delete("x")], [insert(a, into: "x", "words", comes.slot())]),
        MergeRow(
            "delete of the list's owner", "move or removal", .either, stands: "y",
            receipt: "objectDeleted, objectDeleted", before: words, [delete("x")],
            [
                move(0, of: "x", "words", comes.slot(), after: born.slot(1)),
                remove(1, of: "x", "words"),
            ]),
        MergeRow(
            "delete of an object", "insertion of a link to it", .either, stands: "x",
            receipt: "targetDeleted",
            [delete("y")], [insert(link("y"), into: "x", "friends", comes.slot())]),
        MergeRow(
            "insertion of a link", "delete of the object that it leads to", .either, stands: "x",
            [insert(link("y"), into: "x", "friends", there.slot())], [delete("y")]),
    ]

    static let sets: [MergeRow] = [
        MergeRow(
            "putting in", "putting in the same", .either, stands: "x(tags a) y",
            [put(a, into: "x", "tags")], [put(a, into: "x", "tags")]),
        MergeRow(
            "putting in", "putting in another", .either, stands: "x(tags a b) y",
            [put(a, into: "x", "tags")], [put(b, into: "x", "tags")]),
        MergeRow(
            "putting in once more", "taking out", .later, stands: "x y",
            before: [put(a, into: "x", "tags")],
            [put(a, into: "x", "tags")], [take(a, from: "x", "tags")]),
        MergeRow(
            "putting in once more", "taking out", .earlier, stands: "x(tags a) y",
            receipt: "laterValue", before: [put(a, into: "x", "tags")],
            [put(a, into: "x", "tags")], [take(a, from: "x", "tags")]),
        MergeRow(
            "taking out", "putting in once more", .later, stands: "x(tags a) y",
            before: [put(a, into: "x", "tags")],
            [take(a, from: "x", "tags")], [put(a, into: "x", "tags")]),
        MergeRow(
            "taking out", "putting in once more", .earlier, stands: "x y", receipt: "laterValue",
            before: [put(a, into: "x", "tags")],
            [take(a, from: "x", "tags")], [put(a, into: "x", "tags")]),
        MergeRow(
            "taking out", "taking out the same", .either, stands: "x y",
            before: [put(a, into: "x", "tags")],
            [take(a, from: "x", "tags")], [take(a, from: "x", "tags")]),
        MergeRow(
            "clearing", "putting in another", .either, stands: "x(tags b) y",
            before: [put(a, into: "x", "tags")],
            [take(a, from: "x", "tags")], [put(b, into: "x", "tags")]),
        MergeRow(
            "clearing", "clearing", .either, stands: "x y",
            before: [put(a, into: "x", "tags"), put(b, into: "x", "tags")],
            [take(a, from: "x", "tags"), take(b, from: "x", "tags")],
            [take(b, from: "x", "tags"), take(a, from: "x", "tags")]),
        MergeRow(
            "delete of the set's owner", "putting in or taking out", .either, stands: "y",
            receipt: "objectDeleted, objectDeleted", before: [put(a, into: "x", "tags")],
            [delete("x")], [put(b, into: "x", "tags"), take(a, from: "x", "tags")]),
        MergeRow(
            "delete of an object", "putting in a link to it", .either, stands: "x",
            receipt: "targetDeleted", [delete("y")], [put(link("y"), into: "x", "fans")]),
        MergeRow(
            "putting in a link", "delete of the object that it leads to", .either, stands: "x",
            [put(link("y"), into: "x", "fans")], [delete("y")]),
        MergeRow(
            "delete of an element, and creation anew", "taking it out", .either, stands: "x y",
            before: [put(link("y"), into: "x", "fans")],
            [delete("y"), create("y")], [take(link("y"), from: "x", "fans")]),
        MergeRow(
            "delete of an element, and putting in its key anew", "taking it out", .either,
            stands: "x(fans y) y", before: [put(link("y"), into: "x", "fans")],
            [delete("y"), create("y"), put(link("y", there), into: "x", "fans")],
            [take(link("y"), from: "x", "fans")]),
    ]

    private static let one = [put(.int(1), under: "k", of: "x", "scores")]

    static let maps: [MergeRow] = [
        MergeRow(
            "setting a key", "setting the same key", .later, stands: "x(scores k:3) y",
            before: one, [put(.int(2), under: "k", of: "x", "scores")],
            [put(.int(3), under: "k", of: "x", "scores")]),
        MergeRow(
            "setting a key", "setting the same key", .earlier, stands: "x(scores k:2) y",
            receipt: "laterValue", before: one, [put(.int(2), under: "k", of: "x", "scores")],
            [put(.int(3), under: "k", of: "x", "scores")]),
        MergeRow(
            "setting a key", "setting another key", .either, stands: "x(scores k:1 l:2 m:3) y",
            before: one, [put(.int(2), under: "l", of: "x", "scores")],
            [put(.int(3), under: "m", of: "x", "scores")]),
        MergeRow(
            "setting a key", "removing it", .later, stands: "x y", before: one,
            [put(.int(2), under: "k", of: "x", "scores")],
            [take(.string("k"), from: "x", "scores")]),
        MergeRow(
            "setting a key", "removing it", .earlier, stands: "x(scores k:2) y",
            receipt: "laterValue", before: one, [put(.int(2), under: "k", of: "x", "scores")],
            [take(.string("k"), from: "x", "scores")]),
        MergeRow(
            "removing a key", "setting it", .later, stands: "x(scores k:3) y", before: one,
            [take(.string("k"), from: "x", "scores")],
            [put(.int(3), under: "k", of: "x", "scores")]),
        MergeRow(
            "removing a key", "setting it", .earlier, stands: "x y", receipt: "laterValue",
            before: one, [take(.string("k"), from: "x", "scores")],
            [put(.int(3), under: "k", of: "x", "scores")]),
        MergeRow(
            "clearing", "setting another key", .either, stands: "x(scores l:3) y", before: one,
            [take(.string("k"), from: "x", "scores")],
            [put(.int(3), under: "l", of: "x", "scores")]),
        MergeRow(
            "delete of the map's owner", "setting or removing a key", .either, stands: "y",
            receipt: "objectDeleted, objectDeleted", before: one, [delete("x")],
            [
                put(.int(3), under: "l", of: "x", "scores"),
                take(.string("k"), from: "x", "scores"),
            ]),
        MergeRow(
            "delete of an object", "setting a key to a link to it", .either, stands: "x",
            receipt: "targetDeleted",
            before: [put(link("x"), under: "k", of: "x", "links")],
            [delete("y")], [put(link("y"), under: "k", of: "x", "links")]),
        MergeRow(
            "setting a key to a link", "delete of the object that it leads to", .either,
            stands: "x", before: [put(link("x"), under: "k", of: "x", "links")],
            [put(link("y"), under: "k", of: "x", "links")], [delete("y")]),
    ]
}
