"""Writes the first inputs of a fuzzing corpus: what the vectors of the protocol hold, and frames,
heads and queries by hand.

    .venv/bin/python Tests/Python/make_seeds.py FOLDER

It puts them into FOLDER/TARGET/. `scripts/fuzz.sh --minimise` takes what is worth keeping over into
Fuzz/corpus.
"""

import base64
import hashlib
import json
import pathlib
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = ROOT / "Protocol" / "vectors"

#: What the targets that cut their input begin with: flags, and where to cut.
WHOLE, SMALL, CUT = b"\x00\x00\x03", b"\x02\x00\x01", b"\x00\x12\x34"


def vectors(name):
    """The hexadecimal texts of a file of vectors, those that are refused as well."""
    file = json.loads((VECTORS / f"{name}.json").read_text())
    for part in ("vectors", "accepted", "refused"):
        for vector in file.get(part, []):
            if len(vector.get("hex", "")) in range(1, 6000):
                yield bytes.fromhex(vector["hex"])


def frame(opcode, payload=b"", final=True, mask=b"\x37\xfa\x21\x3d", bits=None):
    """One frame of RFC 6455, section 5.2."""
    count = len(payload)
    bits = bits or (7 if count < 126 else 16 if count < 65536 else 64)
    masked = 0x80 if mask else 0
    head = bytes([(0x80 if final else 0) | opcode])
    if bits == 7:
        head += bytes([masked | count])
    elif bits == 16:
        head += bytes([masked | 126]) + struct.pack(">H", count)
    else:
        head += bytes([masked | 127]) + struct.pack(">Q", count)
    if not mask:
        return head + payload
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


def streams(mask):
    text = "aé€😀".encode()
    cut = [frame(1, text[:4], False, mask), frame(9, b"now", mask=mask)]
    cut += [frame(0, text[4:7], False, mask), frame(0, text[7:], mask=mask)]
    yield b"".join(cut) + frame(8, b"\x03\xe8bye", mask=mask)
    yield frame(2, bytes(range(126)), mask=mask) + frame(10, b"", mask=mask)
    yield frame(2, b"", mask=mask) + frame(8, mask=mask)
    yield frame(1, b"a\xff", mask=mask)
    yield frame(8, b"\x03\xed", mask=mask)
    yield frame(2, b"x" * 300, mask=mask) + frame(2, b"x", bits=16, mask=mask)
    yield frame(2, b"", bits=64, mask=mask) + frame(0, b"", mask=mask)
    yield frame(2, b"a", False, mask) * 2
    yield b"".join([frame(2, b"a", False, mask)] + [frame(0, b"b", False, mask)] * 6)
    yield frame(9, b"p" * 125, mask=mask) * 2 + frame(9, b"q", False, mask)
    yield b"\x82" + bytes([0x7F | (0x80 if mask else 0)]) + b"\x7f" + b"\xff" * 7 + (mask or b"")
    yield b"\xc2\x81" + b"\x83\x00" + b"\x70"


def frames():
    for flags in (0, 2):
        for stream in streams(b"\x37\xfa\x21\x3d"):
            yield bytes([flags, 0x12, 0x34 + flags]) + stream
        for stream in streams(None):
            yield bytes([flags | 1, 0x12, 0x35]) + stream


