"""Meanings of the vectors of transactions: bodies, the chain of hashes, uploads, parts."""

from tarn_cbor import dumps
from tarn_transaction import ZERO_HASH, next_hash, pack_body, pack_upload
from vectors_of_messages import (
    OTHER, REPLICA, SALT, UINT_MAX, UUID, VALUES, ZERO_POINT, accepted, date, entries, link,
    refused)

UUID_2 = "01890a5d-ac97-7000-8000-000000000002"


def schema_property(name, kind, linked=None, optional=False, is_list=False, default=None):
    return {"name": name, "type": kind, "linkedClass": linked, "isOptional": optional,
            "isList": is_list, "default": default or {"null": True}}


ITEM = {
    "name": "Item", "primaryKey": schema_property("itemId", "uuid"),
    "properties": [
        schema_property("body", "string", default={"string": "untitled"}),
        schema_property("isDone", "bool"),
        schema_property("priority", "int", optional=True),
        schema_property("due", "date", optional=True),
        schema_property("project", "link", linked="Project", optional=True),
        schema_property("tags", "string", is_list=True)]}
PROJECT = {
    "name": "Project", "primaryKey": schema_property("name", "string"),
    "properties": [
        schema_property("owner", "string"),
        schema_property("token", "uuid", optional=True),
        schema_property("items", "link", linked="Item", is_list=True)]}
COUNTER = {"name": "Counter", "primaryKey": schema_property("number", "int"), "properties": []}


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
SECOND = transaction(2, [
    setting(item(1), "isDone", {"bool": True}), setting(item(1), "due", date(1_800_000_000, 0)),
    insert(item(1), "tags", {"string": "dairy"}),
    insert(item(1), "tags", {"string": "urgent"}, after=slot(2, 0))], BASE)
THIRD = transaction(3, [
    move(item(1), "tags", slot(2, 1), before=slot(2, 0)), remove(item(1), "tags", slot(2, 0)),
    {"change": "delete", "object": item(9, OTHER, UUID_2)}], {"version": "6", "salt": "00ff" * 4})

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
                      "object": {"class": "Item", "key": {"int": "5"}, "life": life(1)}}]))]

BODIES_REFUSED = [
    ("five fields", dumps(HEAD + [[]]).hex(), "malformed"),
    ("seven fields: a body has no room for more", dumps(HEAD + [[], [], 0]).hex(), "malformed"),
    ("another format", raw([], [], [2] + HEAD[1:]), "malformed"),
    ("a replica of nine bytes", raw([], [], [1, bytes(9)] + HEAD[2:]), "malformed"),
    ("sequence zero", raw([], [], HEAD[:2] + [0, HEAD[3]]), "outOfRange"),
    ("a name behind the table", raw(["Item"], [[2, 1, 5, []]]), "outOfRange"),
    ("a name below zero", raw(["Item"], [[2, -1, 5, []]]), "outOfRange"),
    ("a name in place of its number", raw(["Item"], [[2, "Item", 5, []]]), "unexpectedType"),
    ("an unknown change", raw(["Item"], [[8, 0, 5, []]]), "malformed"),
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
    ("a class whose property has an unknown type",
     raw([], [[1, ["A", ["id", 2, 0, None, None], [["x", 7, 0, None, None]]]]]), "malformed"),
    ("a class whose property has an unknown flag",
     raw([], [[1, ["A", ["id", 2, 4, None, None], []]]]), "malformed"),
    ("a link without its class",
     raw([], [[1, ["A", ["id", 2, 0, None, None], [["x", 6, 1, None, None]]]]]), "malformed"),
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
             {"body": link_["body"], "hash": link_["hash"], "clockTicks": str(ticks[index])})
            for index, link_ in enumerate(chain())]


UPLOADS_REFUSED = [
    ("two fields", dumps([b"", bytes(16)]).hex(), "malformed"),
    ("four fields", dumps([b"", bytes(16), 0, 0]).hex(), "malformed"),
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
