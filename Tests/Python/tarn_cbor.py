"""Strict CBOR, as Protocol/forms.md narrows RFC 8949 down: definite lengths, no simple values but
false, true and null, nothing behind the one item, depth at most 32. Floats of two and four bytes
and any tag pass here, since fields of a later version may hold some; no known field reads them."""

import cbor2

DEPTH_MAX = 32


class Malformed(Exception):
    """Bytes that a receiver refuses."""


class Float:
    """A float as it stands on the wire: a number of Python's would not tell NaNs apart."""

    def __init__(self, width, bits):
        self.width, self.bits = width, bits


def dumps(item):
    return cbor2.dumps(item, default=_write)


def _write(encoder, item):
    encoder.write(bytes([{2: 0xF9, 4: 0xFA, 8: 0xFB}[item.width]]))
    encoder.write(item.bits.to_bytes(item.width, "big"))


def loads(data):
    item, end = _item(data, 0, 1)
    if end != len(data):
        raise Malformed("bytes are left behind the item")
    return item


def _item(data, offset, depth):
    """An item, and where it ends."""
    if offset >= len(data):
        raise Malformed("the bytes end inside an item")
    major, information = data[offset] >> 5, data[offset] & 0x1F
    if major == 7:
        return _simple(data, offset, information)
    argument, offset = _argument(data, offset, information)
    if major in (0, 1):
        return (argument if major == 0 else -1 - argument), offset
    if major in (2, 3):
        return _string(data, offset, argument, major == 3)
    count = {4: argument, 5: argument * 2, 6: 1}[major]
    if count > len(data) - offset:
        raise Malformed("more items are promised than there are bytes")
    if count and depth >= DEPTH_MAX:
        raise Malformed("items stand too deep inside each other")
    items = []
    for _ in range(count):
        item, offset = _item(data, offset, depth + 1)
        items.append(item)
    if major == 4:
        return items, offset
    if major == 6:
        return cbor2.CBORTag(argument, items[0]), offset
    return _map(items), offset


def _map(items):
    try:
        return dict(zip(items[::2], items[1::2]))
    except TypeError:
        # Only a field that is stepped over may have arrays or maps for keys.
        return {repr(key): value for key, value in zip(items[::2], items[1::2])}


def _simple(data, offset, information):
    if information in (20, 21, 22):
        return {20: False, 21: True, 22: None}[information], offset + 1
    if information not in (25, 26, 27):
        raise Malformed("neither false, true, null nor a float")
    bits, end = _argument(data, offset, information)
    return Float(end - offset - 1, bits), end


def _string(data, offset, count, is_text):
    if count > len(data) - offset:
        raise Malformed("the bytes end inside a string")
    content = bytes(data[offset:offset + count])
    if not is_text:
        return content, offset + count
    try:
        return content.decode(), offset + count
    except UnicodeDecodeError as error:
        raise Malformed(str(error)) from error


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
