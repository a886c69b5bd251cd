"""The library `websockets` as a server for Tarn's transport.

    peer_server.py CERTIFICATE.pem KEY.pem

Prints its port and its process id, and serves until it is ended. What it does is in the path of the
request; what it has seen goes to the standard output, a line each.
"""

import hashlib
import os
import signal
import ssl
import struct
import socket as sockets
import sys
import threading

from raw_frames import BINARY, CONTINUATION, TEXT, frame, pieces, write
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response
from websockets.sync.server import serve


def tell(*words):
    print(*words, flush=True)


def echo(connection):
    for message in connection:
        connection.send(message)
    end = connection.protocol.close_rcvd
    tell("closed", end.code, end.reason)


def goodbye(connection, code, *reason):
    connection.send(b"before")
    connection.close(int(code), " ".join(reason).replace("-", " "))


def pings(connection):
    for payload in (b"", b"x", bytes(range(125))):
        if not connection.ping(payload).wait(10):
            return connection.close(1011, "no pong")
    waiting = [connection.ping(str(number).encode()) for number in range(50)]
    if not all(pong.wait(10) for pong in waiting):
        return connection.close(1011, "no pong to many")
    connection.pong(b"unasked")
    connection.close(1000, "all answered")


def sizes(connection):
    """Whole and in fragments: as many bytes as the message says, each counted up."""
    for size in (0, 1, 125, 126, 127, 16_384, 65_535, 65_536):
        content = bytes(index % 251 for index in range(size))
        connection.send(content)
        third = size // 3 + 1
        connection.send(iter([content[:third], content[third:2 * third], content[2 * third:]]))
    text = "\u20ac\U0001f600".encode()
    write(connection, *(frame(*piece) for piece in pieces(TEXT, text)))
    connection.close(1000, "sizes")


BROKEN = {
    "long": frame(BINARY, bytes(65_537)),
    "masked": frame(BINARY, b"x", masked=True),
    "compressed": frame(BINARY, b"x", rsv1=True),
    "continuation": frame(CONTINUATION, b"x"),
    "not-text": frame(TEXT, b"\xc3\x28"),
    "opcode": frame(3)}


def broken(connection, how):
    """Breaks the rules, and tells how the client ends it."""
    write(connection, BROKEN[how])
    try:
        connection.recv(timeout=10)
    except ConnectionClosed as end:
        tell("answered", end.rcvd.code if end.rcvd else None)


def count(connection):
    """Takes all in, slowly enough that the client has to wait, and tells a digest of it."""
    digest, total = hashlib.sha256(), 0
    for message in connection:
        if message == b"the end":
            connection.send(f"{total} {digest.hexdigest()}")
            continue
        digest.update(message)
        total += len(message)
        # What is hashed again takes time and changes nothing.
        for _ in range(4):
            hashlib.sha256(message).digest()


def vanish(connection, how):
    """Ends the stream without a WebSocket's goodbye."""
    connection.send(b"before")
    if how == "inside":
        write(connection, frame(BINARY, bytes(1000))[:500])
    if how == "reset":
        linger = struct.pack("ii", 1, 0)
        connection.socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, linger)
        os.close(connection.socket.detach())
    else:
        connection.socket.shutdown(sockets.SHUT_RDWR)


def byte_by_byte(connection):
    """Each byte is a TLS record of its own."""
    for number in range(3):
        for byte in frame(BINARY, bytes([number]) * 130):
            write(connection, bytes([byte]))
    connection.close(1000, "slowly")


HANDLERS = {
    "echo": echo, "goodbye": goodbye, "pings": pings, "sizes": sizes, "broken": broken,
    "count": count, "vanish": vanish, "byte-by-byte": byte_by_byte}


def handle(connection):
    name, *words = connection.request.path.strip("/").split("/")
    handler = HANDLERS.get(name, echo)
    try:
        handler(connection, *words)
    except ConnectionClosed:
        pass


def answer(connection, request):
    """Something else than a WebSocket, where the path says so: /answer/STATUS, for instance."""
    tell("asked", request.path)
    name, *words = request.path.strip("/").split("/")
    if name == "silence":
        threading.Event().wait()
    if name == "hang-up":
        connection.socket.shutdown(sockets.SHUT_RDWR)
    if name != "answer":
        return None
    status = int(words[0])
    headers = Headers([("Content-Length", "4"), ("Connection", "close")])
    if 300 <= status < 400:
        port = connection.socket.getsockname()[1]
        headers["Location"] = f"wss://localhost:{port}/echo"
    return Response(status, "As You Wished", headers, b"body")


def spoil(connection, request, response):
    """An upgrade that is not right: /upgrade/HOW."""
    name, *words = request.path.strip("/").split("/")
    if name != "upgrade":
        return None
    how = words[0]
    changes = {
        "other": ("Sec-WebSocket-Protocol", "tarn.2"), "none": ("Sec-WebSocket-Protocol", None),
        "key": ("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        "extension": ("Sec-WebSocket-Extensions", "permessage-deflate"),
        "no-upgrade": ("Upgrade", None), "no-connection": ("Connection", "keep-alive")}
    header, value = changes[how]
    if header in response.headers:
        del response.headers[header]
    if value is not None:
        response.headers[header] = value
    return response


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    # Whoever started this may have blocked the signals that end it.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())
    signal.alarm(60)
    with serve(handle, "127.0.0.1", 0, ssl=context, subprotocols=["tarn.1"], max_size=1 << 20,
               process_request=answer, process_response=spoil, ping_interval=None) as server:
        tell(server.socket.getsockname()[1], os.getpid())
        server.serve_forever()


if __name__ == "__main__":
    main()
