"""Bodies of transactions, the chain of hashes and uploads, from Protocol/transactions.md."""

import hashlib

from tarn_cbor import Malformed, dumps, loads
from tarn_forms import (
    array, boolean, check, octets, ordinal, pack_class, pack_point, pack_replica,
    pack_transaction, pack_value, positive, read_class, read_key, read_point, read_replica,
    read_transaction, read_value, signed, text, unsigned)

ZERO_HASH = bytes(16)
CHANGES_MAX = 1_000
FIELDS = {1: 2, 2: 4, 3: 6, 4: 4, 5: 8, 6: 8, 7: 6, 8: 6, 9: 7, 10: 6, 11: 4}


def next_hash(previous, body):
    return hashlib.sha256(previous + body).digest()[:16]


# What a server that has lost a transaction had said of it.
STANDINGS = {"decided": 1, "undone": 2}


def pack_upload(upload):
    standing = [STANDINGS[upload["standing"]]] if "standing" in upload else []
    return dumps([bytes.fromhex(upload["body"]), bytes.fromhex(upload["hash"]),
                  int(upload["clockTicks"])] + standing)


def read_upload(data):
    item = array(loads(data))
    check(len(item) in (3, 4), "no upload")
    upload = {"body": octets(item[0]), "hash": octets(item[1], 16),
              "clockTicks": unsigned(item[2])}
    if len(item) == 4:
        names = {str(number): name for name, number in STANDINGS.items()}
        check(unsigned(item[3]) in names, "an unknown standing")
        upload["standing"] = names[unsigned(item[3])]
    return upload


class BodyWriter:
    """Writes one body; names are numbered in the order of their first use."""

    def __init__(self, transaction):
        self.transaction = transaction
        self.identity = {key: transaction[key] for key in ("replica", "sequence")}
        self.names = []

    def body(self):
        changes = [self.change(change) for change in self.transaction["changes"]]
        return dumps([1, pack_replica(self.identity["replica"]), int(self.identity["sequence"]),
                      pack_point(self.transaction["base"]), self.names, changes])

    def name(self, name):
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def short(self, transaction):
        if transaction == self.identity:
            return None
        if transaction["replica"] == self.identity["replica"]:
            return int(transaction["sequence"])
        return pack_transaction(transaction)

    def slot(self, slot):
        if slot is None:
            return None
        identity = {key: slot[key] for key in ("replica", "sequence")}
        return [self.short(identity), int(slot["ordinal"])]

    def object(self, named):
        return [self.name(named["class"]), pack_value(named["key"]), self.short(named["life"])]

    def change(self, change):
        kind = change["change"]
        if kind == "addClass":
            return [1, pack_class(change["class"])]
        if kind == "create":
            head = [2, self.name(change["class"]), pack_value(change["key"])]
            return head + [[self.initial(value) for value in change["values"]]]
        if kind == "delete":
            return [4] + self.object(change["object"])
        if kind == "deleteOwned":
            return [11] + self.object(change["object"])
        named = self.object(change["object"]) + [self.name(change["property"])]
        if kind == "set":
            return [3] + named + [pack_value(change["value"])]
        if kind == "remove":
            return [7] + named + [self.slot(change["element"])]
        if kind == "increment":
            return [8] + named + [int(change["by"])]
        if kind == "setEntry":
            return [9] + named + [pack_value(change["entry"]), pack_value(change["value"])]
        if kind == "removeEntry":
            return [10] + named + [pack_value(change["entry"])]
        place = [self.slot(change["after"]), self.slot(change["before"])]
        if kind == "insert":
            return [5] + named + place + [pack_value(change["value"])]
        return [6] + named + [self.slot(change["element"])] + place

    def initial(self, value):
        pair = [self.name(value["property"]), pack_value(value["value"])]
        return pair + [True] if value["isDefault"] else pair


def pack_body(transaction):
    return BodyWriter(transaction).body()


class BodyReader:
    """Reads one body, from bytes that may be anybody's."""

    def read(self, data):
        item = array(loads(data), 6)
        check(unsigned(item[0]) == "1", "an unknown format")
        self.identity = {"replica": read_replica(item[1]), "sequence": positive(item[2])}
        self.names = [text(name) for name in array(item[4])]
        check(len(array(item[5])) <= CHANGES_MAX, "too many changes")
        return {**self.identity, "base": read_point(item[3]),
                "changes": [self.change(change) for change in item[5]]}

    def name(self, item):
        number = int(unsigned(item))
        check(number < len(self.names), "a name that is not in the table")
        return self.names[number]

    def short(self, item):
        if item is None:
            return self.identity
        if isinstance(item, list):
            return read_transaction(item)
        return {"replica": self.identity["replica"], "sequence": positive(item)}

    def slot(self, item):
        array(item, 2)
        return {**self.short(item[0]), "ordinal": ordinal(item[1])}

    def place(self, items):
        after, before = (None if item is None else self.slot(item) for item in items)
        return {"after": after, "before": before}

    def object(self, items):
        return {"class": self.name(items[0]), "key": read_key(items[1]),
                "life": self.short(items[2])}

    def change(self, item):
        kind = int(unsigned(array(item)[0])) if item else 0
        check(FIELDS.get(kind) == len(item), "an unknown change")
        if kind == 1:
            return {"change": "addClass", "class": read_class(item[1])}
        if kind == 2:
            return {"change": "create", "class": self.name(item[1]), "key": read_key(item[2]),
                    "values": [self.initial(value) for value in array(item[3])]}
        named = {"object": self.object(item[1:4])}
        if kind in (4, 11):
            return {"change": "delete" if kind == 4 else "deleteOwned", **named}
        named["property"] = self.name(item[4])
        if kind == 3:
            return {"change": "set", **named, "value": read_value(item[5])}
        if kind == 5:
            return {"change": "insert", **named, **self.place(item[5:7]),
                    "value": read_value(item[7])}
        if kind == 8:
            return {"change": "increment", **named, "by": signed(item[5])}
        if kind == 9:
            return {"change": "setEntry", **named, "entry": read_value(item[5]),
                    "value": read_value(item[6])}
        if kind == 10:
            return {"change": "removeEntry", **named, "entry": read_value(item[5])}
        named["element"] = self.slot(item[5])
        if kind == 6:
            return {"change": "move", **named, **self.place(item[6:8])}
        return {"change": "remove", **named}

    def initial(self, item):
        if len(array(item)) not in (2, 3):
            raise Malformed("an initial value has two or three fields")
        return {"property": self.name(item[0]), "value": read_value(item[1]),
                "isDefault": boolean(item[2]) if len(item) == 3 else False}


def read_body(data):
    return BodyReader().read(data)
