"""Meanings of the vectors of transactions: bodies, the chain of hashes, uploads, parts."""

import cbor2

from tarn_cbor import Float, dumps
from tarn_transaction import ZERO_HASH, next_hash, pack_body, pack_upload
from vectors_of_messages import (
    INT_MAX, INT_MIN, OTHER, REPLICA, SALT, UINT_MAX, UUID, VALUES, ZERO_POINT, accepted, date,
    entries, link, refused)

UUID_2 = "01890a5d-ac97-7000-8000-000000000002"


def schema_property(name, kind, linked=None, optional=False, holds="value", default=None,
                    unique=False, owning=False):
    return {"name": name, "type": kind, "linkedClass": linked, "kind": holds,
            "isOptional": optional, "isUnique": unique, "isOwning": owning,
            "default": default or {"null": True}}


def schema_class(name, key, properties, embedded=False):
    return {"name": name, "primaryKey": key, "properties": properties, "isEmbedded": embedded}


ITEM = schema_class("Item", schema_property("itemId", "uuid"), [
    schema_property("body", "string", default={"string": "untitled"}),
    schema_property("isDone", "bool"),
    schema_property("priority", "int", optional=True),
    schema_property("due", "date", optional=True),
    schema_property("project", "link", linked="Project", optional=True),
    schema_property("tags", "string", holds="list")])
PROJECT = schema_class("Project", schema_property("name", "string"), [
    schema_property("owner", "string"),
    schema_property("token", "uuid", optional=True),
    schema_property("items", "link", linked="Item", holds="list")])
COUNTER = schema_class("Counter", schema_property("number", "int"), [])
PLACE = schema_class("Place", schema_property("placeId", "uuid"), [
    schema_property("latitude", "double", default={"double": "3ff8000000000000"}),
    schema_property("map", "data", optional=True, default={"data": "00ff"})], embedded=True)
TEAM = schema_class("Team", schema_property("teamId", "int"), [
    schema_property("slug", "string", optional=True, unique=True),
    schema_property("number", "int", unique=True),
    schema_property("place", "link", linked="Place", optional=True),
    schema_property("head", "link", linked="Team", optional=True, owning=True),
    schema_property("rooms", "link", linked="Team", holds="list", owning=True),
    schema_property("members", "link", linked="Item", holds="set"),
    schema_property("badges", "data", holds="set"),
    schema_property("teams", "link", linked="Team", holds="map", optional=True, owning=True),
    schema_property("scores", "double", holds="map")])


def transaction(sequence, changes, base=None, replica=REPLICA):
    return {"replica": replica, "sequence": str(sequence), "base": base or ZERO_POINT,
            "changes": changes}


def life(sequence, replica=REPLICA):
    return {"replica": replica, "sequence": str(sequence)}


def slot(sequence, number, replica=REPLICA):
    return {**life(sequence, replica), "ordinal": str(number)}


def item(sequence, replica=REPLICA, key=UUID):
    return {"class": "Item", "key": {"uuid": key}, "life": life(sequence, replica)}


def initial(name, value, is_default=False):
    return {"property": name, "value": value, "isDefault": is_default}


def setting(named, name, value):
    return {"change": "set", "object": named, "property": name, "value": value}


def insert(named, name, value, after=None, before=None):
    return {"change": "insert", "object": named, "property": name, "after": after,
            "before": before, "value": value}


def move(named, name, element, after=None, before=None):
    return {"change": "move", "object": named, "property": name, "element": element,
            "after": after, "before": before}


def remove(named, name, element):
    return {"change": "remove", "object": named, "property": name, "element": element}


def increment(named, name, amount):
    return {"change": "increment", "object": named, "property": name, "by": str(amount)}


def set_entry(named, name, entry, value=None):
    """A map's entry, or without a value a set's element."""
    return {"change": "setEntry", "object": named, "property": name, "entry": entry,
            "value": value or {"bool": True}}


def remove_entry(named, name, entry):
    return {"change": "removeEntry", "object": named, "property": name, "entry": entry}


def create(name, key, values):
    return {"change": "create", "class": name, "key": key, "values": values}


