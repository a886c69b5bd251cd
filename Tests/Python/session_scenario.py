"""Plays sessions against a running daemon, and says what held.

    .venv/bin/python Tests/Python/session_scenario.py HOST PORT AUTHORITY.pem [nicknames]

The last word says that the daemon lets nicknames log in.
"""

import http.client
import json
import os
import ssl
import sys

from tarn_client import Channel, Connection, Failed, clock
from tarn_replica import Replica
from tarn_transaction import next_hash, pack_body, pack_upload
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from vectors_of_transactions import create, initial, insert, life, move, remove, setting
from vectors_of_transactions import schema_property

HOST, PORT, AUTHORITY = sys.argv[1], int(sys.argv[2]), sys.argv[3]
NICKNAMES = "nicknames" in sys.argv[4:]
ITEM = {"name": "Item", "primaryKey": schema_property("itemId", "int"), "properties": [
    schema_property("body", "string"), schema_property("isDone", "bool"),
    schema_property("tags", "string", is_list=True)]}
QUERY = "Item SORT(itemId)"
USER = "user-" + os.urandom(4).hex()
PASSWORD = "correct horse"


def holds(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")
    print(f"ok: {what}")


def fails(code, what, action):
    """The failure that an action must bring."""
    try:
        action()
    except Failed as failure:
        holds(failure.code == code, f"{what} gives error {code} (got {failure.code})")
        return failure
    sys.exit(f"FAILED: {what} gives no error")


def key(number):
    return {"int": str(number)}


def named(number, replica, sequence):
    return {"class": "Item", "key": key(number), "life": life(sequence, replica.id)}


def element(replica, sequence, ordinal):
    return {**life(sequence, replica.id), "ordinal": str(ordinal)}


def greeted():
    connection = Connection(HOST, PORT, AUTHORITY)
    connection.hello()
    return connection


def logged_in(name=USER):
    connection = greeted()
    connection.login("password", name, PASSWORD)
    return connection


def opened(replica, connection=None, number=1, **options):
    connection = connection or logged_in()
    return connection.open(replica, number, **options)


def done(channel, changes, base=None):
    """Writes, uploads, and waits for the receipt."""
    sequence = channel.replica.write(changes, clock(), base)
    channel.upload()
    channel.connection.until(lambda: sequence in channel.replica.receipts)
    return channel.replica.receipts[sequence]["outcome"]


def doors():
    """TLS, HTTP and WebSocket."""
    context = ssl.create_default_context()
    refused = False
    try:
        connect(f"wss://{HOST}:{PORT}/sync", ssl=context, subprotocols=["tarn.1"])
    except ssl.SSLCertVerificationError:
        refused = True
    holds(refused, "who does not know the authority does not connect")
    context = ssl.create_default_context(cafile=AUTHORITY)
    for path, protocols, status in (("/sync", ["tarn.2"], 400), ("/other", ["tarn.1"], 404)):
        code = None
        try:
            connect(f"wss://{HOST}:{PORT}{path}", ssl=context, subprotocols=protocols)
        except InvalidStatus as error:
            code = error.response.status_code
        holds(code == status, f"{path} with {protocols[0]} is answered {status} (got {code})")
    code = None
    try:
        connect(f"wss://{HOST}:{PORT}/sync", ssl=context, subprotocols=["tarn.1"],
                origin="https://example.org")
    except InvalidStatus as error:
        code = error.response.status_code
    holds(code == 403, "a page may not connect")
    health = http.client.HTTPSConnection(HOST, PORT, context=context)
    health.request("GET", "/health")
    answer = health.getresponse()
    holds(answer.status == 200 and json.loads(answer.read())["healthy"], "the health is told")


def greeting():
    """Hello, login, logout, and what may not be said before."""
    connection = Connection(HOST, PORT, AUTHORITY)
    welcome = connection.hello()
    holds(welcome["version"] == "1" and abs(int(welcome["clock"]) - clock()) < 60_000, "welcome")
    holds(connection.login("password", USER, PASSWORD, register=True)["user"] == USER, "register")
    connection.close()

    connection = greeted()
    fails(6, "a name that is taken", lambda: connection.login("password", USER, "x" * 9, True))
    fails(4, "a wrong password", lambda: connection.login("password", USER, "wrong horse"))
    fails(7, "a short password", lambda: connection.login("password", USER + "2", "short", True))
    fails(7, "a name with a capital", lambda: connection.login("password", "Alice", "x" * 9, True))
    fails(4 if NICKNAMES else 5, "the nickname of one who has a password",
          lambda: connection.login("nickname", USER))
    if NICKNAMES:
        bob = greeted()
        holds(bob.login("nickname", "bob")["user"] == "bob", "login by nickname")
        bob.close()
    token = connection.login("password", USER, PASSWORD)["token"]
    holds(len(token) >= 32, "after refusals, the connection still takes a login")
    second = greeted()
    answer = second.login("token", secret=token)
    holds(answer == {"kind": "loggedIn", "user": USER, "token": None}, "login by token")
    second.say("logout")
    second.expect("loggedOut")
    fails(4, "a token after its logout", lambda: second.login("token", secret=token))
    for one in (connection, second):
        one.close()

    connection = Connection(HOST, PORT, AUTHORITY)
    connection.say("logout")
    fails(1, "anything before hello", connection.hear)
    holds(connection.close_code() == 1000, "and then the connection is closed with 1000")
    connection = Connection(HOST, PORT, AUTHORITY)
    connection.say("hello", versions=["7"], clock="0", program="x")
    fails(2, "versions of another age", connection.hear)
    connection = greeted()
    connection.say("start", channel="1")
    fails(3, "a start before a login", connection.hear)
    connection = greeted()
    connection.socket.send(b"\x82\x01")
    fails(1, "bytes that cannot be read", connection.hear)
    connection = greeted()
    connection.socket.send("text")
    holds(connection.close_code() == 1003, "a text message closes with 1003")
    connection = greeted()
    connection.socket.send(bytes(65_537))
    holds(connection.close_code() == 1009, "a message of 65,537 bytes closes with 1009")


def main_job():
    """Two replicas: upload, receipt, live update, lists, concurrent deletion."""
    one, two = Replica(f"{USER}/todo"), Replica(f"{USER}/todo")
    first = opened(one)
    first.subscribe(1, QUERY)
    first.start()
    first.connection.until(lambda: first.groups)
    holds(one.point == {"version": "0", "salt": "00" * 8} and "1" in one.faults,
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
    second.say("unsubscribe", number="1")
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
    body = {"string": "0123456789" * 500_000}
    outcome = done(channel, [create("Item", key(9), [initial("body", body)])])
    holds(outcome["kind"] == "accepted" and channel.received,
          "a transaction of 5 MB goes up in parts, past the credit of 4 MB")
    holds(one.object("Item", key(9)).values["body"] == body, "and comes down in parts")
    holds(channel.credit <= 4_194_304, "no more is granted than was used")
    channel.connection.close()

    slow = opened(Replica(one.realm), credit=0)
    slow.grants = False
    slow.subscribe(1, "Item WHERE itemId == 2")
    slow.start()
    slow.subscribe(1, "Item")
    fails(1, "a number of a subscription twice", lambda: slow.connection.until(lambda: False))
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


def returns(one):
    """Resuming, and acknowledgements that are lost."""
    channel = opened(one)
    channel.subscribe(1, QUERY, is_resumed=True)
    channel.start()
    channel.connection.until(lambda: channel.groups)
    holds(channel.groups[0]["views"] == [], "who resumes and has all is sent nothing again")
    channel.confirms = False
    sequence = one.write([setting(named(9, one, one.sequence), "body", {"string": "x"})], clock())
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


def mismatches(one):
    """Whatever does not fit has its own error, and is no acknowledgement."""
    realm = one.realm

    def attempt(code, what, spoil):
        replica = Replica(realm)
        channel = opened(replica)
        channel.start()
        channel.connection.until(lambda: channel.groups)
        done(channel, [])
        spoil(replica, channel)
        fails(code, what, lambda: channel.connection.until(lambda: False))
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
    attempt(1, "a second start", lambda r, c: c.start())
    attempt(1, "an integrated version that was not sent", lambda r, c: c.say(
        "integrated", point={"version": "999999", "salt": "ab" * 8}, acknowledgedSequence="1"))
    attempt(1, "an integrated version with another salt", lambda r, c: c.say(
        "integrated", point={"version": r.point["version"], "salt": "ab" * 8},
        acknowledgedSequence="1"))
    attempt(1, "a receipt that was not sent", lambda r, c: c.say(
        "integrated", point=r.point, acknowledgedSequence="7"))


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
    fails(12, "a later session of the replica", lambda: live.connection.until(lambda: False))
    later.close()
    connection.say("open", channel="8", realm=one.realm, replica=os.urandom(8).hex(),
                   acknowledgedSequence="0", acknowledgedHash="00" * 16,
                   integrated={"version": "0", "salt": "00" * 8}, credit="0")
    connection.expect("opened")
    connection.say("open", channel="8", realm=one.realm, replica=os.urandom(8).hex(),
                   acknowledgedSequence="0", acknowledgedHash="00" * 16,
                   integrated={"version": "0", "salt": "00" * 8}, credit="0")
    failure = fails(18, "an open of an open channel", connection.hear)
    holds(failure.channel is None and connection.close_code() == 1000, "and ends the connection")


def main():
    doors()
    greeting()
    one = main_job()
    long_ones(one)
    returns(one)
    mismatches(one)
    claims(one)
    print("all held")


if __name__ == "__main__":
    main()
