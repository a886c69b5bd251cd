"""The forms that messages are made of: plain JSON meanings on one side, items of CBOR on the other.

Integers stand in JSON as decimal strings, identifiers and hashes as hexadecimal digits. Written
from Protocol/forms.md."""

import uuid as uuids

import cbor2

from tarn_cbor import Float, Malformed

TYPES = {1: "bool", 2: "int", 3: "string", 4: "uuid", 5: "date", 6: "link", 7: "double", 8: "data"}
TYPE_NUMBERS = {name: number for number, name in TYPES.items()}
KINDS = {0: "value", 2: "list", 4: "set", 8: "map"}
KIND_FLAGS = {name: flag for flag, name in KINDS.items()}
OPTIONAL, UNIQUE, OWNING, ALL_FLAGS = 1, 16, 32, 63
DATA_TAG = 32769
KEY_BYTES_MAX = 1024


def check(condition, why):
    if not condition:
        raise Malformed(why)


def array(item, count=None):
    check(isinstance(item, list), "an array was expected")
    check(count is None or len(item) == count, f"an array of {count} was expected")
    return item


def integer(item, low, high):
    check(isinstance(item, int) and not isinstance(item, bool), "an integer was expected")
    check(low <= item <= high, "an integer is out of range")
    return str(item)


def unsigned(item):
    return integer(item, 0, 2**64 - 1)


def signed(item):
    return integer(item, -(2**63), 2**63 - 1)


def ordinal(item):
    return integer(item, 0, 2**32 - 1)


def positive(item):
    return integer(item, 1, 2**64 - 1)


def boolean(item):
    check(isinstance(item, bool), "a boolean was expected")
    return item


def text(item):
    check(isinstance(item, str), "a text was expected")
    return item


def octets(item, count=None):
    check(isinstance(item, bytes), "a byte string was expected")
    check(count is None or len(item) == count, f"{count} bytes were expected")
    return item.hex()


def optional(read, item):
    return None if item is None else read(item)


# Values.


def pack_value(value):
    ((kind, content),) = value.items()
    if kind == "null":
        return None
    if kind in ("bool", "string"):
        return content
    if kind == "int":
        return int(content)
    if kind == "uuid":
        return uuids.UUID(content).bytes
    if kind == "date":
        return [int(content["seconds"]), int(content["nanoseconds"])]
    if kind == "double":
        return Float(8, int(content, 16))
    if kind == "data":
        return cbor2.CBORTag(DATA_TAG, bytes.fromhex(content))
    link = {0: pack_value(content["key"])}
    if content["life"] is not None:
        link[1] = pack_transaction(content["life"])
    return link


def read_value(item):
    if item is None:
        return {"null": True}
    if isinstance(item, bool):
        return {"bool": item}
    if isinstance(item, int):
        return {"int": signed(item)}
    if isinstance(item, str):
        return {"string": item}
    if isinstance(item, bytes):
        octets(item, 16)
        return {"uuid": str(uuids.UUID(bytes=item))}
    if isinstance(item, list):
        array(item, 2)
        return {"date": {"seconds": signed(item[0]),
                         "nanoseconds": integer(item[1], 0, 999_999_999)}}
    if isinstance(item, Float):
        check(item.width == 8, "a double has eight bytes")
        return {"double": f"{item.bits:016x}"}
    if isinstance(item, cbor2.CBORTag):
        check(item.tag == DATA_TAG, "an unknown tag")
        return {"data": octets(item.value)}
    check(isinstance(item, dict), "no form of a value")
    check(list(item) in ([0], [0, 1]) and not any(isinstance(key, bool) for key in item),
          "a link has the keys 0 and perhaps 1")
    life = read_transaction(item[1]) if 1 in item else None
    return {"link": {"key": read_key(item[0]), "life": life}}


def read_key(item):
    value = read_value(item)
    check(next(iter(value)) in ("int", "string", "uuid"), "no form of a key")
    if isinstance(item, str):
        check(len(item.encode()) <= KEY_BYTES_MAX, "a key is too long")
    return value


# Identities.


def pack_replica(digits):
    return bytes.fromhex(digits)


def read_replica(item):
    return octets(item, 8)


def pack_transaction(transaction):
    return [pack_replica(transaction["replica"]), int(transaction["sequence"])]


def read_transaction(item):
    array(item, 2)
    return {"replica": read_replica(item[0]), "sequence": positive(item[1])}


def pack_point(point):
    return [int(point["version"]), bytes.fromhex(point["salt"])]


def read_point(item):
    array(item, 2)
    return {"version": unsigned(item[0]), "salt": octets(item[1], 8)}


# Schemas.


def pack_property(schema):
    flags = KIND_FLAGS[schema["kind"]]
    for name, flag in (("isOptional", OPTIONAL), ("isUnique", UNIQUE), ("isOwning", OWNING)):
        flags |= flag if schema[name] else 0
    return [schema["name"], TYPE_NUMBERS[schema["type"]], flags, pack_value(schema["default"]),
            schema["linkedClass"]]


def read_property(item):
    array(item, 5)
    number, flags = int(unsigned(item[1])), int(unsigned(item[2]))
    check(number in TYPES and flags <= ALL_FLAGS, "an unknown type or flag")
    check(flags & 14 in KINDS, "two kinds at once")
    kind, linked = KINDS[flags & 14], optional(text, item[4])
    is_link = TYPES[number] == "link"
    check((linked is not None) == is_link, "a link names a class, and only a link")
    # A link that is in no collection can always lose its target.
    is_optional = bool(flags & OPTIONAL) or (is_link and kind == "value")
    return {"name": text(item[0]), "type": TYPES[number], "linkedClass": linked, "kind": kind,
            "isOptional": is_optional, "isUnique": bool(flags & UNIQUE),
            "isOwning": bool(flags & OWNING), "default": read_value(item[3])}


def pack_class(schema):
    fields = [schema["name"], pack_property(schema["primaryKey"]),
              [pack_property(entry) for entry in schema["properties"]]]
    return fields + [True] if schema["isEmbedded"] else fields


def read_class(item):
    check(len(array(item)) in (3, 4), "a class has three or four fields")
    check(len(array(item[2])) <= 256, "too many properties")
    return {"name": text(item[0]), "primaryKey": read_property(item[1]),
            "properties": [read_property(entry) for entry in item[2]],
            "isEmbedded": boolean(item[3]) if len(item) == 4 else False}
