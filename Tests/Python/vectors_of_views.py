"""Meanings of the vectors of groups, receipts and view deltas."""

import cbor2

from tarn_cbor import Float, dumps
from tarn_group import pack_delta, pack_group
from vectors_of_messages import (
    HASH, INT_MAX, INT_MIN, OTHER, UINT_MAX, UUID, VALUES, ZERO_POINT, accepted, date, entries,
    link, refused)
from vectors_of_transactions import BASE, COUNTER, ITEM, PLACE, PROJECT, TEAM, UUID_2, life, slot

LATER = {"version": "6", "salt": "00ff00ff00ff00ff"}


def key(number, value):
    return {"class": str(number), "key": value}


def content(place, value, element=None):
    return {"slot": place, "element": element or place, "value": value}


def placed(entry, behind=None):
    return {**entry, "predecessor": behind}


def arrival(named, born, is_root, properties):
    return {"object": named, "life": born, "isRoot": is_root, "properties": properties}


def delta(departures=(), arrivals=(), changes=()):
    return {"departures": list(departures), "arrivals": list(arrivals), "changes": list(changes)}


def change(named, values=(), lists=(), entries_=()):
    return {"object": named, "lists": list(lists), "entries": list(entries_),
            "values": [{"property": str(number), "value": value} for number, value in values]}


def list_change(number, vacated=(), placings=()):
    return {"property": str(number), "vacated": list(vacated), "placed": list(placings)}


def entry(name, value=None):
    return {"entry": name, "value": value or {"bool": True}}


def entries_change(number, removed=(), put=()):
    return {"property": str(number), "removed": list(removed), "set": list(put)}


WHOLE_ITEM = arrival(key(0, {"uuid": UUID}), life(1), True, [
    {"value": {"string": "buy milk"}}, {"value": {"bool": False}}, {"value": {"null": True}},
    {"value": date(1_800_000_000, 0)}, {"value": link({"string": "inbox"})},
    {"list": [content(slot(2, 0), {"string": "dairy"}),
              content(slot(3, 0, OTHER), {"string": "urgent"}, slot(2, 1))]}])
HELD_PROJECT = arrival(key(1, {"string": "inbox"}), life(1, OTHER), False, [
    {"value": {"string": "alice"}}, {"value": {"uuid": UUID}}, {"list": []}])

WHOLE_TEAM = arrival(key(2, {"int": "7"}), life(3), True, [
    {"value": {"string": "blue"}}, {"value": {"int": "-1"}}, {"value": link({"uuid": UUID_2})},
    {"value": {"null": True}}, {"list": [content(slot(3, 0), link({"int": "8"}))]},
    {"entries": [entry(link({"uuid": UUID}))]}, {"entries": []},
    {"entries": [entry({"string": ""}, link({"int": "7"})),
                 entry({"string": "none"}, {"null": True})]},
    {"entries": [entry({"string": "a"}, {"double": "8000000000000000"})]}])

