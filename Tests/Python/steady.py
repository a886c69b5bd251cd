"""Connecting by the library `websockets`, again if need be.

It reads in one thread and writes in another, and Python's TLS (seen with 3.11) now and then loses
what comes while both begin: one connection of two hundred on a busy machine waits until the server
gives it up. Whoever reads and writes in one thread never sees that."""

from websockets.exceptions import InvalidMessage
from websockets.sync.client import connect


def connected(uri, **options):
    for _ in range(4):
        try:
            return connect(uri, **options)
        except (InvalidMessage, TimeoutError):
            pass
    return connect(uri, **options)
