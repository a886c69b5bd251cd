"""Meanings of the vectors of digests: objects with their hashes, digests of some of them, and in
which buckets two digests differ."""

from tarn_cbor import dumps
from tarn_digest import bucket_of, content_of, digest_of, hash_of
from tarn_forms import pack_value
from tarn_replica import Object, frozen
from vectors_of_messages import INT_MAX, INT_MIN, OTHER, UINT_MAX, UUID, date, double, link
from vectors_of_transactions import UUID_2, life, schema_class, schema_property, slot
from vectors_of_views import content, entry

BUCKET_COUNTS = (8, 4096)
NULL = {"null": True}
FALSE, TRUE = {"bool": False}, {"bool": True}
NIL_UUID = {"uuid": "00000000-0000-0000-0000-000000000000"}


def text(content_):
    return {"string": content_}


def number(content_):
    return {"int": str(content_)}


def data(digits):
    return {"data": digits}


# The schema names the properties in another order than the hash takes them in, and neither is the
# order by length that other profiles of CBOR have.
CLASSES = [
    schema_class("Plain", schema_property("number", "int"), [
        schema_property("text", "string"), schema_property("flag", "bool"),
        schema_property("Zone", "uuid"), schema_property("_at", "date"),
        schema_property("at", "int"), schema_property("atom", "double"),
        schema_property("b", "data"),
        schema_property("next", "link", linked="Named", optional=True)]),
    schema_class("Maybe", schema_property("name", "string"), [
        schema_property("flag", "bool", optional=True, default=TRUE),
        schema_property("count", "int", optional=True, default=number(7)),
        schema_property("title", "string", default=text("untitled")),
        schema_property("note", "string", optional=True),
        schema_property("rate", "double", default=double(0x3FF8_0000_0000_0000))]),
    schema_class("Named", schema_property("id", "uuid"), [
        schema_property("words", "string", holds="list"),
        schema_property("links", "link", linked="Plain", holds="list")]),
    schema_class("Sets", schema_property("number", "int"), [
        schema_property("bools", "bool", holds="set"), schema_property("ints", "int", holds="set"),
        schema_property("texts", "string", holds="set"),
        schema_property("uuids", "uuid", holds="set"),
        schema_property("dates", "date", holds="set"),
        schema_property("doubles", "double", holds="set"),
        schema_property("datas", "data", holds="set"),
        schema_property("toInts", "link", linked="Plain", holds="set"),
        schema_property("toTexts", "link", linked="Maybe", holds="set"),
        schema_property("toUuids", "link", linked="Named", holds="set")]),
    schema_class("Maps", schema_property("name", "string"), [
        schema_property("scores", "double", holds="map"),
        schema_property("places", "link", linked="Named", holds="map", optional=True)])]
SCHEMAS = {schema["name"]: schema for schema in CLASSES}


def held(name, class_name, key, born, properties, is_root=True):
    return name, {"class": class_name, "key": key, "life": born, "isRoot": is_root,
                  "properties": properties}


def values(*contents):
    return [{"value": value} for value in contents]


def elements(*entries):
    return {"entries": [entry(one) for one in entries]}


def few_words(*words):
    return {"list": [content(slot(4, index), text(word)) for index, word in enumerate(words)]}


EVERY_TYPE = values(
    text("e\u0301"), TRUE, {"uuid": UUID}, date(-1, 999_999_999), number(-25),
    double(0x7FF8_0000_0000_0001), data("00ff" * 8), link({"uuid": UUID}))
WORDS = [{"list": [
    content(slot(9, 1, OTHER), text("last, moved to the front"), slot(2, 1)),
    content(slot(2, 0), text("")), content(slot(3, 4294967295, OTHER), text("again")),
    content(slot(3, 1), text("again"))]},
    {"list": [content(slot(UINT_MAX, 0), link(number(0)))]}]

