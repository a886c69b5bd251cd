"""What a replica holds and how groups change it, from Protocol/groups.md. It folds no unsent work
in: it shows what the server says, and keeps its own transactions until their receipts come."""

import dataclasses
import json
import os

from tarn_cbor import Malformed
from tarn_digest import bucket_count, bucket_of, digest_of, marked
from tarn_fork import reissued
from tarn_forms import check
from tarn_group import read_delta
from tarn_transaction import ZERO_HASH, next_hash, pack_body, pack_upload

ZERO_POINT = {"version": "0", "salt": "00" * 8}


def frozen(value):
    """A key or slot as something that a dictionary can be asked for."""
    return tuple(sorted((name, str(part)) for name, part in value.items()))


def hashable(value):
    """Any value in that way."""
    return json.dumps(value, sort_keys=True)


def zero_value(schema):
    """What an object has of a property that nobody said anything of."""
    if schema["default"] != {"null": True} or schema["isOptional"]:
        return schema["default"]
    return {"bool": {"bool": False}, "int": {"int": "0"}, "string": {"string": ""},
            "uuid": {"uuid": "00000000-0000-0000-0000-000000000000"},
            "date": {"date": {"seconds": "0", "nanoseconds": "0"}},
            "double": {"double": "0" * 16}, "data": {"data": ""}}[schema["type"]]


def accepted(schema, value):
    """A value that is of its property's type."""
    kind = next(iter(value))
    may_be_null = schema["isOptional"] and schema["kind"] in ("value", "map")
    check(kind == schema["type"] or kind == "null" and may_be_null, "a value of another type")
    return value


def accepted_entry(schema, entry):
    """An entry of a set, which holds true, or of a map, which has a text for its key."""
    if schema["kind"] == "set":
        accepted(schema, entry["entry"])
        check(entry["value"] == {"bool": True}, "a set's entry holds true")
    else:
        check("string" in entry["entry"], "a map's entry is a text")
        accepted(schema, entry["value"])
    return hashable(entry["entry"])


def property_at(schema, entry):
    index = int(entry["property"])
    check(0 <= index < len(schema["properties"]), "a property that is not in the dictionary")
    return schema["properties"][index]


class Object:
    """One object that the server sent."""

    def __init__(self, schema, arrival):
        self.life = arrival["life"]
        self.values = {}
        self.lists = {}
        self.entries = {}
        contents = arrival["properties"]
        check(len(contents) <= len(schema["properties"]), "more contents than properties")
        for entry, content in zip(schema["properties"], contents):
            self.fill(entry, content)
        self.grow(schema)

    def fill(self, entry, content):
        name = entry["name"]
        if entry["kind"] in ("set", "map"):
            check("entries" in content, "entries were expected")
            self.entries[name] = {
                accepted_entry(entry, one): one["value"] for one in content["entries"]}
        elif entry["kind"] == "list":
            check("list" in content, "a list was expected")
            for element in content["list"]:
                accepted(entry, element["value"])
            self.lists[name] = list(content["list"])
        else:
            check("value" in content, "a value was expected")
            self.values[name] = accepted(entry, content["value"])

    def grow(self, schema):
        """What nothing was said of has its default, or is empty."""
        for entry in schema["properties"]:
            if entry["kind"] in ("set", "map"):
                self.entries.setdefault(entry["name"], {})
            elif entry["kind"] == "list":
                self.lists.setdefault(entry["name"], [])
            else:
                self.values.setdefault(entry["name"], zero_value(entry))

    def change(self, schema, change):
        for entry in change["values"]:
            named = property_at(schema, entry)
            check(named["kind"] == "value", "a collection is not set")
            self.values[named["name"]] = accepted(named, entry["value"])
        for entry in change["lists"]:
            named = property_at(schema, entry)
            check(named["kind"] == "list", "only a list changes so")
            for placing in entry["placed"]:
                accepted(named, placing["value"])
            self.lists[named["name"]] = changed(self.lists[named["name"]], entry)
        for entry in change["entries"]:
            named = property_at(schema, entry)
            check(named["kind"] in ("set", "map"), "only a set or a map changes so")
            held = self.entries[named["name"]]
            for gone in entry["removed"]:
                held.pop(hashable(gone), None)
            for put in entry["set"]:
                held[accepted_entry(named, put)] = put["value"]

    def elements(self, name):
        return [content["value"] for content in self.lists[name]]

    def members(self, name):
        """A set's elements, in no order that means anything."""
        return sorted((json.loads(entry) for entry in self.entries[name]), key=hashable)

    def mapping(self, name):
        """A map by its keys."""
        return {json.loads(entry)["string"]: value for entry, value in self.entries[name].items()}

    def pairs(self, name):
        """The entries of a set or map with their values, in no order."""
        return [{"entry": json.loads(entry), "value": value}
                for entry, value in self.entries[name].items()]

    def is_initial(self, schema):
        """Whether it has of a property what it would have if nobody had said anything."""
        name = schema["name"]
        if schema["kind"] == "value":
            return self.values[name] == zero_value(schema)
        return not (self.lists if schema["kind"] == "list" else self.entries)[name]

    def contents(self):
        return self.values, self.lists, self.entries


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


