"""What a replica holds and how groups change it, from Protocol/groups.md. It folds no unsent work
in: it shows what the server says, and keeps its own transactions until their receipts come."""

import os

from tarn_cbor import Malformed
from tarn_forms import check
from tarn_group import read_delta
from tarn_transaction import ZERO_HASH, next_hash, pack_body, pack_upload

ZERO_POINT = {"version": "0", "salt": "00" * 8}


def frozen(value):
    """A key or slot as something that a dictionary can be asked for."""
    return tuple(sorted((name, str(part)) for name, part in value.items()))


class Object:
    """One object that the server sent."""

    def __init__(self, schema, arrival):
        self.life = arrival["life"]
        self.values = {}
        self.lists = {}
        contents = arrival["properties"]
        check(len(contents) <= len(schema["properties"]), "more contents than properties")
        for index, entry in enumerate(schema["properties"]):
            content = contents[index] if index < len(contents) else None
            if entry["isList"]:
                check(content is None or "list" in content, "a list was expected")
                self.lists[entry["name"]] = list(content["list"]) if content else []
            else:
                check(content is None or "value" in content, "a value was expected")
                self.values[entry["name"]] = content["value"] if content else entry["default"]

    def change(self, schema, change):
        for entry in change["values"]:
            named = schema["properties"][int(entry["property"])]
            check(not named["isList"], "a list is not set")
            self.values[named["name"]] = entry["value"]
        for entry in change["lists"]:
            named = schema["properties"][int(entry["property"])]
            check(named["isList"], "only a list changes so")
            self.lists[named["name"]] = changed(self.lists[named["name"]], entry)

    def elements(self, name):
        return [content["value"] for content in self.lists[name]]


def changed(contents, change):
    """A list after a change of it."""
    gone = {frozen(slot) for slot in change["vacated"]}
    contents = [content for content in contents if frozen(content["slot"]) not in gone]
    for placing in change["placed"]:
        slot = frozen(placing["slot"])
        contents = [content for content in contents if frozen(content["slot"]) != slot]
        index = 0
        if placing["predecessor"] is not None:
            behind = frozen(placing["predecessor"])
            slots = [frozen(content["slot"]) for content in contents]
            check(behind in slots, "a predecessor that is not there")
            index = slots.index(behind) + 1
        contents.insert(index, {name: placing[name] for name in ("slot", "element", "value")})
    return contents


class Replica:
    """One replica of one realm. It outlives connections."""

    def __init__(self, realm):
        self.realm = realm
        self.id = os.urandom(8).hex()
        self.point = ZERO_POINT
        self.sequence = 0
        self.hash = ZERO_HASH
        self.acknowledged = 0
        self.acknowledged_hash = ZERO_HASH
        self.outbox = {}
        self.receipts = {}
        self.classes = {}
        self.objects = {}
        self.members = {}
        self.faults = {}

    def write(self, changes, clock, base=None):
        """Seals a transaction into the outbox and answers its sequence."""
        self.sequence += 1
        body = pack_body({"replica": self.id, "sequence": str(self.sequence),
                          "base": base or self.point, "changes": changes})
        self.hash = next_hash(self.hash, body)
        self.outbox[self.sequence] = {"body": body.hex(), "hash": self.hash.hex(),
                                      "clockTicks": str(clock << 16)}
        return self.sequence

    def sealed(self, sequence):
        return pack_upload(self.outbox[sequence])

    def begin(self):
        """A realm is opened: the dictionary begins empty."""
        self.classes = {}

    def verify(self, opened):
        """Whether the server's memory of this replica is its own."""
        known = int(opened["sequence"])
        check(self.acknowledged <= known <= self.sequence, "a fork or a rewind")
        if known == self.acknowledged:
            own = self.acknowledged_hash.hex()
        else:
            own = self.outbox[known]["hash"]
        check(own == opened["hash"], "a fork")
        return known

    def integrate(self, group):
        check(group["from"] == self.point, "the group does not begin where the replica stands")
        check(int(group["to"]["version"]) >= int(self.point["version"]), "a group goes back")
        for entry in group["classes"]:
            self.classes[entry["number"]] = entry["class"]
        for receipt in group["receipts"]:
            self.take(receipt)
        for view in group["views"]:
            self.apply(view, read_delta(bytes.fromhex(view["delta"])))
        for fault in group["faults"]:
            self.faults[fault["subscription"]] = fault["sentence"]
            self.members[fault["subscription"]] = {}
        held = set().union(*self.members.values()) if self.members else set()
        self.objects = {name: value for name, value in self.objects.items() if name in held}
        self.point = group["to"]

    def take(self, receipt):
        sequence = int(receipt["sequence"])
        check(sequence == self.acknowledged + 1, "a receipt that is not the next one")
        entry = self.outbox.get(sequence)
        if entry is None or entry["hash"] != receipt["hash"]:
            raise Malformed("a receipt of another replica's work")
        del self.outbox[sequence]
        self.acknowledged, self.acknowledged_hash = sequence, bytes.fromhex(receipt["hash"])
        self.receipts[sequence] = receipt

    def apply(self, view, delta):
        number = view["subscription"]
        members = {} if view["isFull"] else self.members[number]
        for departure in delta["departures"]:
            members.pop(self.name(departure), None)
        for arrival in delta["arrivals"]:
            name = self.name(arrival["object"])
            self.objects[name] = Object(self.classes[arrival["object"]["class"]], arrival)
            members[name] = arrival["isRoot"]
        self.members[number] = members
        self.faults.pop(number, None)
        for change in delta["changes"]:
            name = self.name(change["object"])
            check(name in self.objects, "a change of an object that is not here")
            self.objects[name].change(self.classes[change["object"]["class"]], change)

    def name(self, entry):
        check(entry["class"] in self.classes, "a class that is not in the dictionary")
        return self.classes[entry["class"]]["name"], frozen(entry["key"])

    def object(self, class_name, key):
        return self.objects.get((class_name, frozen(key)))