# The order in which the entries come means nothing; no set comes as it is hashed.
SETS = [
    elements(TRUE, FALSE),
    elements(number(24), number(-1), number(INT_MAX), number(0), number(INT_MIN), number(-500)),
    elements(text("b"), text("\U0001f600"), text("\uff5e"), text("aa"), text(""), text("\u00e9"),
             text("e\u0301"), text("B")),
    elements({"uuid": UUID_2}, {"uuid": "ffffffff-0000-0000-0000-000000000000"}, NIL_UUID,
             {"uuid": UUID}),
    elements(date(1, 0), date(0, 1), date(-1, 999_999_999), date(0, 0), date(-1, 0)),
    elements(double(0x3FF8_0000_0000_0000), double(0), double(1 << 63), double(0xFFF8 << 48),
             double(0x7FF8 << 48), double(0xBFF0 << 48), double(0xC000 << 48), double(1)),
    elements(data("ff"), data("00ff"), data(""), data("00"), data("01")),
    elements(link(number(3)), link(number(-300)), link(number(2))),
    elements(link(text("b")), link(text("aa"))),
    elements(link({"uuid": UUID_2}), link(NIL_UUID), link({"uuid": UUID}))]
MAPS = [
    {"entries": [entry(text("z"), double(0)), entry(text("\U0001f600"), double(1)),
                 entry(text("\uff5e"), double(1 << 63)), entry(text("aa"), double(2))]},
    {"entries": [entry(text("none"), NULL), entry(text(""), link({"uuid": UUID_2}))]}]

OBJECTS = [
    held("a value of every type", "Plain", number(1), life(1), EVERY_TYPE),
    held("the same, which only a link reaches", "Plain", number(1), life(1), EVERY_TYPE, False),
    held("the same in a later life", "Plain", number(1), life(2), EVERY_TYPE),
    held("the same of another replica", "Plain", number(1), life(1, OTHER), EVERY_TYPE),
    held("the same but for a value", "Plain", number(1), life(1),
         EVERY_TYPE[:1] + values(FALSE) + EVERY_TYPE[2:]),
    held("nothing but what the types begin with", "Plain", number(2), life(1), values(
        text(""), FALSE, NIL_UUID, date(0, 0), number(0), double(0), data(""), NULL)),
    held("minus zero, which is not zero", "Plain", number(2), life(1), values(
        text(""), FALSE, NIL_UUID, date(0, 0), number(0), double(1 << 63), data(""), NULL)),
    held("nothing said of the last properties", "Plain", number(3), life(1),
         values(text("x"), TRUE)),
    held("the same, with what they begin with", "Plain", number(3), life(1), values(
        text("x"), TRUE, NIL_UUID, date(0, 0), number(0), double(0), data(""), NULL)),
    held("the greatest key and life", "Plain", number(INT_MAX), life(UINT_MAX, "ff" * 8), []),
    held("the least key", "Plain", number(INT_MIN), life(1), []),
    held("a key of a text, and the defaults", "Maybe", text("inbox"), life(5), values(
        TRUE, number(7), text("untitled"), NULL, double(0x3FF8_0000_0000_0000))),
    held("null and zeros where the default is another", "Maybe", text("inbox"), life(5), values(
        NULL, NULL, text(""), text(""), double(0))),
    held("a key of an empty text", "Maybe", text(""), life(5), []),
    held("a key beyond ASCII", "Maybe", text("\u00e9\U0001f600"), life(5), []),
    held("a key of a UUID, and a list with an element that was moved", "Named", {"uuid": UUID},
         life(2), WORDS),
    held("the same list before that", "Named", {"uuid": UUID}, life(2), [
        {"list": WORDS[0]["list"][1:] + [content(slot(2, 1), text("last, moved to the front"))]},
        WORDS[1]]),
    held("empty lists", "Named", {"uuid": UUID_2}, life(2), [{"list": []}, {"list": []}]),
    held("a set of every type", "Sets", number(1), life(6), SETS),
    held("the same with the entries the other way round", "Sets", number(1), life(6), [
        {"entries": one["entries"][::-1]} for one in SETS]),
    held("empty sets", "Sets", number(2), life(6), [{"entries": []}] * len(SETS)),
    held("maps", "Maps", text("inbox"), life(7), MAPS),
    held("an empty map, and one of a null", "Maps", text("none"), life(7), [
        {"entries": []}, {"entries": [entry(text("a"), NULL)]}])]

