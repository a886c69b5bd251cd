"""What the scenes share: the daemons that they play to, and how they say what held.

The first daemon lets people register and nicknames log in. The second lets nobody register, and
has so little room that it soon cannot store any more. The third soon forgets: of each realm it
keeps the last twenty versions.
"""

import os
import sys

from tarn_client import Connection, Failed, clock
from tarn_replica import Replica
from vectors_of_transactions import life, schema_class, schema_property

HOST, AUTHORITY, PORT, SMALL_PORT, SMALL_PROCESS, FORGETFUL_PORT = (
    sys.argv[1], sys.argv[2], *map(int, sys.argv[3:7]))
USER = "user-" + os.urandom(4).hex()
PASSWORD = "correct horse"
TOKENS = []
ITEM = schema_class("Item", schema_property("itemId", "int"), [
    schema_property("body", "string"), schema_property("isDone", "bool"),
    schema_property("tags", "string", holds="list")])
QUERY = "Item SORT(itemId)"
NOTHING = {"version": "0", "salt": "00" * 8}


def holds(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")
    print(f"ok: {what}", flush=True)


def fails(code, what, action):
    """The failure that an action must bring."""
    try:
        action()
    except Failed as failure:
        holds(failure.code == code,
              f"{what} gives error {code} (got {failure.code}: {failure})")
        return failure
    sys.exit(f"FAILED: {what} gives no error")


def key(number):
    return {"int": str(number)}


def named(number, replica, sequence, name="Item"):
    return {"class": name, "key": key(number), "life": life(sequence, replica.id)}


def element(replica, sequence, ordinal):
    return {**life(sequence, replica.id), "ordinal": str(ordinal)}


def connected(port=PORT):
    return Connection(HOST, port, AUTHORITY)


def greeted(port=PORT):
    connection = connected(port)
    connection.hello()
    return connection


def logged_in():
    """By a token where there is one: passwords are slow to check, as they should be."""
    connection = greeted()
    if TOKENS:
        connection.login("token", secret=TOKENS[0])
    else:
        TOKENS.append(connection.login("password", USER, PASSWORD)["token"])
    return connection


def opened(replica, connection=None, number=1, **options):
    connection = connection or logged_in()
    return connection.open(replica, number, **options)


def started(replica, query=None, connection=None, number=1, **options):
    """An open channel with its first group, and one subscription if a query is given."""
    channel = opened(replica, connection, number)
    if query is not None:
        channel.subscribe(1, query, **options)
    channel.start()
    channel.connection.until(lambda: channel.groups)
    return channel


def listen(channel):
    """Takes what comes; only a failure ends it."""
    channel.connection.until(lambda: False)


def done(channel, changes, base=None, now=None):
    """Writes, uploads, and waits for the receipt."""
    sequence = channel.replica.write(changes, now or clock(), base)
    channel.upload()
    channel.connection.until(lambda: sequence in channel.replica.receipts)
    return channel.replica.receipts[sequence]["outcome"]


def caught_up(channel, other):
    """Waits until a channel's replica is where another one is."""
    channel.connection.until(lambda: channel.replica.point == other.replica.point)


def realm(name):
    return Replica(f"{USER}/{name}")