FIRST = transaction(1, [
    {"change": "addClass", "class": ITEM}, {"change": "addClass", "class": PROJECT},
    create("Project", {"string": "inbox"}, [initial("owner", {"string": "alice"})]),
    create("Item", {"uuid": UUID}, [
        initial("body", {"string": "buy milk"}), initial("isDone", {"bool": False}, True),
        initial("project", link({"string": "inbox"}, life(1)))]),
    insert({"class": "Project", "key": {"string": "inbox"}, "life": life(1)}, "items",
           link({"uuid": UUID}, life(1)))])
BASE = {"version": "5", "salt": SALT}
TEAM_7 = {"class": "Team", "key": {"int": "7"}, "life": life(3)}
SECOND = transaction(2, [
    setting(item(1), "isDone", {"bool": True}), setting(item(1), "due", date(1_800_000_000, 0)),
    insert(item(1), "tags", {"string": "dairy"}),
    insert(item(1), "tags", {"string": "urgent"}, after=slot(2, 0))], BASE)
THIRD = transaction(3, [
    move(item(1), "tags", slot(2, 1), before=slot(2, 0)), remove(item(1), "tags", slot(2, 0)),
    {"change": "delete", "object": item(9, OTHER, UUID_2)}], {"version": "6", "salt": "00ff" * 4})

# A part in its place, and each of the changes that are no register's and no list's.
EVERY_KIND = [
    {"change": "addClass", "class": PLACE}, {"change": "addClass", "class": TEAM},
    create("Place", {"uuid": UUID}, [initial("map", {"data": "5a"})]),
    create("Team", {"int": "7"}, [initial("place", link({"uuid": UUID}, life(1)))]),
    *(change({**TEAM_7, "life": life(1)}, *rest) for change, *rest in (
        (increment, "number", 5), (set_entry, "badges", {"data": ""}),
        (set_entry, "scores", {"string": "a"}, {"double": "8000000000000000"}),
        (remove_entry, "scores", {"string": "b"}))),
    {"change": "deleteOwned", "object": {
        "class": "Place", "key": {"uuid": UUID}, "life": life(1)}}]

BODIES = [
    ("nothing changes", transaction(1, [])),
    ("a class is added", transaction(1, [{"change": "addClass", "class": ITEM}])),
    ("a class without properties, keyed by an integer",
     transaction(1, [{"change": "addClass", "class": COUNTER}])),
    ("an object is created", transaction(2, [create("Counter", {"int": "-1"}, [])])),
    ("an object is created with a value and a default",
     transaction(2, [create("Item", {"uuid": UUID}, [
         initial("body", {"string": "x"}), initial("isDone", {"bool": False}, True)])])),
    ("a value is set, of an object made by this replica earlier",
     transaction(2, [setting(item(1), "body", {"string": ""})], BASE)),
    ("a value is set, of an object made in this transaction",
     transaction(2, [setting(item(2), "body", {"null": True})], BASE)),
    ("a value is set, of an object made by another replica",
     transaction(2, [setting(item(1, OTHER), "body", {"string": "x"})], BASE)),
    ("an object is deleted", transaction(2, [{"change": "delete", "object": item(1)}], BASE)),
    ("elements are inserted at the beginning, at the end, and between",
     transaction(4, [
         insert(item(1), "tags", {"string": "a"}),
         insert(item(1), "tags", {"string": "b"}, after=slot(4, 0)),
         insert(item(1), "tags", {"string": "c"}, before=slot(2, 7)),
         insert(item(1), "tags", {"string": "d"}, slot(2, 7), slot(9, 4_294_967_295, OTHER))],
         BASE)),
    ("an element is moved", transaction(4, [
        move(item(1), "tags", slot(2, 0), after=slot(3, 1, OTHER))], BASE)),
    ("an element is removed", transaction(4, [remove(item(1), "tags", slot(2, 0))], BASE)),
    ("a class of parts is added, and one with every kind and flag",
     transaction(2, [{"change": "addClass", "class": schema} for schema in (PLACE, TEAM)])),
    ("numbers are added", transaction(4, [
        increment(item(1), "priority", 0), increment(item(1), "priority", -1),
        increment(item(2, OTHER), "priority", INT_MIN),
        increment(item(4), "priority", INT_MAX)], BASE)),
    ("elements are put into sets, and taken out", transaction(4, [
        set_entry(TEAM_7, "badges", {"data": "00"}), set_entry(TEAM_7, "badges", {"data": ""}),
        set_entry(TEAM_7, "members", link({"uuid": UUID}, life(1, OTHER))),
        remove_entry(TEAM_7, "badges", {"data": "00"}),
        remove_entry(TEAM_7, "members", link({"uuid": UUID_2}, life(4)))], BASE)),
    ("values are put under keys of maps, and taken out", transaction(4, [
        set_entry(TEAM_7, "scores", {"string": ""}, {"double": "8000000000000000"}),
        set_entry(TEAM_7, "scores", {"string": "e\u0301"}, {"double": "7ff8000000000001"}),
        set_entry(TEAM_7, "teams", {"string": "own"}, link({"int": "7"}, life(3))),
        set_entry(TEAM_7, "teams", {"string": "none"}, {"null": True}),
        remove_entry(TEAM_7, "scores", {"string": ""})], BASE)),
    ("an object is deleted, and what belonged to it unless it is another's, too",
     transaction(4, [{"change": "delete", "object": TEAM_7},
                     {"change": "deleteOwned", "object": item(1)},
                     {"change": "deleteOwned", "object": item(2, OTHER, UUID_2)}], BASE)),
    ("a value of every form is set",
     transaction(2, [setting(item(1), f"p{index}", value)
                     for index, (_, value) in enumerate(VALUES)], BASE)),
    ("the greatest numbers", transaction(
        UINT_MAX, [{"change": "delete", "object": item(UINT_MAX, OTHER)}],
        {"version": UINT_MAX, "salt": "ff" * 8}, "ff" * 8)),
    ("the first of three", FIRST), ("the second of three", SECOND), ("the third of three", THIRD)]

