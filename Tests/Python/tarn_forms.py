"""The forms that messages are made of: plain JSON meanings on one side, items of CBOR on the other.

Integers stand in JSON as decimal strings, identifiers and hashes as hexadecimal digits. Written
from Protocol/forms.md."""

import uuid as uuids

from tarn_cbor import Malformed

TYPES = {1: "bool", 2: "int", 3: "string", 4: "uuid", 5: "date", 6: "link"}
TYPE_NUMBERS = {name: number for number, name in TYPES.items()}
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
    flags = (1 if schema["isOptional"] else 0) | (2 if schema["isList"] else 0)
    return [schema["name"], TYPE_NUMBERS[schema["type"]], flags, pack_value(schema["default"]),
            schema["linkedClass"]]


def read_property(item):
    array(item, 5)
    kind, flags = int(unsigned(item[1])), int(unsigned(item[2]))
    check(kind in TYPES and flags <= 3, "an unknown type or flag")
    linked = optional(text, item[4])
    check((linked is not None) == (TYPES[kind] == "link"), "a link names a class, and only a link")
    # A link outside a list can always lose its target.
    is_optional = bool(flags & 1) or (TYPES[kind] == "link" and not flags & 2)
    return {"name": text(item[0]), "type": TYPES[kind], "linkedClass": linked,
            "isOptional": is_optional, "isList": bool(flags & 2), "default": read_value(item[3])}


def pack_class(schema):
    return [schema["name"], pack_property(schema["primaryKey"]),
            [pack_property(entry) for entry in schema["properties"]]]


def read_class(item):
    array(item, 3)
    check(len(array(item[2])) <= 256, "too many properties")
    return {"name": text(item[0]), "primaryKey": read_property(item[1]),
            "properties": [read_property(entry) for entry in item[2]]}
