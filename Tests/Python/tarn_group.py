"""Groups and view deltas, from Protocol/groups.md."""

import cbor2

from tarn_cbor import dumps, loads
from tarn_forms import (
    array, boolean, check, octets, optional, ordinal, pack_class, pack_point, pack_replica,
    pack_transaction, pack_value, positive, read_class, read_key, read_point, read_replica,
    read_transaction, read_value, signed, text, unsigned)

LIST_TAG, ENTRIES_TAG = 32768, 32770
REASONS = {1: "objectDeleted", 2: "laterValue", 3: "elementGone", 4: "targetDeleted",
           5: "ownerDeleted", 6: "valueIsNull"}
REFUSALS = {1: "schemaConflict", 2: "unknownName", 3: "wrongType", 4: "dependsOnRefused",
            5: "tooLarge", 6: "notUnique", 7: "heldTwice", 8: "refusedBefore"}


def number_of(table, name):
    return next(number for number, entry in table.items() if entry == name)


# Receipts.


def pack_outcome(outcome):
    if outcome["kind"] == "accepted":
        return [0]
    if outcome["kind"] == "refused":
        return [2, number_of(REFUSALS, outcome["code"]), outcome["sentence"]]
    if outcome["kind"] == "parked":
        return [3, pack_transaction(outcome["creator"]), outcome["sentence"]]
    return [1, [pack_override(entry) for entry in outcome["overrides"]]]


def pack_override(entry):
    fields = [entry["class"], pack_value(entry["key"]), entry["property"],
              number_of(REASONS, entry["reason"])]
    winner = entry["winner"]
    if winner is None:
        return fields
    fields.append(winner["user"])
    return fields if winner["value"] is None else fields + [pack_value(winner["value"])]


def read_outcome(item):
    kind = unsigned(array(item)[0]) if item else ""
    check((kind, len(item)) in (("0", 1), ("1", 2), ("2", 3), ("3", 3)), "no outcome")
    if kind == "0":
        return {"kind": "accepted"}
    if kind == "2":
        code = int(unsigned(item[1]))
        check(code in REFUSALS, "an unknown reason")
        return {"kind": "refused", "code": REFUSALS[code], "sentence": text(item[2])}
    if kind == "3":
        return {"kind": "parked", "creator": read_transaction(item[1]), "sentence": text(item[2])}
    return {"kind": "overridden", "overrides": [read_override(entry) for entry in array(item[1])]}


def read_override(entry):
    check(len(array(entry)) in (4, 5, 6), "an override has four to six fields")
    reason = int(unsigned(entry[3]))
    check(reason in REASONS, "an unknown reason")
    winner = None
    if len(entry) > 4:
        # No value is not the value null.
        value = read_value(entry[5]) if len(entry) == 6 else None
        winner = {"user": text(entry[4]), "value": value}
    return {"class": text(entry[0]), "key": read_key(entry[1]),
            "property": optional(text, entry[2]), "reason": REASONS[reason], "winner": winner}


def pack_receipt(receipt):
    return [int(receipt["sequence"]), bytes.fromhex(receipt["hash"]), int(receipt["version"]),
            int(receipt["ticks"]), pack_outcome(receipt["outcome"])]


def read_receipt(item):
    array(item, 5)
    return {"sequence": unsigned(item[0]), "hash": octets(item[1], 16),
            "version": unsigned(item[2]), "ticks": unsigned(item[3]),
            "outcome": read_outcome(item[4])}


# Groups.


def pack_group(group):
    progress = group.get("progress")
    more = [[bytes.fromhex(progress["cursor"]), int(progress["done"]),
             int(progress["total"])]] if progress else []
    return dumps([
        pack_point(group["from"]), pack_point(group["to"]), int(group["time"]),
        [[int(entry["number"]), pack_class(entry["class"])] for entry in group["classes"]],
        [[int(view["subscription"]), pack_replaced(view), bytes.fromhex(view["delta"])]
         for view in group["views"]],
        [pack_receipt(receipt) for receipt in group["receipts"]],
        [[int(fault["subscription"]), fault["sentence"]] for fault in group["faults"]]] + more)


def pack_replaced(view):
    return bytes.fromhex(view["buckets"]) if "buckets" in view else view["isFull"]


def read_replaced(item):
    if not isinstance(item, bytes):
        return {"isFull": boolean(item)}
    check(len(item) in (1 << power for power in range(10)), "no number of buckets")
    return {"isFull": False, "buckets": item.hex()}


def read_progress(item):
    array(item, 3)
    return {"cursor": octets(item[0]), "done": unsigned(item[1]), "total": unsigned(item[2])}


def read_group(data):
    item = array(loads(data))
    check(len(item) in (7, 8), "a group of another length")
    progress = {"progress": read_progress(item[7])} if len(item) == 8 else {}
    return progress | {
        "from": read_point(item[0]), "to": read_point(item[1]), "time": signed(item[2]),
        "classes": [{"number": signed(array(entry, 2)[0]), "class": read_class(entry[1])}
                    for entry in array(item[3])],
        "views": [{"subscription": signed(array(view, 3)[0]), **read_replaced(view[1]),
                   "delta": octets(view[2])} for view in array(item[4])],
        "receipts": [read_receipt(receipt) for receipt in array(item[5])],
        "faults": [{"subscription": signed(array(fault, 2)[0]), "sentence": text(fault[1])}
                   for fault in array(item[6])]}


# View deltas.


def pack_entries(entries):
    return [pack_value(part) for entry in entries for part in (entry["entry"], entry["value"])]