HEAD = [1, bytes.fromhex(REPLICA), 1, [0, bytes(8)]]


def raw(names, changes, head=None):
    return dumps((head or HEAD) + [names, changes]).hex()


BODIES_ACCEPTED = [
    ("names in another order, one unused, one twice; an explicit false; the life in full",
     raw(["unused", "isDone", "Item", "Item"],
         [[2, 2, 5, [[1, True, False]]], [4, 3, 5, [bytes.fromhex(REPLICA), 1]]]),
     transaction(1, [create("Item", {"int": "5"}, [initial("isDone", {"bool": True})]),
                     {"change": "delete",
                      "object": {"class": "Item", "key": {"int": "5"}, "life": life(1)}}])),
    ("a class that says that it is none of parts; a link without flag 1",
     raw([], [[1, ["A", ["id", 2, 0, None, None], [["b", 6, 0, None, "B"]], False]]]),
     transaction(1, [{"change": "addClass", "class": schema_class(
         "A", schema_property("id", "int"),
         [schema_property("b", "link", linked="B", optional=True)])}]))]


def raw_class(*fields):
    return raw([], [[1, ["A", ["id", 2, 0, None, None], [], *fields]]])


def raw_property(*fields):
    return raw([], [[1, ["A", ["id", 2, 0, None, None], [["x", *fields]]]]])


def raw_change(kind, *fields):
    return raw(["Item", "tags"], [[kind, 0, 5, None, *fields]])


