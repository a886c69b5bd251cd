"""A daemon that has no room left, and one that is told to end."""

import os
import signal

from stage import ITEM, SMALL_PORT, SMALL_PROCESS, fails, greeted, holds, key, listen, started
from tarn_client import clock
from tarn_replica import Replica
from vectors_of_transactions import create, initial

BODY = {"string": "0123456789" * 10_000}


def logged_in():
    connection = greeted(SMALL_PORT)
    connection.login("nickname", "carol")
    return connection


def no_room():
    replica = Replica("carol/full")
    channel = started(replica, "Item", logged_in())
    replica.write([{"change": "addClass", "class": ITEM}], clock())
    for number in range(30):
        replica.write([create("Item", key(number), [initial("body", BODY)])], clock())
    failure = fails(16, "a full disk", lambda: [channel.upload(), listen(channel)])
    holds(failure.channel == "1" and failure.is_transient and failure.message["advice"],
          "ends the channel, for now")
    kept = replica.acknowledged
    holds(kept < replica.sequence, f"what came before it is decided: {kept} of {replica.sequence}")

    waiting = greeted(SMALL_PORT)
    os.kill(SMALL_PROCESS, signal.SIGTERM)
    failure = fails(17, "a server that is told to end", waiting.hear)
    holds(failure.is_transient and waiting.close_code() == 1000, "says so, and closes")
    fails(17, "and so it says to others", lambda: listen(channel))