KEY = base64.b64encode(bytes(range(1, 17))).decode()
ACCEPT = base64.b64encode(
    hashlib.sha1((KEY + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
).decode()
UPGRADE = [
    "GET /sync HTTP/1.1", "Host: tarn.example", "Upgrade: websocket", "Connection: Upgrade",
    "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {KEY}", "Sec-WebSocket-Protocol: tarn.1",
]
ANSWER = [
    "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
    f"Sec-WebSocket-Accept: {ACCEPT}", "Sec-WebSocket-Protocol: tarn.1",
]


def head(lines):
    return "".join(line + "\r\n" for line in lines).encode() + b"\r\n"


def requests():
    yield WHOLE + head(UPGRADE) + frame(2, b"early")
    yield CUT + head(UPGRADE) + frame(2, b"early")
    yield SMALL + head(UPGRADE)
    for origin in ("https://tarn.example", "https://elsewhere.example", "null"):
        yield b"\x01\x00\x03" + head(UPGRADE + ["Origin: " + origin])
    for left_out in range(1, len(UPGRADE)):
        yield WHOLE + head(UPGRADE[:left_out] + UPGRADE[left_out + 1:])
    for more in ("Sec-WebSocket-Extensions: permessage-deflate", "X-Long: " + "x" * 300,
                 "Content-Length: 5", "Transfer-Encoding: chunked", " folded", "Bad Name: x",
                 "Connection: keep-alive", "Sec-WebSocket-Protocol: other, tarn.1"):
        yield CUT + head(UPGRADE + [more])
    for line in ("GET /health HTTP/1.1", "HEAD /health HTTP/1.1", "POST /health HTTP/1.1",
                 "GET /health?x=1 HTTP/1.0", "GET / HTTP/1.1", "PRI * HTTP/2.0", "GET  /sync"):
        yield CUT + head([line, "Host: tarn.example"])
    health, last = ["GET /health HTTP/1.1", "Host: a"], ["HEAD / HTTP/1.0", "Connection: close"]
    for flags in (0, 2, 4, 12):
        start = bytes([flags, 0x12, 0x33])
        yield start + head(health) * 2 + b"\r\n" + head(UPGRADE) + frame(2, b"early")
        yield start + b"\r\n" + head(health) * 4 + head(last) + head(health)
        yield start + head(["GET http://a/sync?b HTTP/1.1", *UPGRADE[1:-1]]) + b"\r\n\r\n"
    yield SMALL + head(["GET /sync HTTP/1.1"] + ["A: b"] * 9)
    yield WHOLE + b"GET /health HTTP/1.1\nHost: x\n\n"
    yield WHOLE + b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"


def answers():
    yield WHOLE + head(ANSWER) + frame(2, b"early", mask=None)
    yield CUT + head(ANSWER)
    for left_out in range(1, len(ANSWER)):
        yield CUT + head(ANSWER[:left_out] + ANSWER[left_out + 1:])
    yield WHOLE + head(ANSWER + ["Sec-WebSocket-Extensions: permessage-deflate"])
    yield WHOLE + head(ANSWER + ["Sec-WebSocket-Protocol: tarn.1"])
    for line in ("HTTP/1.1 200 OK", "HTTP/1.1 503 Service Unavailable", "HTTP/1.1 99999999999999",
                 "HTTP/1.0 101 Switching Protocols", "HTTP/1.1", "SSH-2.0-OpenSSH_9.2"):
        yield WHOLE + head([line, "Content-Length: 0"])
    yield SMALL + head(ANSWER)


QUERIES = """
Project WHERE name == $user SORT(name DESC)
Task WHERE done == false AND title CONTAINS[c] "ä" SORT(rank DESC, id) LIMIT(20)
Project WHERE tasks.@count > 0 AND NONE tasks.done == false
Task WHERE not == 1 OR NOT (rank > -2 AND NOT rank <= 1) || !TRUEPREDICATE
Task WHERE due BETWEEN {1970-01-01, 2026-11-30@08:15:00:250} && due != null
Task WHERE title LIKE[c] "?_*b%" OR title BEGINSWITH 'a' OR title ENDSWITH "\\u{0A}\\u00E9\\n"
Task WHERE rank IN {0, 1, null, $0} AND "tag1" IN tags AND ALL tags != $1
Project WHERE mark == uuid("01890a5d-ac96-774b-bcce-b302099a8057") OR mark > $9
Project WHERE parent.parent.parent.name == null LIMIT(0)
Project WHERE SOME tasks.next.tags <> "x" SORT(parent.name ASCENDING, number DESC)
Task WHERE next == null OR next != next OR next == $2 LIMIT(2) SORT(title)
Project WHERE tasks.@size <= tasks.next.rank OR 3 < number AND number < 9223372036854775807
Task WHERE rank == -9223372036854775808 OR rank == 99999999999999999999
Task WHERE weight != weight OR weight IN {nan, -0.0, 1, 2.5e0} OR rank < 1.5 SORT(weight DESC)
Task WHERE seal == B64"AAE=" OR seal IN {B64'', null} OR ALL marks >= -infinity OR marks == null
Project WHERE parent.@state == "unresolved" OR NONE tasks.@state IN {"null", "present"}
Task WHERE weight == 1e400 OR seal == B64"AP8" OR next.@state == "gone"
Tsk WHERE titel == "x"
Task WHERE ((((title == ""))))
Task WHERE any.name == 1 AND any title == "a" DISTINCT(title)
Task WHERE title == "open
Task WHERE due == 2026-02-30T25:61:61Z
""".strip().split("\n")


def parts():
    one = bytes([0, 3, 0, 3]) + b"abc"
    yield b"\x00\x00" + one
    yield b"\x00\x05hello\x01" + b"\x00\x05\x02ab" + b"\x00\x05\x03cde" + one
    yield b"\x00\x00" + b"\x01" + struct.pack(">Q", 2**64 - 1) + b"\x02ab" + one
    yield b"\x00\x00" + b"\x02\x05" + struct.pack(">Q", 2) + b"\x02ab" + b"\x00\x00\x00"
    yield b"\x01\x00" + b"x" * 256 + b"\x10" * 16 + one * 3


def log_records():
    """A record of each outcome, with effects of a creation and of a list."""
    start = bytes.fromhex("8801" + "480000000000000001" + "82480102030405060708" + "01")
    start += b"\x50" + bytes(16) + b"\x01" + b"\x65alice"
    nothing = b"\x82\x80\x80"
    yield start + b"\x81\x00" + nothing
    yield start + b"\x82\x01\x81\x84\x64Item\x61a\xf6\x01" + nothing
    yield start + b"\x83\x02\x01\x62no" + nothing
    names = b"\x82\x64Item\x64tags"
    effects = [
        b"\x85\x02\x00\x61a\xf6\x82\x01\x61t",
        b"\x86\x04\x00\x61a\x01\x63new\xf4",
        b"\x84\x05\x00\x61a\x01",
        b"\x83\x06\x00\x61a",
        b"\x84\x03\x00\x61a\x82\x48\x01\x02\x03\x04\x05\x06\x07\x09\x02",
        b"\x89\x07\x00\x61a\x01\x00\xf6\xf6\xf5\x61t",
        b"\x85\x08\x00\x61a\x01\x00",
        b"\x82\x01\x83\x64Item\x85\x62id\x03\x00\xf6\xf6\x80",
    ]
    for effect in effects:
        yield start + b"\x81\x00" + b"\x82" + names + b"\x81" + effect
    yield start + b"\x81\x00" + b"\x82" + names + b"\x88" + b"".join(effects)


def session_bytes(side):
    session = json.loads((VECTORS / "session.json").read_text())
    for step in session["steps"]:
        if step["from"] == side:
            yield bytes.fromhex(step["hex"])


def uploads():
    yield from vectors("uploads")
    for body in vectors("transactions"):
        length = struct.pack(">H", len(body))
        yield b"\x83\x59" + length + body + b"\x50" + bytes(16) + b"\x00"


TEXTS = {
    1: ["2026-11-30", "2026-11-30T08:15:00.25Z", "0000-02-29@23:59:59", "1969-12-31T23:59:60Z"],
    2: ["01890a5d-ac96-774b-bcce-b302099a8057", "01890A5DAC96774BBCCEB302099A8057", "{}"],
    3: ["alice/todo", "a-b_c.9/0", "/todo", "alice/to/do"],
    4: [":".join(["0F"] * 32), "0f" * 32, "a b c"],
    5: ["192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1", "fe80::1%eth0", "::"],
    6: ["10.0.0.0/8", "2001:db8::/32", "::/0", "192.0.2.1/33", "::ffff:1.2.3.4/100", "1.2.3.4"],
    7: ["tarn.example", "[::1]:8276", "wss://tarn.example:443/a/b", "a:0", "[", "::1", "a:b:c/"],
}


def texts():
    for kind, examples in TEXTS.items():
        for text in examples:
            yield bytes([kind]) + text.encode()
    for seconds in (0, -1, 2**63 - 1, -2**63, 253402300799, -62135596800, 951782400):
        yield b"\x00" + struct.pack(">qI", seconds, 999_999_999)


SEEDS = {
    "frames": frames,
    "http-request": requests,
    "http-answer": answers,
    "cbor": lambda: [seed for name in ("values", "groups", "deltas", "transactions",
                                       "client-messages") for seed in vectors(name)],
    "client-message": lambda: [*vectors("client-messages"), *session_bytes("client")],
    "server-message": lambda: [*vectors("server-messages"), *session_bytes("server")],
    "upload": uploads,
    "transaction": lambda: vectors("transactions"),
    "group": lambda: vectors("groups"),
    "delta": lambda: vectors("deltas"),
    "log-record": log_records,
    "parts": parts,
    "text": texts,
    "query": lambda: [query.encode() for query in QUERIES],
}


def main():
    folder = pathlib.Path(sys.argv[1])
    for target, seeds in SEEDS.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for seed in seeds():
            name = hashlib.sha1(seed).hexdigest()
            (folder / target / name).write_bytes(seed)


if __name__ == "__main__":
    main()
