"""Replicas that come from so far back that they and the server compare what they have. The daemon
here forgets all but the last twenty versions."""

import copy

from scenes_of_contents import SAMPLES, ZEROS
from scenes_of_downloads import arrived, deltas, does, item, shown, taken_in, text, written
from stage import FORGETFUL_PORT, element, fails, greeted, holds, key, listen, opened
from tarn_replica import Replica
from vectors_of_messages import double, link
from vectors_of_transactions import (
    create, initial, insert, life, move, schema_class, schema_property, set_entry, setting)

REALM = "dora/past"
FORGOTTEN = 50
TYPES = ["bool", "int", "string", "uuid", "date", "double", "data"]
HOLDERS = ("list", "set", "map")
HALF, MINUS_HALF = double(0x3FE0_0000_0000_0000), double(0xBFE0_0000_0000_0000)
ENTRIES = SAMPLES | {"int": SAMPLES["int"] + [{"int": "0"}],
                     "double": SAMPLES["double"] + [HALF, MINUS_HALF]}
EVERY = schema_class("Every", schema_property("number", "int"), [
    *(schema_property(f"{kind}_", kind) for kind in TYPES),
    *(schema_property(f"{kind}_{holder}", kind, holds=holder)
      for kind in TYPES for holder in HOLDERS),
    *(schema_property(f"link_{holder}", "link", "Every", holds=holder) for holder in HOLDERS),
    schema_property("next", "link", "Every", optional=True),
    schema_property("said", "string", optional=True, default={"string": "by default"})])
LATER = {**EVERY, "properties": EVERY["properties"] + [schema_property("later", "int")]}
QUERIES = "Item", "Every WHERE number == 1"


def came(replica, is_resumed=True, tells_digest=True):
    """An open channel of a replica that may have been away."""
    connection = greeted(FORGETFUL_PORT)
    connection.login("nickname", "dora")
    channel = opened(replica, connection)
    for number, query in enumerate(QUERIES, 1):
        channel.subscribe(number, query, is_resumed=is_resumed, tells_digest=tells_digest)
    channel.start()
    return channel


def fresh():
    """A channel that has just all."""
    channel = came(Replica(REALM), is_resumed=False, tells_digest=False)
    taken_in(channel)
    channel.connection.close()
    return channel


def returned(replica, **options):
    channel = came(replica, **options)
    taken_in(channel)
    channel.connection.close()
    return channel


def forget(writer):
    """Lets so much happen elsewhere that what was before is forgotten."""
    for _ in range(FORGOTTEN):
        writer.replica.write([create("Note", key(writer.replica.sequence), [])], 1)
    writer.upload()
    writer.connection.until(lambda: writer.replica.acknowledged == writer.replica.sequence)


def samples(replica):
    """Objects with something of every type in every kind of property."""
    born = life(replica.sequence + 1, replica.id)
    full = {"class": "Every", "key": key(1), "life": born}
    targets = [link(key(number), born) for number in (2, 1)]
    # The second says what it would have anyway.
    changes = [{"change": "addClass", "class": EVERY},
               create("Every", key(2), [initial(f"{kind}_", ZEROS[f"{kind}_"]) for kind in TYPES]),
               create("Every", key(1), [
                   initial("next", targets[0]), initial("said", {"null": True}),
                   *(initial(f"{kind}_", ENTRIES[kind][0]) for kind in TYPES)])]
    for kind, found in (*ENTRIES.items(), ("link", targets)):
        for name, entry in zip(("b", "a", "\u00e9", ""), found):
            changes += [insert(full, f"{kind}_list", entry), set_entry(full, f"{kind}_set", entry),
                        set_entry(full, f"{kind}_map", {"string": name}, entry)]
    # An element that has moved stands in another slot than its own.
    mine = replica.sequence + 1
    return changes + [move(full, "bool_list", element(replica, mine, 1),
                           before=element(replica, mine, 0)),
                      move(full, "int_list", element(replica, mine, 2),
                           after=element(replica, mine, 3))]


def digests():
    """All of it, in one realm."""
    writer = came(Replica(REALM), is_resumed=False, tells_digest=False)
    writer.unsubscribe(1)
    writer.unsubscribe(2)
    written(writer)
    does(writer, samples(writer.replica))
    old = fresh()
    kept = compared(writer, old)
    told_otherwise(kept)
    compared_in_pieces(writer, kept)
    forgotten_meanwhile(writer, kept)
    unasked(kept)
    writer.connection.close()


def compared(writer, old):
    """Who comes from below the floor is sent what differs; a replica from before that is kept."""
    one = writer.replica
    does(writer, [setting(item(one, 3), "body", text(3, "!")),
                  insert(item(one, 100), "tags", text(3)),
                  {"change": "delete", "object": item(one, 5)}, create("Item", key(-1), [])])
    same = fresh()
    does(writer, [{"change": "addClass", "class": LATER}])
    forget(writer)
    kept, now = copy.deepcopy(same.replica), shown(fresh().replica)

    again = returned(old.replica)
    holds(again.compared == {"1", "2"}, "who comes from below the floor is asked what it has")
    holds("buckets" in again.groups[0]["views"][0] and 3 < len(arrived(again.groups)) < 200,
          f"of 1,200 objects {len(arrived(again.groups))} come, with those that differ")
    holds(sum(again.lengths) * 5 < sum(old.lengths),
          f"in {sum(again.lengths)} bytes, where the first download had {sum(old.lengths)}")
    holds(shown(old.replica) == now, "then all is as it should be")

    again = returned(same.replica)
    holds(again.compared == {"1", "2"} and not any(
        found for delta in deltas(again.groups) for found in delta.values()),
        "who has the same, of every type, is sent no object")
    holds(shown(same.replica) == now, "and has it still")
    return kept


