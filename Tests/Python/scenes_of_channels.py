"""Several realms on one connection, how channels end, how many there may be, and credit."""

import os

from stage import (
    ITEM, NOTHING, USER, done, fails, holds, key, listen, logged_in, named, opened, realm, started)
from tarn_client import CREDIT, PART_BYTES_MAX, Failed, clock
from tarn_transaction import ZERO_HASH
from vectors_of_transactions import create, initial, insert

BODY = {"string": "0123456789" * 20_000}


def open_message(number, name, replica=None, credit=0):
    return {"kind": "open", "channel": str(number), "realm": f"{USER}/{name}",
            "replica": replica or os.urandom(8).hex(), "acknowledgedSequence": "0",
            "acknowledgedHash": ZERO_HASH.hex(), "integrated": NOTHING, "credit": str(credit),
            "options": {}}


def several_realms():
    """Parts of two realms' uploads alternate, beside a third realm that takes nothing."""
    connection = logged_in()
    silent = opened(realm("silent"), connection, 2**64 - 1, credit=0)
    silent.start()
    channels = [started(realm(name), "Item", connection, number)
                for number, name in enumerate(("left-hand", "right-hand"))]
    wholes = []
    for channel in channels:
        channel.replica.write([{"change": "addClass", "class": ITEM}, create(
            "Item", key(1), [initial("body", BODY)])], clock())
        wholes.append(channel.replica.sealed(1))
        connection.witness.sent_whole(wholes[-1])
    for offset in range(0, len(wholes[0]), 30_000):
        for channel, whole in zip(channels, wholes):
            channel.send_part(1, len(whole), offset, whole[offset:offset + 30_000])
    connection.until(lambda: all(channel.replica.acknowledged == 1 for channel in channels))
    holds(all(channel.replica.object("Item", key(1)).values["body"] == BODY
              for channel in channels), "parts of two realms may alternate, up and down")
    holds(silent.groups == [] and silent.granted == 0,
          "a realm without credit is sent nothing, and holds up nobody")
    connection.close()


def closing():
    """What ends one channel ends no other; and what comes for an ended one is ignored."""
    connection = logged_in()
    other = started(realm("other"), "Item", connection, 1)
    closed = started(realm("closed"), "Item", connection, 2)
    closed.close()
    for kind, fields in (
            ("start", {}), ("subscribe", {"number": "9", "query": "Item", "arguments": [],
                                          "depth": "3", "isResumed": False,
                                          "tellsDigest": False}),
            ("unsubscribe", {"number": "9"}), ("credit", {"bytes": "5"}),
            ("upload", {"sequence": "1", "total": "1", "offset": "0", "bytes": "00"}),
            ("integrated", {"point": NOTHING, "acknowledgedSequence": "0"}), ("close", {})):
        connection.say(kind, channel="2", **fields)
        connection.say(kind, channel="3", **fields)
    holds(done(other, [{"change": "addClass", "class": ITEM}]) == {"kind": "accepted"},
          "messages of a closed channel, and of one that never was, are ignored")
    again = started(closed.replica, "Item", connection, 4)
    holds(again.groups, "a realm that was closed is opened again")
    again.start()
    failure = fails(1, "a channel that starts twice", lambda: listen(again))
    holds(failure.channel == "4", "is ended")
    holds(started(closed.replica, "Item", connection, 4).groups,
          "after its failure a number may come again")
    holds(done(other, [create("Item", key(1), [])]) == {"kind": "accepted"}, "the other goes on")
    other.unsubscribe(1)
    other.unsubscribe(7)
    other.subscribe(2, "Item WHERE itemId == $0", [key(1)])
    connection.until(lambda: "2" in other.replica.members)
    holds(len(other.replica.objects) == 1, "a subscription after the start gets its full view")
    connection.close()


def limits():
    """More channels, subscriptions and messages than there may be."""
    connection = logged_in()
    for number in range(64):
        connection.say(**open_message(number, "crowd"))
        connection.expect("opened")
    connection.say(**open_message(64, "crowd"))
    failure = fails(14, "a channel too many", connection.hear)
    holds(failure.channel == "64", "is told of that channel")
    for number in range(256):
        connection.say("subscribe", channel="0", number=str(number), query="Item", arguments=[],
                       depth="3", isResumed=False, tellsDigest=False)
    connection.say("subscribe", channel="0", number="256", query="Item", arguments=[], depth="3",
                   isResumed=False, tellsDigest=False)
    failure = fails(14, "a subscription too many", connection.hear)
    holds(failure.channel == "0", "is told of its channel")
    connection.say(**open_message(65, "crowd"))
    holds(connection.expect("opened")["channel"] == "65", "a channel that has ended makes room")
    connection.close()
    connection = logged_in()
    connection.say_at_once(open_message(1, "crowd"), *(
        {"kind": "unsubscribe", "channel": "1", "number": str(number)} for number in range(265)))
    failure = fails(15, "265 messages before the channel is opened", connection.hear)
    holds(failure.is_transient, "and the same may do later")


def more_than_granted():
    """Who sends more than his credit is told, and the channel ends; nothing is lost."""
    channel = started(realm("greedy"), "Item")
    one = channel.replica
    done(channel, [{"change": "addClass", "class": ITEM}, create("Item", key(1), [])])
    sequences = [one.write(crowd(named(1, one, 1)), clock()) for _ in range(2)]
    channel.upload()
    failure = flood(channel, sequences[-1] + 1)
    if failure is None:
        # It has granted all in time, so nobody sent too much; others test what is refused then.
        holds(channel.credit >= 0, "a server that keeps up grants all that it is sent")
        channel.close()
    else:
        holds(failure.code == 1 and failure.channel == "1", f"more than the credit: {failure}")
    channel = started(one, "Item", channel.connection, 2)
    # What was not decided before the channel ended is sent again.
    channel.upload()
    channel.connection.until(lambda: one.acknowledged == sequences[-1])
    outcomes = [one.receipts[sequence]["outcome"] for sequence in sequences]
    holds(all(outcome["kind"] == "refused" and outcome["code"] == "tooLarge"
              for outcome in outcomes),
          "a transaction that asks for too much is refused, and its receipt comes in the end")
    channel.grant(2**64 - 1)
    channel.grant(2**64 - 1)
    holds(done(channel, [create("Item", key(2), [])]) == {"kind": "accepted"},
          "credit above all bounds is as much as there can be")
    channel.connection.close()


def flood(channel, sequence):
    """Sends three times the credit while the server is busy with what came before, and so grants
    nothing again. Answers how it was told; nothing if the server took all in meanwhile.

    The whole is never complete: only its length can be refused."""
    part, total = bytes(PART_BYTES_MAX), 16_778_240
    offsets = range(0, 3 * CREDIT, len(part))
    for offset in offsets:
        channel.send_part(sequence, total, offset, part)
    try:
        channel.connection.until(lambda: channel.credit >= 0
                                 and len(channel.received) == len(offsets))
    except Failed as failure:
        return failure
    return None


def crowd(item):
    """Insertions at one place, each of which meets all those before it."""
    return [insert(item, "tags", {"string": "x"}) for _ in range(1_000)]
