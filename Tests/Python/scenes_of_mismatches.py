"""Whatever does not fit has its own error, and is no acknowledgement."""

import os

from stage import NOTHING, done, fails, holds, listen, logged_in, opened, realm
from tarn_client import Channel
from tarn_replica import Replica
from tarn_transaction import next_hash, pack_body, pack_upload


def mismatches(one):
    """What is sent up is verified."""

    def attempt(code, what, spoil):
        replica = Replica(one.realm)
        channel = opened(replica)
        channel.start()
        channel.connection.until(lambda: channel.groups)
        done(channel, [])
        spoil(replica, channel)
        fails(code, what, lambda: listen(channel))
        again = opened(replica_at(replica, 1), channel.connection, 2)
        holds(again.uploaded == 1, "nothing of it is kept")
        channel.connection.close()

    def replica_at(replica, sequence):
        replica.sequence = sequence
        replica.outbox = {}
        return replica

    def send(replica, channel, sequence, spoil_body=None, spoil_hash=False, said=None):
        transaction = {"replica": replica.id, "sequence": str(sequence), "base": replica.point,
                       "changes": [], **(spoil_body or {})}
        body = pack_body(transaction)
        digest = bytearray(next_hash(replica.acknowledged_hash, body))
        digest[15] ^= 1 if spoil_hash else 0
        whole = pack_upload({"body": body.hex(), "hash": digest.hex(), "clockTicks": "0"})
        channel.send_whole(said or sequence, whole)

    def send_bytes(replica, channel, body):
        digest = next_hash(replica.acknowledged_hash, body)
        whole = pack_upload({"body": body.hex(), "hash": digest.hex(), "clockTicks": "0"})
        channel.send_part(2, len(whole), 0, whole)

    attempt(9, "a wrong hash", lambda r, c: send(r, c, 2, spoil_hash=True))
    attempt(9, "another transaction of a decided sequence", lambda r, c: send(r, c, 1))
    attempt(11, "a gap", lambda r, c: send(r, c, 3))
    attempt(10, "a base with another salt", lambda r, c: send(
        r, c, 2, {"base": {"version": r.point["version"], "salt": "ab" * 8}}))
    attempt(10, "a base of the future", lambda r, c: send(
        r, c, 2, {"base": {"version": "999999", "salt": "ab" * 8}}))
    attempt(1, "another replica in the body", lambda r, c: send(r, c, 2, {"replica": "ff" * 8}))
    attempt(1, "another sequence in the body", lambda r, c: send(r, c, 2, said=3))
    attempt(1, "a part that does not follow", lambda r, c: c.send_part(2, 100, 50, b"x"))
    attempt(1, "a part that is empty", lambda r, c: c.send_part(2, 100, 0, b""))
    attempt(1, "a whole that is too long", lambda r, c: c.send_part(2, 16_778_241, 0, b"x"))
    attempt(1, "another total", lambda r, c: [
        c.send_part(2, total, offset, b"x") for total, offset in ((100, 0), (101, 1))])
    attempt(1, "a part of another upload inside an unfinished one", lambda r, c: [
        c.send_part(sequence, 100, offset, b"x") for sequence, offset in ((2, 0), (3, 1))])
    attempt(1, "an upload that cannot be read", lambda r, c: c.send_part(2, 4, 0, b"\x83\x40\x40@"))
    attempt(1, "a body that cannot be read", lambda r, c: send_bytes(r, c, b"\x80"))
    attempt(1, "a second start", lambda r, c: c.start())
    attempt(1, "an integrated version that was not sent", lambda r, c: c.say(
        "integrated", point={"version": "999999", "salt": "ab" * 8}, acknowledgedSequence="1"))
    attempt(1, "an integrated version with another salt", lambda r, c: c.say(
        "integrated", point={"version": r.point["version"], "salt": "ab" * 8},
        acknowledgedSequence="1"))
    attempt(1, "a receipt that was not sent", lambda r, c: c.say(
        "integrated", point=r.point, acknowledgedSequence="7"))


def unreadable():
    """A part that says of itself that it ends behind its whole is no message."""
    channel = opened(realm("unreadable"))
    channel.send_part(1, 1, 0, b"xy")
    failure = fails(1, "a part that ends behind its whole", lambda: listen(channel))
    holds(failure.channel is None, "and ends the connection, as all that cannot be read")


def claims(one):
    """What a replica says when it opens is verified."""
    connection = logged_in()

    def refused(code, what, number, **claim):
        replica = Replica(claim.pop("realm", one.realm))
        for name, value in claim.items():
            setattr(replica, name, value)
        failure = fails(code, what, lambda: Channel(
            connection, replica, str(number), 0).open())
        holds(failure.channel == str(number), "and names the channel")

    live = opened(one)
    live.start()
    live.connection.until(lambda: live.groups)
    refused(8, "somebody else's realm", 1, realm="somebody-else/todo")
    refused(10, "an integrated version with another salt", 2,
            point={"version": one.point["version"], "salt": "ab" * 8})
    refused(10, "an unknown replica with receipts", 3, acknowledged=5)
    refused(9, "another hash at the acknowledged sequence", 4, id=one.id, point=one.point,
            acknowledged=one.acknowledged, acknowledged_hash=bytes(16))
    refused(9, "a copy from before the last confirmation", 5, id=one.id, point=one.point)
    refused(10, "receipts that the server has not given", 6, id=one.id, point=one.point,
            acknowledged=one.acknowledged + 1, acknowledged_hash=bytes(16))
    holds(done(live, [])["kind"] == "accepted", "an open that is refused fences nobody")
    later = opened(one, connection, 7)
    fails(12, "a later session of the replica", lambda: listen(live))
    later.close()
    connection.say("open", channel="8", realm=one.realm, replica=os.urandom(8).hex(),
                   acknowledgedSequence="0", acknowledgedHash="00" * 16,
                   integrated=NOTHING, credit="0", options={})
    connection.expect("opened")
    connection.say("open", channel="8", realm=one.realm, replica=os.urandom(8).hex(),
                   acknowledgedSequence="0", acknowledgedHash="00" * 16,
                   integrated=NOTHING, credit="0", options={})
    failure = fails(18, "an open of an open channel", connection.hear)
    holds(failure.channel is None and connection.close_code() == 1000, "and ends the connection")