def told_otherwise(kept):
    """Digests of other sizes, of other contents, and none."""
    now = shown(fresh().replica)
    for count in (8, 4096):
        replica = copy.deepcopy(kept)
        channel = asked(replica)
        channel.tell(1, replica.digest("1", count))
        channel.tell(2, replica.digest("2", count))
        taken_in(channel)
        channel.connection.close()
        holds(arrived(channel.groups) == [] and shown(replica) == now,
              f"a digest may have {count} buckets")
    replica = copy.deepcopy(kept)
    channel = asked(replica)
    for number in (1, 2):
        channel.tell(number, "ff" * 64)
    taken_in(channel)
    channel.connection.close()
    holds(len(arrived(channel.groups)) == len(now[1]) and shown(replica) == now,
          "by a digest that fits nothing all comes anew")
    replica = copy.deepcopy(kept)
    channel = returned(replica, tells_digest=False)
    holds(channel.compared == set() and channel.groups[0]["views"][0]["isFull"]
          and shown(replica) == now, "who would tell no digest is sent all")
    replica = copy.deepcopy(kept)
    replica.point = {**replica.point, "salt": "07" * 8}
    channel = returned(replica)
    holds(arrived(channel.groups) == [] and shown(replica) == now,
          "of a version that is forgotten the salt is not known, and is not asked for")


def asked(replica):
    """A channel that has been asked for both digests and has told none."""
    channel = came(replica)
    channel.answers = False
    channel.connection.until(lambda: channel.compared == {"1", "2"})
    return channel


def compared_in_pieces(writer, kept):
    """Much that differs comes as a series, which may be cut like others."""
    one, replica = writer.replica, copy.deepcopy(kept)
    edited = [number for number in range(1100) if number != 5]
    for some in (edited[:600], edited[600:]):
        does(writer, [setting(item(one, number), "body", text(number, "~")) for number in some])
    forget(writer)
    before = shown(replica)
    channel = came(replica)
    channel.connection.until(lambda: replica.staged)
    channel.connection.close()
    holds(shown(replica) == before and "buckets" in channel.groups[0]["views"][0],
          "what differs comes in pieces, too, and does not show before the last")
    does(writer, [setting(item(one, 7), "body", text(7, "now")),
                  setting(item(one, 1150), "body", text(1150, "now"))])
    again = came(replica)
    holds(again.goes_on, "it goes on after a cut")
    taken_in(again)
    again.connection.close()
    holds(again.compared == set() and not set(arrived(channel.groups)) & set(arrived(again.groups)),
          "without being asked again, or sent anything twice")
    holds(shown(replica) == shown(fresh().replica), "and ends right")


def forgotten_meanwhile(writer, kept):
    """What is staged may be forgotten, too; and who has something need not have been away."""
    old, new = copy.deepcopy(kept), Replica(REALM)
    for replica in (old, new):
        channel = came(replica, is_resumed=replica is old)
        channel.connection.until(lambda held=replica: held.staged)
        channel.connection.close()
    forget(writer)
    now = shown(fresh().replica)
    again = returned(old)
    holds(not again.goes_on and again.compared == {"1", "2"} and shown(old) == now,
          "where the version that was staged is forgotten, it is asked again")
    again = returned(new, is_resumed=False, tells_digest=False)
    holds(not again.goes_on and shown(new) == now, "or all is sent again")
    again = came(new, is_resumed=False)
    again.connection.until(lambda: again.confirmed)
    again.connection.close()
    holds(again.compared == {"1", "2"} and arrived(again.groups) == [] and shown(new) == now,
          "who does not resume may tell a digest")


def unasked(kept):
    """Digests that nobody waits for."""
    for what, digest in (("asked for", None), ("waited for any more", kept.digest("1"))):
        channel = asked(copy.deepcopy(kept)) if digest else came(Replica(REALM), False, False)
        for sums in (digest, kept.digest("1")):
            if sums:
                channel.tell(1, sums)
        failure = fails(1, f"a digest that is not {what}", lambda held=channel: listen(held))
        holds(failure.channel == "1", "and ends the channel")
        channel.connection.close()

    channel = asked(copy.deepcopy(kept))
    channel.tell(99, kept.digest("1"))
    other = channel.connection.open(Replica(REALM), 2)
    other.start()
    channel.connection.until(lambda: other.groups)
    holds(channel.groups == [], "until both digests are told no group comes")
    channel.unsubscribe(1)
    channel.tell(1, kept.digest("1"))
    channel.tell(2, kept.digest("2"))
    channel.connection.until(lambda: channel.confirmed)
    holds("1" not in channel.replica.members and "2" in channel.replica.members,
          "a digest of a number that is not in use is ignored")
    channel.connection.close()