def named(classes, entry):
    """The name of an object that a delta speaks of."""
    check(entry["class"] in classes, "a class that is not in the dictionary")
    schema = classes[entry["class"]]
    accepted(schema["primaryKey"], entry["key"])
    return schema["name"], frozen(entry["key"])


@dataclasses.dataclass
class Staged:
    """A group that is stored, with what the numbers in it mean: those of its connection."""

    group: dict
    classes: dict
    meanings: dict


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
        # By number, the query with its arguments and depth; and the buckets of the digest told.
        self.subscribed = {}
        self.told = {}
        # The groups of a series that has not ended, and the classes as the replica shows them.
        self.staged = []
        self.schemas = {}
        self.realm_id = None
        self.common = None

    def write(self, changes, clock, base=None):
        """Seals a transaction into the outbox and answers its sequence."""
        self.sequence += 1
        body = pack_body({"replica": self.id, "sequence": str(self.sequence),
                          "base": base or self.point, "changes": changes})
        self.hash = next_hash(self.hash, body)
        self.outbox[self.sequence] = {"body": body.hex(), "hash": self.hash.hex(),
                                      "clockTicks": str(clock << 16)}
        return self.sequence

    def fork(self):
        """Takes another id, and what is undecided along under it."""
        old, self.id = self.id, os.urandom(8).hex()
        self.outbox, self.hash = reissued(self.outbox, old, self.id)
        self.sequence = len(self.outbox)
        self.acknowledged, self.acknowledged_hash, self.receipts = 0, ZERO_HASH, {}
        self.staged = []

    def sealed(self, sequence):
        return pack_upload(self.outbox[sequence])

    def begin(self, goes_on):
        """A realm is opened: the dictionary begins empty, and nothing is subscribed to."""
        check(self.staged or not goes_on, "nothing was staged that could go on")
        self.classes, self.subscribed, self.told = {}, {}, {}
        if not goes_on:
            self.staged = []

    def place(self):
        """How far it has staged a series, for the next open; None for not at all."""
        if not self.staged:
            return None
        group = self.staged[-1].group
        return {"point": group["to"], "cursor": group["progress"]["cursor"]}

    def subscribe(self, number, query, arguments, depth):
        meaning = hashable([query, arguments, depth])
        check(all(staged.meanings.get(number, meaning) == meaning for staged in self.staged),
              "a number that is another subscription's in what is staged")
        self.subscribed[number] = meaning

    def digest(self, number, count=None):
        """What the server has sent of a subscription: what is staged does not count."""
        members = self.members.get(number, {})
        count = count or bucket_count(len(members))
        sums = digest_of(members, self.objects, self.schemas, count)
        self.told[number] = len(sums) // 8
        return sums.hex()

    def give_up(self, number):
        self.subscribed.pop(number, None)
        self.members.pop(number, None)
        self.faults.pop(number, None)

    def verify(self, opened):
        """Whether the server's memory of this replica is its own."""
        check(self.realm_id in (None, opened["realm"]), "the name is another realm's now")
        self.realm_id = opened["realm"]
        known = int(opened["sequence"])
        check(self.acknowledged <= known <= self.sequence, "a fork or a rewind")
        if known == self.acknowledged:
            own = self.acknowledged_hash.hex()
        else:
            own = self.outbox[known]["hash"]
        check(own == opened["hash"], "a fork")
        return known

    def receive(self, group):
        """Stores a group. With the last one of a series all of it is applied: whether it was."""
        stands = self.staged[-1].group["to"] if self.staged else self.point
        check(group["from"] == stands, "the group does not begin where the replica stands")
        check(int(group["to"]["version"]) >= int(stands["version"]), "a group goes back")
        for entry in group["classes"]:
            self.classes[entry["number"]] = entry["class"]
        self.staged.append(Staged(group, dict(self.classes), dict(self.subscribed)))
        if "progress" in group:
            check(not group["receipts"] and not group["faults"], "only the last group has these")
            return False
        self.integrate(group)
        return True

    def integrate(self, last):
        for staged in self.staged:
            for entry in staged.group["classes"]:
                self.learn(entry["class"])
            for view in staged.group["views"]:
                number = view["subscription"]
                # What was given up may still be spoken of.
                if self.subscribed.get(number, "") == staged.meanings.get(number):
                    delta = read_delta(bytes.fromhex(view["delta"]))
                    self.apply(number, view, delta, staged.classes)
        for receipt in last["receipts"]:
            self.take(receipt)
        for fault in last["faults"]:
            if fault["subscription"] in self.subscribed:
                self.faults[fault["subscription"]] = fault["sentence"]
                self.members[fault["subscription"]] = {}
        held = set().union(*self.members.values()) if self.members else set()
        self.objects = {name: value for name, value in self.objects.items() if name in held}
        self.point, self.staged = last["to"], []

    def learn(self, schema):
        """A class comes, perhaps with more properties than the objects have that are here."""
        self.schemas[schema["name"]] = schema
        for name, value in self.objects.items():
            if name[0] == schema["name"]:
                value.grow(schema)

    def take(self, receipt):
        sequence = int(receipt["sequence"])
        check(sequence == self.acknowledged + 1, "a receipt that is not the next one")
        entry = self.outbox.get(sequence)
        if entry is None or entry["hash"] != receipt["hash"]:
            raise Malformed("a receipt of another replica's work")
        del self.outbox[sequence]
        self.acknowledged, self.acknowledged_hash = sequence, bytes.fromhex(receipt["hash"])
        self.receipts[sequence] = receipt

    def apply(self, number, view, delta, classes):
        check(number in self.members or view["isFull"] or "buckets" in view,
              "a view that goes on from nothing")
        members = {} if view["isFull"] else self.members.get(number, {})
        if "buckets" in view:
            members = self.without(number, members, view["buckets"])
        for departure in delta["departures"]:
            members.pop(named(classes, departure), None)
        for arrival in delta["arrivals"]:
            name = named(classes, arrival["object"])
            self.objects[name] = Object(classes[arrival["object"]["class"]], arrival)
            members[name] = arrival["isRoot"]
        self.members[number] = members
        self.faults.pop(number, None)
        for change in delta["changes"]:
            name = named(classes, change["object"])
            check(name in self.objects, "a change of an object that is not here")
            self.objects[name].change(classes[change["object"]["class"]], change)

    def without(self, number, members, buckets):
        """What is left of a subscription when these buckets of its digest are emptied."""
        gone, count = marked(buckets)
        check(self.told.get(number, count) == count, "bits of another digest")
        return {name: is_root for name, is_root in members.items()
                if bucket_of(name, count) not in gone}

    def object(self, class_name, key):
        return self.objects.get((class_name, frozen(key)))
