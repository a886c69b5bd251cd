"""What a replica has of a subscription as a digest, from Protocol/digests.md."""

import hashlib
import uuid as uuids

import cbor2

from tarn_cbor import dumps
from tarn_forms import pack_replica, pack_value
from tarn_group import ENTRIES_TAG, LIST_TAG, pack_entries

OBJECTS_A_BUCKET = 16
BUCKETS_MIN, BUCKETS_MAX = 8, 4096


def bucket_count(objects):
    count = BUCKETS_MIN
    while count < BUCKETS_MAX and count * OBJECTS_A_BUCKET < objects:
        count *= 2
    return count


def hash_of(item):
    return int.from_bytes(hashlib.sha256(dumps(item)).digest()[:8], "big")


def bucket_of(name, count):
    """The bucket of an object; its name has its key as the replica keeps it."""
    class_name, key = name
    return hash_of([class_name, pack_value(dict(key))]) % count


def digest_of(members, objects, schemas, count):
    """The sums, for the objects by name, of which the members say whether they are roots."""
    sums = [0] * count
    for name, is_root in members.items():
        content = content_of(name, objects[name], schemas[name[0]], is_root)
        sums[bucket_of(name, len(sums))] += hash_of(content)
    return b"".join((one % 2**64).to_bytes(8, "big") for one in sums)


def content_of(name, found, schema, is_root):
    class_name, key = name
    contents = {}
    for entry in sorted(schema["properties"], key=lambda entry: entry["name"].encode()):
        if not found.is_initial(entry):
            contents[entry["name"]] = packed(found, entry)
    return [class_name, pack_value(dict(key)), pack_replica(found.life["replica"]),
            int(found.life["sequence"]), is_root, contents]


def packed(found, entry):
    name = entry["name"]
    if entry["kind"] == "value":
        return pack_value(found.values[name])
    if entry["kind"] == "list":
        return cbor2.CBORTag(LIST_TAG, [
            slot(content["slot"]) + slot(content["element"]) + [pack_value(content["value"])]
            for content in found.lists[name]])
    pairs = sorted(found.pairs(name), key=lambda pair: order(pair["entry"]))
    return cbor2.CBORTag(ENTRIES_TAG, pack_entries(pairs))


def slot(place):
    return [pack_replica(place["replica"]), int(place["sequence"]), int(place["ordinal"])]


def order(entry):
    """Where an entry stands among others of its type."""
    ((kind, content),) = entry.items()
    return {"bool": lambda: content, "int": lambda: int(content),
            "string": lambda: content.encode(), "uuid": lambda: uuids.UUID(content).bytes,
            "date": lambda: (int(content["seconds"]), int(content["nanoseconds"])),
            "double": lambda: total_order(int(content, 16)),
            "data": lambda: bytes.fromhex(content), "link": lambda: order(content["key"])}[kind]()


def total_order(bits):
    """IEEE 754's: the negative ones fall as their bits rise."""
    return ~bits & 2**64 - 1 if bits >> 63 else bits | 1 << 63


def marked(buckets):
    """The numbers of the buckets whose bits are set, and how many there are."""
    bits = bytes.fromhex(buckets)
    count = len(bits) * 8
    return {number for number in range(count) if bits[number // 8] >> number % 8 & 1}, count