def read_entries(item):
    check(len(array(item)) % 2 == 0, "an entry without a value")
    return [{"entry": read_value(item[index]), "value": read_value(item[index + 1])}
            for index in range(0, len(item), 2)]


class DeltaWriter:
    """Writes one delta; replicas are numbered in the order of their first use."""

    def __init__(self):
        self.replicas = []

    def delta(self, delta):
        departures = [self.object(entry) for entry in delta["departures"]]
        arrivals = [self.arrival(entry) for entry in delta["arrivals"]]
        changes = [self.change(entry) for entry in delta["changes"]]
        table = [pack_replica(replica) for replica in self.replicas]
        return dumps([table, departures, arrivals, changes])

    def object(self, entry):
        return [int(entry["class"]), pack_value(entry["key"])]

    def transaction(self, entry):
        if entry["replica"] not in self.replicas:
            self.replicas.append(entry["replica"])
        return [self.replicas.index(entry["replica"]), int(entry["sequence"])]

    def slot(self, entry):
        return self.transaction(entry) + [int(entry["ordinal"])]

    def content(self, entry):
        own = entry["element"] == entry["slot"]
        slot = self.slot(entry["slot"])
        return slot + [None if own else self.slot(entry["element"]), pack_value(entry["value"])]

    def arrival(self, entry):
        head = self.object(entry["object"]) + self.transaction(entry["life"]) + [entry["isRoot"]]
        properties = []
        for content in entry["properties"]:
            if "value" in content:
                properties.append(pack_value(content["value"]))
            elif "entries" in content:
                pairs = pack_entries(content["entries"])
                properties.append(cbor2.CBORTag(ENTRIES_TAG, pairs))
            else:
                slots = [self.content(slot) for slot in content["list"]]
                properties.append(cbor2.CBORTag(LIST_TAG, slots))
        return head + [properties]

    def change(self, entry):
        values = []
        for value in entry["values"]:
            values += [int(value["property"]), pack_value(value["value"])]
        lists = []
        for change in entry["lists"]:
            vacated = [self.slot(slot) for slot in change["vacated"]]
            placed = []
            for slot in change["placed"]:
                content = self.content(slot)
                behind = slot["predecessor"]
                placed.append(content + [None if behind is None else self.slot(behind)])
            lists.append([int(change["property"]), vacated, placed])
        fields = self.object(entry["object"]) + [values, lists]
        if not entry["entries"]:
            return fields
        return fields + [[[int(change["property"]),
                           [pack_value(gone) for gone in change["removed"]],
                           pack_entries(change["set"])] for change in entry["entries"]]]


def pack_delta(delta):
    return DeltaWriter().delta(delta)


class DeltaReader:
    """Reads one delta, from bytes that may be anybody's."""

    def read(self, data):
        item = array(loads(data), 4)
        self.replicas = [read_replica(replica) for replica in array(item[0])]
        return {"departures": [self.object(array(entry, 2)) for entry in array(item[1])],
                "arrivals": [self.arrival(entry) for entry in array(item[2])],
                "changes": [self.change(entry) for entry in array(item[3])]}

    def object(self, items):
        return {"class": signed(items[0]), "key": read_key(items[1])}

    def transaction(self, items):
        index = int(unsigned(items[0]))
        check(index < len(self.replicas), "a replica that is not in the table")
        return {"replica": self.replicas[index], "sequence": positive(items[1])}

    def slot(self, items):
        return {**self.transaction(items[:2]), "ordinal": ordinal(items[2])}

    def content(self, items):
        slot = self.slot(items[:3])
        element = slot if items[3] is None else self.slot(array(items[3], 3))
        return {"slot": slot, "element": element, "value": read_value(items[4])}

    def arrival(self, item):
        array(item, 6)
        return {"object": self.object(item[:2]), "life": self.transaction(item[2:4]),
                "isRoot": boolean(item[4]),
                "properties": [self.property(content) for content in array(item[5])]}

    def property(self, item):
        tag = item.tag if isinstance(item, cbor2.CBORTag) else None
        if tag == LIST_TAG:
            return {"list": [self.content(array(slot, 5)) for slot in array(item.value)]}
        if tag == ENTRIES_TAG:
            return {"entries": read_entries(item.value)}
        return {"value": read_value(item)}

    def change(self, item):
        check(len(array(item)) in (4, 5), "a change has four or five fields")
        pairs = array(item[2])
        check(len(pairs) % 2 == 0, "a property without a value")
        values = [{"property": signed(pairs[index]), "value": read_value(pairs[index + 1])}
                  for index in range(0, len(pairs), 2)]
        return {"object": self.object(item[:2]), "values": values,
                "lists": [self.list(entry) for entry in array(item[3])],
                "entries": [self.entries(entry) for entry in array(item[4])]
                if len(item) == 5 else []}

    def entries(self, item):
        array(item, 3)
        return {"property": signed(item[0]),
                "removed": [read_value(gone) for gone in array(item[1])],
                "set": read_entries(item[2])}

    def list(self, item):
        array(item, 3)
        placed = []
        for entry in array(item[2]):
            array(entry, 6)
            behind = None if entry[5] is None else self.slot(array(entry[5], 3))
            placed.append({**self.content(entry[:5]), "predecessor": behind})
        return {"property": signed(item[0]),
                "vacated": [self.slot(array(slot, 3)) for slot in array(item[1])],
                "placed": placed}


def read_delta(data):
    return DeltaReader().read(data)
