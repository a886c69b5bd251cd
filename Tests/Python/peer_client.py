"""The library `websockets` as a client of Tarn's transport, and what it finds.

    peer_client.py PORT AUTHORITY.pem

The server echoes every message; at a text "close CODE REASON" it says goodbye with those. It lets
pages of https://tarn.example connect.
"""

import random
import signal
import ssl
import sys

import steady
from raw_frames import (
    BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, frame, pieces, write)
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

PORT, AUTHORITY = int(sys.argv[1]), sys.argv[2]
SIZES = [0, 1, 125, 126, 127, 1_000, 16_384, 65_535, 65_536]
TIMEOUT = 10


def holds(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")
    print(f"ok: {what}", flush=True)


def connected(path="/sync", **options):
    context = ssl.create_default_context(cafile=AUTHORITY)
    options = {"subprotocols": ["tarn.1"], "compression": None, "open_timeout": TIMEOUT,
               "close_timeout": TIMEOUT, "max_size": 65_536, **options}
    return steady.connected(f"wss://localhost:{PORT}{path}", ssl=context, **options)


def echoed(socket, message):
    socket.send(message)
    return socket.recv(timeout=TIMEOUT) == message


def close_of(socket):
    """The code and reason with which the server ends it."""
    try:
        while True:
            socket.recv(timeout=TIMEOUT)
    except ConnectionClosed as end:
        return (end.rcvd.code, end.rcvd.reason) if end.rcvd else (None, "")


def masked(opcode, data=b"", fin=True, **options):
    return frame(opcode, data, fin, masked=True, **options)


def messages():
    dice = random.Random(7)
    with connected() as socket:
        holds(all(echoed(socket, dice.randbytes(size)) for size in SIZES),
              f"bytes of {SIZES} come back")
        texts = ["", "x" * 65_536, "\u00e9" * 32_768, "\U0001f600" * 16_384, "\x00\ufeff\n"]
        holds(all(echoed(socket, text) for text in texts), "texts of every width come back")
        sent = [dice.randbytes(dice.choice(SIZES)) for _ in range(200)]
        for start in range(0, len(sent), 20):
            some = sent[start:start + 20]
            for message in some:
                socket.send(message)
            if some != [socket.recv(timeout=TIMEOUT) for _ in some]:
                holds(False, "many messages come back in their order")
        holds(True, "many messages come back in their order")


def fragments():
    dice = random.Random(8)
    with connected() as socket:
        for count in (2, 3, 100, 127):
            parts = [dice.randbytes(dice.choice([0, 1, 126, 500])) for _ in range(count)]
            socket.send(iter(parts))
            whole = socket.recv(timeout=TIMEOUT)
            holds(whole == b"".join(parts), f"{count} fragments and an empty one are one message")
        text = "\u20ac\U0001f600".encode()
        write(socket, *(masked(*piece) for piece in pieces(TEXT, text)))
        holds(socket.recv(timeout=TIMEOUT) == text.decode(),
              "a text that is cut inside its scalars is whole")
        write(socket, masked(BINARY, b"a", False), masked(PING, b"within"),
              masked(CONTINUATION, b"b", False), masked(PONG, b"unasked"),
              masked(CONTINUATION, b"c"))
        holds(socket.recv(timeout=TIMEOUT) == b"abc", "pings and pongs stand between fragments")


def pings():
    with connected() as socket:
        for payload in (b"", b"x", bytes(range(125))):
            holds(socket.ping(payload).wait(TIMEOUT), f"a ping of {len(payload)} bytes is answered")
        waiting = [socket.ping(str(number).encode()) for number in range(50)]
        holds(all(pong.wait(TIMEOUT) for pong in waiting), "fifty pings are answered")
        socket.pong(b"unasked")
        holds(echoed(socket, b"still here"), "a pong that nobody asked for does no harm")


def goodbyes():
    for code, reason in ((1000, ""), (1001, "sp\u00e4ter"), (1008, "x" * 123), (3000, ""),
                         (4999, "z")):
        socket = connected()
        socket.close(code, reason)
        holds(socket.close_code == code, f"a close with {code} is answered with it")
    socket = connected()
    write(socket, masked(CLOSE))
    holds(close_of(socket)[0] == 1005, "a close without a code is answered without one")
    for code, reason in ((1000, ""), (1001, "sp\u00e4ter"), (1013, "x"), (4000, "y" * 123)):
        socket = connected()
        socket.send(b"before")
        socket.send(f"close {code} {reason}")
        holds(socket.recv(timeout=TIMEOUT) == b"before", "what was said before a close arrives")
        holds(close_of(socket) == (code, reason), f"the server closes with {code} and its reason")


def violations():
    cases = [
        ("a message of 65,537 bytes", 1009, [masked(BINARY, bytes(65_537))]),
        ("fragments of 65,537 bytes", 1009, [masked(BINARY, bytes(40_000), False),
                                             masked(CONTINUATION, bytes(25_537))]),
        ("129 fragments", 1009, [masked(BINARY, b"", False)]
         + [masked(CONTINUATION, b"", False)] * 128),
        ("a text that is not UTF-8", 1007, [masked(TEXT, b"\xc3\x28")]),
        ("a text that ends inside a scalar", 1007, [masked(TEXT, b"\xe2\x82")]),
        ("an unmasked frame", 1002, [frame(TEXT, b"x")]),
        ("a reserved bit", 1002, [masked(TEXT, b"x", rsv1=True)]),
        ("a continuation of nothing", 1002, [masked(CONTINUATION, b"x")]),
        ("a message inside another", 1002, [masked(TEXT, b"x", False), masked(TEXT, b"y")]),
        ("a ping in fragments", 1002, [masked(PING, b"", False)]),
        ("a ping of 126 bytes", 1002, [masked(PING, bytes(126))]),
        ("a reserved opcode", 1002, [masked(3)]),
        ("a length in a longer form", 1002, [b"\x82\xfe\0\x01\0\0\0\0x"]),
        ("a close of one byte", 1002, [masked(CLOSE, b"x")]),
        ("a close with 1005", 1002, [masked(CLOSE, b"\x03\xed")]),
        ("a close whose reason is not UTF-8", 1007, [masked(CLOSE, b"\x03\xe8\xc3\x28")])]
    for what, code, frames in cases:
        socket = connected()
        write(socket, *frames)
        got = close_of(socket)
        holds(got[0] == code, f"{what} is answered with {code} (got {got[0]}: {got[1]})")


def upgrades():
    with connected(compression="deflate") as socket:
        offered = socket.request.headers["Sec-WebSocket-Extensions"]
        holds("permessage-deflate" in offered
              and "Sec-WebSocket-Extensions" not in socket.response.headers
              and echoed(socket, b"x" * 10_000), "compression is offered, declined, and not missed")
    with connected(subprotocols=["other", "tarn.1"]) as socket:
        holds(socket.subprotocol == "tarn.1", "of several subprotocols ours is chosen")
    with connected(origin="https://tarn.example") as socket:
        holds(echoed(socket, b"x"), "a page of an allowed origin connects")
    with connected("/sync?who=alice") as socket:
        holds(echoed(socket, b"x"), "a query behind the path says nothing")
    for what, status, path, options in (
            ("another subprotocol", 400, "/sync", {"subprotocols": ["tarn.2", "TARN.1"]}),
            ("no subprotocol", 400, "/sync", {"subprotocols": None}),
            ("a page of another origin", 403, "/sync", {"origin": "https://tarn.example.org"}),
            ("a page of no origin", 403, "/sync", {"origin": "null"}),
            ("another path", 404, "/sync/", {})):
        try:
            connected(path, **options)
            holds(False, f"{what} is refused")
        except InvalidStatus as error:
            got = error.response.status_code
            holds(got == status and error.response.body, f"{what} is answered {status} (got {got})")
        except InvalidHandshake as error:
            holds(False, f"{what} is answered by HTTP, not {error}")


def main():
    # Whoever started this may have blocked the signal that ends it if it waits for ever.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())
    signal.alarm(60)
    messages()
    fragments()
    pings()
    goodbyes()
    violations()
    upgrades()
    print("all held")


if __name__ == "__main__":
    main()