DELTAS = [
    ("nothing", delta()),
    ("an object arrives, and one that it links to", delta(arrivals=[WHOLE_ITEM, HELD_PROJECT])),
    ("objects depart", delta(departures=[
        key(0, {"uuid": UUID}), key(1, {"string": ""}), key(300, {"int": INT_MIN})])),
    ("an object departs as held and arrives as a root", delta(
        [HELD_PROJECT["object"]], [{**HELD_PROJECT, "isRoot": True}])),
    ("values change", delta(changes=[change(key(0, {"uuid": UUID}), [
        (1, {"bool": True}), (3, {"null": True})])])),
    ("a list loses an element and gets one at the beginning", delta(changes=[
        change(key(0, {"uuid": UUID}), lists=[list_change(
            5, [slot(2, 0)], [placed(content(slot(7, 0), {"string": "first"}))])])])),
    ("an element is moved behind another", delta(changes=[
        change(key(0, {"uuid": UUID}), lists=[list_change(
            5, [slot(2, 0)],
            [placed(content(slot(8, 0, OTHER), {"string": "dairy"}, slot(2, 0)),
                    slot(3, 0, OTHER))])])])),
    ("all at once", delta(
        [key(0, {"uuid": UUID_2})], [HELD_PROJECT],
        [change(key(0, {"uuid": UUID}), [(0, {"string": "x"})], [
            list_change(5, [], [placed(content(slot(9, 0), {"string": "a"})),
                                placed(content(slot(9, 1), {"string": "b"}), slot(9, 0))])])])),
    ("an object with a list, sets and maps arrives", delta(arrivals=[WHOLE_TEAM])),
    ("elements of sets are put in and taken out", delta(changes=[change(
        key(2, {"int": "7"}), entries_=[
            entries_change(5, [link({"uuid": UUID})], [entry(link({"uuid": UUID_2}))]),
            entries_change(6, [], [entry({"data": ""}), entry({"data": "00"})])])])),
    ("entries of a map change, beside a value and a list", delta(changes=[change(
        key(2, {"int": "7"}), [(1, {"int": "5"})], [list_change(4, [slot(3, 0)])],
        [entries_change(7, [{"string": "none"}, {"string": ""}]),
         entries_change(8, [], [entry({"string": "a"}, {"double": "7ff8000000000001"})])])])),
    ("a value of every form", delta(arrivals=[arrival(
        key(0, {"int": "0"}), life(UINT_MAX, OTHER), True,
        [{"value": value} for _, value in VALUES])])),
    ("the greatest numbers", delta(
        [key(INT_MAX, {"int": INT_MAX})],
        changes=[change(key(0, {"int": "1"}), [], [
            list_change(0, [slot(UINT_MAX, 4_294_967_295, "ff" * 8)])])]))]

REPLICAS = [bytes(8)]



def raw_content(item):
    return dumps([REPLICAS, [], [[0, 1, 0, 1, True, [item]]], []]).hex()


def raw_entries_change(*fields):
    return dumps([[], [], [], [[0, 1, [], [], *fields]]]).hex()


DELTAS_ACCEPTED = [
    ("a change with no entries' changes", raw_entries_change([]),
     delta(changes=[change(key(0, {"int": "1"}))]))]

DELTAS_REFUSED = [
    ("three fields", dumps([[], [], []]).hex(), "malformed"),
    ("five fields", dumps([[], [], [], [], []]).hex(), "malformed"),
    ("a replica of four bytes", dumps([[bytes(4)], [], [], []]).hex(), "malformed"),
    ("a departure of three fields", dumps([[], [[0, 1, 2]], [], []]).hex(), "malformed"),
    ("a departure whose key is null", dumps([[], [[0, None]], [], []]).hex(), "unexpectedType"),
    ("a life of a replica behind the table",
     dumps([REPLICAS, [], [[0, 1, 1, 1, True, []]], []]).hex(), "outOfRange"),
    ("a life of sequence zero", dumps([REPLICAS, [], [[0, 1, 0, 0, True, []]], []]).hex(),
     "outOfRange"),
    ("a root that is a number", dumps([REPLICAS, [], [[0, 1, 0, 1, 1, []]], []]).hex(),
     "unexpectedType"),
    ("another tag", raw_content(cbor2.CBORTag(32771, [])), "malformed"),
    ("data around an array", raw_content(cbor2.CBORTag(32769, [])), "unexpectedType"),
    ("a float of two bytes", raw_content(Float(2, 0x3E00)), "unexpectedType"),
    ("an arrival's entries of an odd count", raw_content(cbor2.CBORTag(32770, ["a"])),
     "malformed"),
    ("entries that are a map", raw_content(cbor2.CBORTag(32770, {"a": True})), "unexpectedType"),
    ("a list in place of an entry's value",
     raw_content(cbor2.CBORTag(32770, ["a", cbor2.CBORTag(32768, [])])), "malformed"),
    ("a change of three fields", dumps([[], [], [], [[0, 1, []]]]).hex(), "malformed"),
    ("a change of six fields", raw_entries_change([], 0), "malformed"),
    ("entries' changes of two fields", raw_entries_change([[0, []]]), "malformed"),
    ("entries' changes of four fields", raw_entries_change([[0, [], [], []]]), "malformed"),
    ("entries' changes of an odd count", raw_entries_change([[0, [], ["a"]]]), "malformed"),
    ("a list's slot of four fields",
     dumps([REPLICAS, [], [[0, 1, 0, 1, True, [cbor2.CBORTag(32768, [[0, 1, 0, None]])]]],
            []]).hex(), "malformed"),
    ("a property without its value", dumps([[], [], [], [[0, 1, [0], []]]]).hex(), "malformed"),
    ("an ordinal of 33 bits",
     dumps([REPLICAS, [], [], [[0, 1, [], [[0, [[0, 1, 2**32]], []]]]]]).hex(), "outOfRange"),
    ("a placing of five fields",
     dumps([REPLICAS, [], [], [[0, 1, [], [[0, [], [[0, 1, 0, None, "x"]]]]]]]).hex(),
     "malformed"),
    ("an item behind the delta", dumps([[], [], [], []]).hex() + "f6", "trailingBytes"),
    ("nothing", "", "truncated")]


