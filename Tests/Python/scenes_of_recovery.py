"""Connections that are cut off in the middle, and a replica that was copied."""

import copy

from stage import ITEM, done, element, holds, key, logged_in, named, opened, realm, started
from tarn_cbor import Malformed
from tarn_client import Channel, clock
from tarn_replica import ZERO_POINT
from vectors_of_transactions import create, initial, insert, move, setting

BODY = {"string": "0123456789" * 20_000}


def cut_off():
    """A whole of which only a part has come is worth nothing; it comes again from the start."""
    one, two = realm("cut"), realm("cut")
    first = started(one, "Item")
    sequence = one.write([{"change": "addClass", "class": ITEM},
                          create("Item", key(1), [initial("body", BODY)])], clock())
    whole = one.sealed(sequence)
    first.send_part(sequence, len(whole), 0, whole[:50_000])
    first.connection.until(lambda: first.received)
    holds(first.received[0]["offset"] == "50000", "a part is acknowledged by what is in hand")
    first.connection.close()
    first = started(one, "Item")
    holds(first.uploaded == 0, "half an upload is not decided")
    first.upload()
    first.connection.until(lambda: one.acknowledged == 1)
    holds(one.receipts[1]["outcome"] == {"kind": "accepted"}, "sent again from 0 it is")

    second = opened(two, credit=60_000)
    second.grants = False
    second.subscribe(1, "Item")
    second.start()
    second.connection.until(lambda: second.granted == 0)
    holds(second.groups == [], "of a long group a client gets what it granted, and no byte more")
    second.connection.close()
    second = opened(two, credit=60_000)
    second.subscribe(1, "Item")
    second.start()
    second.connection.until(lambda: second.groups)
    holds(two.object("Item", key(1)).values["body"] == BODY and two.point == one.point,
          "the group that was cut off comes again, as the client grants what it has taken in")
    first.connection.close()
    second.connection.close()


def asks_what_is_known(connection, one, twin):
    """A copy finds out which of its work the server has, and so what it must not send again."""
    probes = [{"sequence": str(sequence), "hash": twin.outbox[sequence]["hash"]}
              for sequence in sorted(twin.outbox)]
    answer = Channel(connection, twin, "7", 0).inquire([twin.point], probes, twin.acknowledged)
    findings = answer["options"]["findings"]
    holds(findings == {"common": twin.point, "known": "0", "receipts": [], "isForeign": False},
          "of a copy's own work the server knows nothing")
    holds(answer["sequence"] == "2" and answer["hash"] == one.hash.hex(),
          "but where the original stands")
    lost = {"version": "9999", "salt": "07" * 8}
    findings = Channel(connection, one, "8", 0).inquire(
        [ZERO_POINT, lost], [{"sequence": "2", "hash": one.hash.hex()}], 1)["options"]["findings"]
    holds(findings["known"] == "2" and findings["common"] == ZERO_POINT
          and [receipt["sequence"] for receipt in findings["receipts"]] == ["2"],
          "of what it has decided it has the receipt, for whoever has the hash")
    twin.common = ZERO_POINT


def fork():
    """The copy of a folder writes on where the original has gone on."""
    one = realm("copied")
    channel = started(one, "Item")
    done(channel, [{"change": "addClass", "class": ITEM}, create("Item", key(1), [
        initial("body", {"string": "before"})])])
    twin = copy.deepcopy(one)
    channel.confirms = False
    done(channel, [setting(named(1, one, 1), "body", {"string": "the original's"})])

    # Offline, the copy makes an object, a list, and refers to both later.
    twin.write([create("Item", key(2), []), setting(named(1, twin, 1), "isDone", {"bool": True})],
               clock())
    mine = named(2, twin, 2)
    twin.write([insert(mine, "tags", {"string": "a"}), insert(
        mine, "tags", {"string": "b"}, after=element(twin, 3, 0))], clock())
    twin.write([move(mine, "tags", element(twin, 3, 1), before=element(twin, 3, 0))], clock())
    found = None
    try:
        opened(twin, logged_in())
    except Malformed as error:
        found = str(error)
    holds(found == "a fork", "a copy finds that another hash stands where it has its own")
    connection = logged_in()
    old = twin.id
    asks_what_is_known(connection, one, twin)
    twin.fork()
    holds(twin.id != old and twin.sequence == 3, "it takes its undecided work along under a new id")
    again = opened(twin, connection)
    again.subscribe(1, "Item", is_resumed=True)
    again.start()
    again.upload()
    connection.until(lambda: twin.acknowledged == 3)
    holds(all(receipt["outcome"] == {"kind": "accepted"} for receipt in twin.receipts.values()),
          "which is accepted as a new replica's")
    second = twin.object("Item", key(2))
    holds(second.elements("tags") == [{"string": "b"}, {"string": "a"}]
          and second.life == {"replica": twin.id, "sequence": "1"},
          "and names itself under the new id")
    holds(twin.object("Item", key(1)).values == {
        "body": {"string": "the original's"}, "isDone": {"bool": True}}, "nothing of both is lost")
    connection.close()
    channel.connection.close()
