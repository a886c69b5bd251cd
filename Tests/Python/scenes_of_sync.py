"""Two replicas of one realm: upload, receipt, live update; long wholes; resuming."""

from stage import (
    ITEM, NOTHING, QUERY, USER, done, element, fails, holds, key, listen, named, opened)
from tarn_client import clock
from tarn_replica import Replica
from vectors_of_transactions import create, initial, insert, life, move, remove, setting


def main_job():
    """Two replicas: upload, receipt, live update, lists, concurrent deletion."""
    one, two = Replica(f"{USER}/todo"), Replica(f"{USER}/todo")
    first = opened(one)
    first.subscribe(1, QUERY)
    first.start()
    first.connection.until(lambda: first.groups)
    holds(one.point == NOTHING and "1" in one.faults,
          "the first group comes at once, with a fault for a class that is not there")
    outcome = done(first, [{"change": "addClass", "class": ITEM},
                           create("Item", key(1), [initial("body", {"string": "milk"})])])
    holds(outcome == {"kind": "accepted"}, "a transaction is accepted")
    item = one.object("Item", key(1))
    holds(item.values == {"body": {"string": "milk"}, "isDone": {"bool": False}}
          and item.elements("tags") == [] and item.life == life(1, one.id),
          "its own data comes down, with defaults and its life")
    holds(one.faults == {} and one.members["1"], "the fault is healed by the class")
    holds(one.point["version"] == "1" and one.point["salt"] != "00" * 8, "a version has a salt")

    second = opened(two)
    holds(second.latest == one.point, "opened tells the latest version")
    second.subscribe(1, QUERY)
    second.subscribe(2, "Item WHERE nonsense == 1")
    second.start()
    second.connection.until(lambda: second.groups)
    holds(second.groups[0]["views"][0]["isFull"] and two.object("Item", key(1)).values
          == item.values, "a second replica gets the full view")
    holds(list(two.faults) == ["2"], "a query without sense is a fault, and the channel goes on")

    done(first, [setting(named(1, one, 1), "isDone", {"bool": True}),
                 insert(named(1, one, 1), "tags", {"string": "a"}),
                 insert(named(1, one, 1), "tags", {"string": "b"}, after=element(one, 2, 0)),
                 insert(named(1, one, 1), "tags", {"string": "c"}, after=element(one, 2, 1))])
    second.connection.until(lambda: two.point == one.point)
    item = two.object("Item", key(1))
    holds(not second.groups[-1]["views"][0]["isFull"] and item.values["isDone"] == {"bool": True},
          "the second sees the update live, as a difference")
    holds(second.groups[-1]["classes"] == [], "the dictionary is not sent again")
    done(second, [move(named(1, one, 1), "tags", element(one, 2, 2), before=element(one, 2, 0)),
                  remove(named(1, one, 1), "tags", element(one, 2, 1))])
    first.connection.until(lambda: two.point == one.point)
    expected = [{"string": "c"}, {"string": "a"}]
    holds(one.object("Item", key(1)).elements("tags") == expected
          and item.elements("tags") == expected, "a move and a removal come to both lists")

    base = two.point
    done(first, [{"change": "delete", "object": named(1, one, 1)}])
    outcome = done(second, [setting(named(1, one, 1), "body", {"string": "late"})], base)
    holds(outcome["kind"] == "overridden" and outcome["overrides"][0]["reason"] == "objectDeleted",
          "a change to what was deleted meanwhile is overridden, and the receipt says so")
    holds(one.objects == {} and two.objects == {}, "the object has departed from both")
    outcome = done(second, [create("Nothing", key(1), [])])
    holds(outcome["kind"] == "refused" and outcome["code"] == "unknownName", "a refusal")
    second.unsubscribe(1)
    done(first, [create("Item", key(2), [])])
    receipts = done(second, [create("Item", key(3), [])])
    holds(receipts["kind"] == "accepted" and two.objects == {}, "what is unsubscribed is not sent")
    for channel in (first, second):
        channel.close()
        channel.connection.close()
    return one


def long_ones(one):
    """Parts and credit in both directions."""
    channel = opened(one)
    channel.subscribe(1, QUERY, is_resumed=False)
    channel.start()
    channel.connection.until(lambda: channel.groups)
    bodies = [{"string": digit * 1_000_000} for digit in "012345"]
    first = one.write([create("Item", key(9), [initial("body", bodies[0])])], clock())
    last = [one.write([setting(named(9, one, first), "body", body)], clock())
            for body in bodies[1:]][-1]
    channel.upload()
    channel.connection.until(lambda: last in one.receipts)
    holds(all(one.receipts[sequence]["outcome"]["kind"] == "accepted"
              for sequence in range(first, last + 1)) and channel.received,
          "transactions of 6 MB go up in parts, past the credit of 4 MB")
    holds(one.object("Item", key(9)).values["body"] == bodies[-1], "and come down in parts")
    nine = named(9, one, first)
    for what, changes in (
            ("a string of more than a million bytes", [
                setting(nine, "body", {"string": "x" * 1_000_001})]),
            ("a transaction of two strings that are too much together", [
                setting(nine, "body", {"string": "x" * 600_000}) for _ in range(2)]),
            ("one of 600 changes with 1 KB each", [
                setting(nine, "body", {"string": "x" * 1_024}) for _ in range(600)])):
        outcome = done(channel, changes)
        holds(outcome["kind"] == "refused" and outcome["code"] == "tooLarge", f"{what} is refused")
    holds(channel.credit <= 4_194_304, "no more is granted than was used")
    channel.connection.close()

    slow = opened(Replica(one.realm), credit=0)
    slow.grants = False
    slow.subscribe(1, "Item WHERE itemId == 2")
    slow.start()
    slow.subscribe(1, "Item")
    fails(1, "a number of a subscription twice", lambda: listen(slow))
    holds(slow.groups == [], "without credit no group comes")
    slow = opened(Replica(one.realm), slow.connection, 2, credit=10)
    slow.grants = False
    slow.subscribe(1, "Item WHERE itemId == 2")
    slow.start()
    slow.connection.until(lambda: slow.granted == 0)
    holds(slow.groups == [], "with little credit, a little of it")
    slow.grant(10_000)
    slow.connection.until(lambda: slow.groups)
    holds(len(slow.replica.objects) == 1, "with more, the rest")
    slow.connection.close()
    return nine


def returns(one, nine):
    """Resuming, and acknowledgements that are lost."""
    channel = opened(one)
    channel.subscribe(1, QUERY, is_resumed=True)
    channel.start()
    channel.connection.until(lambda: channel.groups)
    holds(channel.groups[0]["views"] == [], "who resumes and has all is sent nothing again")
    channel.confirms = False
    sequence = one.write([setting(nine, "body", {"string": "x"})], clock())
    sealed = one.sealed(sequence)
    before = one.point
    channel.upload()
    channel.connection.close()

    # Whether it was decided or not, nobody heard of it.
    channel = opened(one)
    channel.send_whole(sequence, sealed)
    if channel.uploaded < sequence:
        channel.uploaded = sequence
    channel.subscribe(1, QUERY, is_resumed=True)
    channel.start()
    channel.connection.until(lambda: sequence in one.receipts)
    receipt = one.receipts[sequence]
    holds(int(receipt["version"]) == int(before["version"]) + 1, "sent twice, decided once")
    holds(one.object("Item", key(9)).values["body"] == {"string": "x"}, "and once applied")
    holds(not channel.groups[-1]["views"][0]["isFull"], "the resumed view is told the difference")
    channel.connection.close()