def group(start, end, time="1800000000000", classes=(), views=(), receipts=(), faults=()):
    return {"from": start, "to": end, "time": time, "classes": list(classes),
            "views": list(views), "receipts": list(receipts), "faults": list(faults)}


def receipt(sequence, outcome, version="6", ticks="117964799967232000"):
    return {"sequence": str(sequence), "hash": HASH, "version": version, "ticks": ticks,
            "outcome": outcome}


def override(reason, name="isDone", user=None, value=None):
    winner = None if user is None else {"user": user, "value": value}
    return {"class": "Item", "key": {"uuid": UUID}, "property": name, "reason": reason,
            "winner": winner}


def view(number, is_full, content_):
    return {"subscription": str(number), "isFull": is_full, "delta": pack_delta(content_).hex()}


ACCEPTED = {"kind": "accepted"}
GROUPS = [
    ("nothing new", group(ZERO_POINT, ZERO_POINT)),
    ("the first download", group(
        ZERO_POINT, BASE,
        classes=[{"number": "0", "class": ITEM}, {"number": "1", "class": PROJECT}],
        views=[view(1, True, delta(arrivals=[WHOLE_ITEM, HELD_PROJECT]))])),
    ("changes of two views", group(BASE, LATER, views=[
        view(1, False, DELTAS[4][1]), view("-9", False, DELTAS[2][1])])),
    ("classes of every kind of property", group(
        BASE, LATER, classes=[{"number": "2", "class": TEAM}, {"number": "3", "class": PLACE}],
        views=[view(1, True, delta(arrivals=[WHOLE_TEAM]))])),
    ("a class that has grown", group(BASE, LATER, classes=[{"number": "255", "class": COUNTER}])),
    ("receipts of every outcome", group(BASE, LATER, receipts=[
        receipt(1, ACCEPTED),
        receipt(2, {"kind": "overridden", "overrides": [
            override("objectDeleted", None), override("laterValue"), override("elementGone"),
            override("targetDeleted"), override("ownerDeleted", None),
            override("valueIsNull")]}),
        receipt(3, {"kind": "overridden", "overrides": [
            override("objectDeleted", None, "bob"), override("laterValue", "isDone", ""),
            override("laterValue", "due", "bob", date(0, 0)),
            override("valueIsNull", "priority", "bob", {"null": True})]}),
        *[receipt(4 + index, {"kind": "refused", "code": code, "sentence": "Why."})
          for index, code in enumerate(
              ("schemaConflict", "unknownName", "wrongType", "dependsOnRefused", "tooLarge",
               "notUnique", "heldTwice", "refusedBefore"))],
        receipt(11, {"kind": "parked", "creator": {"replica": "00" * 7 + "09", "sequence": "4"},
                    "sentence": "Why."}),
        receipt(UINT_MAX, ACCEPTED, UINT_MAX, UINT_MAX)])),
    ("a subscription that cannot be answered", group(BASE, BASE, time="-1", faults=[
        {"subscription": "2", "sentence": "There is no class Itm. Is it Item?"}])),
    ("one of a series", {
        **group(BASE, LATER, views=[view(1, True, delta(arrivals=[WHOLE_ITEM]))]),
        "progress": {"cursor": "8000", "done": "1000", "total": UINT_MAX}}),
    ("buckets that are replaced", group(BASE, LATER, views=[
        {**view(1, False, delta(arrivals=[WHOLE_ITEM])), "buckets": "0180"}]))]