# Enough for buckets of several, whose sums run over 64 bits.
MANY = [held(f"word {index}", "Named", {"uuid": f"01890a5d-ac97-7000-8000-{index:012x}"}, life(4),
             [few_words(f"word {index}")], index % 3 > 0) for index in range(24)]
CHANGED = held("word 5, changed", MANY[5][1]["class"], MANY[5][1]["key"], life(4),
               [few_words("another", "word 5")])
OBJECTS += MANY + [CHANGED]

SEVERAL = ["a value of every type", "null and zeros where the default is another",
           "a key of a UUID, and a list with an element that was moved", "a set of every type",
           "maps"]
WORDS_24 = [name for name, _ in MANY]
DIGESTS = [
    ("nothing", 8, []),
    ("nothing in 64", 64, []),
    ("one", 8, SEVERAL[:1]),
    ("one, which only a link reaches", 8, ["the same, which only a link reaches"]),
    ("several", 8, SEVERAL),
    ("several in 64", 64, SEVERAL),
    ("24 in eight", 8, WORDS_24),
    ("24 in 64", 64, WORDS_24),
    ("24 in 64, and one is another", 64, WORDS_24[:5] + [CHANGED[0]] + WORDS_24[6:]),
    ("23 in 64", 64, WORDS_24[:-1])]
DIFFERENCES = [
    ("nothing", "nothing"), ("several in 64", "several in 64"), ("nothing", "one"),
    ("one", "one, which only a link reaches"), ("several", "one"), ("several", "24 in eight"),
    ("nothing in 64", "several in 64"), ("nothing in 64", "24 in 64"),
    ("24 in 64", "24 in 64, and one is another"), ("24 in 64", "23 in 64")]


def name_of(meaning):
    return meaning["class"], frozen(meaning["key"])


def content_item(meaning):
    schema = SCHEMAS[meaning["class"]]
    return content_of(name_of(meaning), Object(schema, meaning), schema, meaning["isRoot"])


def sums_of(meanings, count):
    members = {name_of(meaning): meaning["isRoot"] for meaning in meanings}
    objects = {name_of(meaning): Object(SCHEMAS[meaning["class"]], meaning)
               for meaning in meanings}
    return digest_of(members, objects, SCHEMAS, count)


def differing(ours, theirs):
    """The bits of the buckets with different sums, the lowest of the first byte first."""
    bits = 0
    for index in range(0, len(ours), 8):
        if ours[index:index + 8] != theirs[index:index + 8]:
            bits |= 1 << index // 8
    return bits.to_bytes(len(ours) // 64, "little")


def object_vector(name, meaning):
    place, item = [meaning["class"], pack_value(meaning["key"])], content_item(meaning)
    return {"name": name, "meaning": meaning, "place": dumps(place).hex(),
            "buckets": [{"of": str(count), "bucket": str(bucket_of(name_of(meaning), count))}
                        for count in BUCKET_COUNTS],
            "content": dumps(item).hex(), "hash": f"{hash_of(item):016x}"}


def files():
    meanings = dict(OBJECTS)
    sums = {name: sums_of([meanings[one] for one in objects], count)
            for name, count, objects in DIGESTS}
    return {"digests": {
        "about": "Objects with what their hashes are over, digests of some of them, and the "
                 "buckets in which two of these differ, as in Protocol/digests.md.",
        "classes": CLASSES,
        "objects": [object_vector(name, meaning) for name, meaning in OBJECTS],
        "digests": [{"name": name, "objects": objects, "sums": sums[name].hex()}
                    for name, _, objects in DIGESTS],
        "differences": [{"ours": ours, "theirs": theirs,
                         "buckets": differing(sums[ours], sums[theirs]).hex()}
                        for ours, theirs in DIFFERENCES]}}
