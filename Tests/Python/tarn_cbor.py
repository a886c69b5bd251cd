"""Strict CBOR, as Protocol/forms.md narrows RFC 8949 down: definite lengths, no simple values but
false, true and null, nothing behind the one item, depth at most 32. Floats pass here, since fields
of a later version may hold some; no known field reads one."""

from collections.abc import Mapping

import cbor2

DEPTH_MAX = 32


class Malformed(Exception):
    """Bytes that a receiver refuses."""


def dumps(item):
    return cbor2.dumps(item)


def loads(data):
    end = _skip(data, 0, 1)
    if end != len(data):
        raise Malformed("bytes are left behind the item")
    try:
        return _plain(cbor2.loads(data))
    except (cbor2.CBORError, ValueError) as error:
        raise Malformed(str(error)) from error


def _plain(item):
    """cbor2 makes tuples and frozen maps of what stands in a tag: lists and maps again."""
    if isinstance(item, cbor2.CBORTag):
        return cbor2.CBORTag(item.tag, _plain(item.value))
    if isinstance(item, (list, tuple)):
        return [_plain(entry) for entry in item]
    if isinstance(item, Mapping):
        return {key: _plain(entry) for key, entry in item.items()}
    return item


def _skip(data, offset, depth):
    if offset >= len(data):
        raise Malformed("the bytes end inside an item")
    major, information = data[offset] >> 5, data[offset] & 0x1F
    if major == 7:
        if information in (20, 21, 22):
            return offset + 1
        if information not in (25, 26, 27):
            raise Malformed("neither false, true, null nor a float")
        width = 1 << (information - 24)
        if width > len(data) - offset - 1:
            raise Malformed("the bytes end inside an item")
        return offset + 1 + width
    argument, offset = _argument(data, offset, information)
    if major in (0, 1):
        return offset
    if major in (2, 3):
        if argument > len(data) - offset:
            raise Malformed("the bytes end inside a string")
        return offset + argument
    count = {4: argument, 5: argument * 2, 6: 1}[major]
    if count > len(data) - offset:
        raise Malformed("more items are promised than there are bytes")
    if count and depth >= DEPTH_MAX:
        raise Malformed("items stand too deep inside each other")
    for _ in range(count):
        offset = _skip(data, offset, depth + 1)
    return offset


def _argument(data, offset, information):
    offset += 1
    if information < 24:
        return information, offset
    if information > 27:
        raise Malformed("an indefinite or reserved length")
    width = 1 << (information - 24)
    if width > len(data) - offset:
        raise Malformed("the bytes end inside an item")
    return int.from_bytes(data[offset:offset + width], "big"), offset + width