POINTS = [[0, bytes(8)], [0, bytes(8)], 0]


def with_receipt(item):
    return dumps(POINTS + [[], [], [item], []]).hex()


GROUPS_REFUSED = [
    ("six fields", dumps(POINTS + [[], [], []]).hex(), "malformed"),
    ("a progress of no fields", dumps(POINTS + [[], [], [], [], []]).hex(), "malformed"),
    ("nine fields: a group has no room for more",
     dumps(POINTS + [[], [], [], [], [b"", 0, 0], []]).hex(), "malformed"),
    ("three bytes of buckets",
     dumps(POINTS + [[], [[1, bytes(3), dumps([[], [], [], []])]], [], []]).hex(), "malformed"),
    ("a point without its salt", dumps([[0]] + POINTS[1:] + [[], [], [], []]).hex(), "malformed"),
    ("a view whose delta is an array", dumps(POINTS + [[], [[1, True, []]], [], []]).hex(),
     "unexpectedType"),
    ("a receipt of four fields", with_receipt([1, bytes(16), 1, 1]), "malformed"),
    ("a receipt with a hash of eight bytes", with_receipt([1, bytes(8), 1, 1, [0]]), "malformed"),
    ("an unknown outcome", with_receipt([1, bytes(16), 1, 1, [4, [bytes(8), 1], "x"]]),
     "malformed"),
    ("a parking without its creator", with_receipt([1, bytes(16), 1, 1, [3, "x"]]), "malformed"),
    ("a parking whose creator has sequence zero",
     with_receipt([1, bytes(16), 1, 1, [3, [bytes(8), 0], "x"]]), "outOfRange"),
    ("an acceptance with a field", with_receipt([1, bytes(16), 1, 1, [0, 0]]), "malformed"),
    ("an override for an unknown reason",
     with_receipt([1, bytes(16), 1, 1, [1, [["A", 1, None, 7]]]]), "malformed"),
    ("an override of three fields",
     with_receipt([1, bytes(16), 1, 1, [1, [["A", 1, None]]]]), "malformed"),
    ("an override of seven fields",
     with_receipt([1, bytes(16), 1, 1, [1, [["A", 1, None, 2, "bob", 1, 1]]]]), "malformed"),
    ("an override whose winner is null",
     with_receipt([1, bytes(16), 1, 1, [1, [["A", 1, None, 2, None]]]]), "unexpectedType"),
    ("a refusal for an unknown reason", with_receipt([1, bytes(16), 1, 1, [2, 9, "x"]]),
     "malformed"),
    ("a fault without a sentence", dumps(POINTS + [[], [], [], [[1, None]]]).hex(),
     "unexpectedType"),
    ("an item behind the group", dumps(POINTS + [[], [], [], []]).hex() + "00", "trailingBytes"),
    ("nothing", "", "truncated")]


def files():
    return {
        "deltas": {
            "about": "What happened to one view, as in Protocol/groups.md.",
            "vectors": entries(DELTAS, pack_delta), "accepted": accepted(DELTAS_ACCEPTED),
            "refused": refused(DELTAS_REFUSED)},
        "groups": {
            "about": "What the parts of a group make together, as in Protocol/groups.md; the delta "
                     "of a view is itself in `deltas.json`'s form.",
            "vectors": entries(GROUPS, pack_group), "accepted": [],
            "refused": refused(GROUPS_REFUSED)}}