BODIES_REFUSED = [
    ("five fields", dumps(HEAD + [[]]).hex(), "malformed"),
    ("seven fields: a body has no room for more", dumps(HEAD + [[], [], 0]).hex(), "malformed"),
    ("another format", raw([], [], [2] + HEAD[1:]), "malformed"),
    ("a replica of nine bytes", raw([], [], [1, bytes(9)] + HEAD[2:]), "malformed"),
    ("sequence zero", raw([], [], HEAD[:2] + [0, HEAD[3]]), "outOfRange"),
    ("a name behind the table", raw(["Item"], [[2, 1, 5, []]]), "outOfRange"),
    ("a name below zero", raw(["Item"], [[2, -1, 5, []]]), "outOfRange"),
    ("a name in place of its number", raw(["Item"], [[2, "Item", 5, []]]), "unexpectedType"),
    ("an unknown change", raw_change(12), "malformed"),
    ("change zero", raw(["Item"], [[0, 0, 5, []]]), "malformed"),
    ("an empty change", raw([], [[]]), "truncated"),
    ("a change with a field too many", raw(["Item"], [[4, 0, 5, None, 0]]), "malformed"),
    ("a change with a field too few", raw(["Item"], [[4, 0, 5]]), "malformed"),
    ("a null key", raw(["Item"], [[2, 0, None, []]]), "unexpectedType"),
    ("a boolean key", raw(["Item"], [[2, 0, True, []]]), "unexpectedType"),
    ("a key of 1025 bytes", raw(["Item"], [[2, 0, "k" * 1025, []]]), "tooLarge"),
    ("a life of sequence zero", raw(["Item"], [[4, 0, 5, 0]]), "outOfRange"),
    ("a life of another replica, sequence zero", raw(["Item"], [[4, 0, 5, [bytes(8), 0]]]),
     "outOfRange"),
    ("a place whose ordinal has 33 bits",
     raw(["Item", "tags"], [[5, 0, 5, None, 1, [None, 2**32], None, "x"]]), "outOfRange"),
    ("a place of three fields",
     raw(["Item", "tags"], [[5, 0, 5, None, 1, [None, 0, 0], None, "x"]]), "malformed"),
    ("an initial value of one field", raw(["Item"], [[2, 0, 5, [[0]]]]), "malformed"),
    ("an initial value of four fields", raw(["Item"], [[2, 0, 5, [[0, 1, True, 0]]]]),
     "malformed"),
    ("a class whose property has an unknown type", raw_property(9, 0, None, None), "malformed"),
    ("a class whose property has type zero", raw_property(0, 0, None, None), "malformed"),
    ("a class whose property has an unknown flag", raw_property(2, 64, None, None), "malformed"),
    ("a property that is a list and a set", raw_property(2, 6, None, None), "malformed"),
    ("a property that is a list and a map", raw_property(2, 10, None, None), "malformed"),
    ("a property that is a set and a map", raw_property(2, 12, None, None), "malformed"),
    ("a property that is all three", raw_property(6, 15 | 32, None, "B"), "malformed"),
    ("a default that is a float of four bytes",
     raw_property(7, 0, Float(4, 0x3FC00000), None), "unexpectedType"),
    ("data with a linked class", raw_property(8, 0, None, "B"), "malformed"),
    ("a class of two fields", raw([], [[1, ["A", ["id", 2, 0, None, None]]]]), "malformed"),
    ("a class of five fields", raw_class(True, True), "malformed"),
    ("a class whose fourth field is a number", raw_class(1), "unexpectedType"),
    ("an increment without its amount", raw_change(8, 1), "malformed"),
    ("an increment by a double", raw_change(8, 1, Float(8, 0x3FF0_0000_0000_0000)),
     "unexpectedType"),
    ("an increment by more than 64 bits signed", raw_change(8, 1, 2**63), "outOfRange"),
    ("an entry without its value", raw_change(9, 1, "a"), "malformed"),
    ("an entry with a field too many", raw_change(9, 1, "a", True, 0), "malformed"),
    ("an entry whose value has an unknown tag",
     raw_change(9, 1, "a", cbor2.CBORTag(32770, [])), "malformed"),
    ("a removed entry with a value", raw_change(10, 1, "a", True), "malformed"),
    ("what is owned, with a property", raw_change(11, 1), "malformed"),
    ("a link without its class", raw_property(6, 1, None, None), "malformed"),
    ("an integer with a linked class",
     raw([], [[1, ["A", ["id", 2, 0, None, "B"], []]]]), "malformed"),
    ("257 properties",
     raw([], [[1, ["A", ["id", 2, 0, None, None],
                   [[f"p{index}", 1, 0, None, None] for index in range(257)]]]]), "tooLarge"),
    ("an item behind the body", raw([], []) + "00", "trailingBytes"),
    ("half of a body", raw(["Item"], [[2, 0, 5, []]])[:40], "truncated")]


