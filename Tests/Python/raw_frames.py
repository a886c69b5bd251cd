"""Frames of RFC 6455, right and wrong, that a library would not write by itself."""

import struct
from itertools import cycle

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
MASK = b"\x01\x80\xff\x00"


def frame(opcode, data=b"", fin=True, masked=False, rsv1=False):
    first = opcode | (0x80 if fin else 0) | (0x40 if rsv1 else 0)
    count, flag = len(data), 0x80 if masked else 0
    if count < 126:
        head = bytes([first, flag | count])
    elif count < 1 << 16:
        head = struct.pack(">BBH", first, flag | 126, count)
    else:
        head = struct.pack(">BBQ", first, flag | 127, count)
    if not masked:
        return head + data
    return head + MASK + bytes(byte ^ key for byte, key in zip(data, cycle(MASK)))


def pieces(opcode, data):
    """A message of one byte a frame."""
    return [(opcode if index == 0 else CONTINUATION, bytes([byte]), index == len(data) - 1)
            for index, byte in enumerate(data)]


def write(connection, *frames):
    """Past the library, at once."""
    with connection.protocol_mutex:
        connection.socket.sendall(b"".join(frames))