def chain():
    links, previous = [], ZERO_HASH
    for body in (pack_body(entry) for entry in (FIRST, SECOND, THIRD)):
        following = next_hash(previous, body)
        links.append({"previous": previous.hex(), "body": body.hex(), "hash": following.hex()})
        previous = following
    return links


def uploads():
    ticks = [1_799_999_999_500 << 16, (1_799_999_999_500 << 16) + 1, 2**64 - 1]
    return [(f"upload {index + 1}",
             {"body": link_["body"], "hash": link_["hash"], "clockTicks": str(ticks[index]),
               **({"standing": ("decided", "undone")[index - 1]} if index else {})})
            for index, link_ in enumerate(chain())] + [first_upload(
                "of sets, maps, parts and numbers that are added to", EVERY_KIND)]


def first_upload(name, changes):
    body = pack_body(transaction(1, changes))
    return name, {"body": body.hex(), "hash": next_hash(ZERO_HASH, body).hex(), "clockTicks": "0"}


UPLOADS_REFUSED = [
    ("two fields", dumps([b"", bytes(16)]).hex(), "malformed"),
    ("a standing of zero", dumps([b"", bytes(16), 0, 0]).hex(), "malformed"),
    ("an unknown standing", dumps([b"", bytes(16), 0, 3]).hex(), "malformed"),
    ("five fields", dumps([b"", bytes(16), 0, 1, 0]).hex(), "malformed"),
    ("a hash of 15 bytes", dumps([b"", bytes(15), 0]).hex(), "malformed"),
    ("a body that is no byte string", dumps([[], bytes(16), 0]).hex(), "unexpectedType"),
    ("ticks below zero", dumps([b"", bytes(16), -1]).hex(), "unexpectedType"),
    ("an item behind the upload", dumps([b"", bytes(16), 0]).hex() + "00", "trailingBytes"),
    ("nothing", "", "truncated")]


def part(total, offset, digits):
    return {"total": str(total), "offset": str(offset), "bytes": digits}


PARTS = {
    "about": "Parts that come in on one channel, and the wholes that they make; `limit` is what "
             "the receiver takes at most. A refused sequence is refused at its last part.",
    "accepted": [
        {"name": "one part", "limit": "8", "parts": [part(3, 0, "010203")], "wholes": ["010203"]},
        {"name": "three parts, then another whole", "limit": "8",
         "parts": [part(5, 0, "0102"), part(5, 2, "0304"), part(5, 4, "05"), part(1, 0, "ff")],
         "wholes": ["0102030405", "ff"]},
        {"name": "an empty whole", "limit": "8", "parts": [part(0, 0, "")], "wholes": [""]},
        {"name": "as long as the limit", "limit": "2", "parts": [part(2, 0, "0102")],
         "wholes": ["0102"]}],
    "refused": [
        {"name": "longer than the limit", "limit": "2", "parts": [part(3, 0, "01")]},
        {"name": "a first part that is not the first", "limit": "8", "parts": [part(3, 1, "02")]},
        {"name": "a part that is repeated", "limit": "8",
         "parts": [part(3, 0, "01"), part(3, 0, "01")]},
        {"name": "a part that is left out", "limit": "8",
         "parts": [part(4, 0, "01"), part(4, 2, "03")]},
        {"name": "another total", "limit": "8", "parts": [part(3, 0, "01"), part(4, 1, "02")]},
        {"name": "an empty part", "limit": "8", "parts": [part(3, 0, "")]},
        {"name": "more than the whole", "limit": "8", "parts": [part(1, 0, "0102")]}]}


def files():
    return {
        "transactions": {
            "about": "The body of one transaction, as in Protocol/transactions.md.",
            "vectors": entries(BODIES, pack_body), "accepted": accepted(BODIES_ACCEPTED),
            "refused": refused(BODIES_REFUSED)},
        "uploads": {
            "about": "What the parts of an upload make together, as in Protocol/transactions.md.",
            "vectors": entries(uploads(), pack_upload), "accepted": [],
            "refused": refused(UPLOADS_REFUSED)},
        "chain": {
            "about": "The hashes of three transactions of one replica: the first 16 bytes of "
                     "SHA-256 over the previous hash and the body.",
            "links": chain()},
        "parts": PARTS}
