"""The worked session of Protocol/session.md, message by message."""

from tarn_group import pack_delta, pack_group
from tarn_messages import pack_client, pack_server
from tarn_transaction import ZERO_HASH, next_hash, pack_body, pack_upload
from vectors_of_messages import REPLICA, UUID, ZERO_POINT, date, message
from vectors_of_transactions import (
    create, initial, insert, item, life, schema_class, schema_property, setting, slot)
from vectors_of_views import arrival, change, content, delta, key, list_change, placed

CLOCK = 1_799_999_999_000
NOW = 1_800_000_000_000
REALM = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"
TOKEN = "0123456789abcdef" * 4
SALTS = ["a1a2a3a4a5a6a7a8", "b1b2b3b4b5b6b7b8"]
POINTS = [ZERO_POINT, {"version": "1", "salt": SALTS[0]}, {"version": "2", "salt": SALTS[1]}]
ITEM = schema_class("Item", schema_property("itemId", "uuid"), [
    schema_property("body", "string"), schema_property("isDone", "bool"),
    schema_property("due", "date", optional=True), schema_property("tags", "string", holds="list")])
DUE = date(1_800_086_400, 0)

BODIES = [
    {"replica": REPLICA, "sequence": "1", "base": POINTS[0], "changes": [
        {"change": "addClass", "class": ITEM},
        create("Item", {"uuid": UUID}, [initial("body", {"string": "buy milk"})])]},
    {"replica": REPLICA, "sequence": "2", "base": POINTS[1], "changes": [
        setting(item(1), "isDone", {"bool": True}), setting(item(1), "due", DUE),
        insert(item(1), "tags", {"string": "dairy"})]}]

# What the view of the subscription learns with each of them.
DELTAS = [
    delta(arrivals=[arrival(key(0, {"uuid": UUID}), life(1), True, [
        {"value": {"string": "buy milk"}}, {"value": {"bool": False}}, {"value": {"null": True}},
        {"list": []}])]),
    delta(changes=[change(
        key(0, {"uuid": UUID}), [(1, {"bool": True}), (2, DUE)],
        [list_change(3, [], [placed(content(slot(2, 0), {"string": "dairy"}))])])])]


class Session:
    """Collects the steps."""

    def __init__(self):
        self.steps = []
        self.hash = ZERO_HASH

    def client(self, now, said, **inside):
        self.steps.append({"from": "client", "now": str(now), "hex": pack_client(said).hex(),
                           "meaning": said, **inside})
        return pack_client(said)

    def server(self, said, **inside):
        self.steps.append({"from": "server", "hex": pack_server(said).hex(), "meaning": said,
                           **inside})

    def upload(self, now, index, ticks):
        body = pack_body(BODIES[index])
        self.hash = next_hash(self.hash, body)
        sealed = {"body": body.hex(), "hash": self.hash.hex(), "clockTicks": str(ticks)}
        whole = pack_upload(sealed)
        self.client(now, message("upload", channel="1", sequence=str(index + 1),
                                 total=str(len(whole)), offset="0", bytes=whole.hex()),
                    upload=sealed, transaction=BODIES[index])
        self.server(message("credit", channel="1", bytes=str(len(whole))))

    def group(self, inside, views):
        whole = pack_group(inside)
        self.server(message("group", channel="1", total=str(len(whole)), offset="0",
                            bytes=whole.hex()), group=inside, deltas=views)
        return len(whole)

    def integrated(self, now, index, taken):
        self.client(now, message("integrated", channel="1", point=POINTS[index],
                                 acknowledgedSequence=str(index)))
        self.client(now, message("credit", channel="1", bytes=str(taken)))


def whole_group(index, now, session, ticks, is_full):
    return {"from": POINTS[index], "to": POINTS[index + 1], "time": str(now),
            "classes": [{"number": "0", "class": ITEM}] if index == 0 else [],
            "views": [{"subscription": "1", "isFull": is_full,
                       "delta": pack_delta(DELTAS[index]).hex()}],
            "receipts": [{"sequence": str(index + 1), "hash": session.hash.hex(),
                          "version": str(index + 1), "ticks": str(ticks),
                          "outcome": {"kind": "accepted"}}],
            "faults": []}


def session():
    made = Session()
    made.client(NOW, message("hello", versions=["1"], clock=str(CLOCK),
                             program="tarn-example/1"))
    made.server(message("welcome", version="1", clock=str(NOW)))
    made.client(NOW + 100, message("login", provider="password", name="alice",
                                   secret="correct horse", register=True))
    made.server(message("loggedIn", user="alice", token=TOKEN))
    made.client(NOW + 200, message(
        "open", channel="1", realm="alice/todo", replica=REPLICA, acknowledgedSequence="0",
        acknowledgedHash=ZERO_HASH.hex(), integrated=ZERO_POINT, credit="4194304",
        options={}))
    made.server(message("opened", channel="1", realm=REALM, sequence="0", hash=ZERO_HASH.hex(),
                        latest=ZERO_POINT, credit="4194304", options={}))
    made.client(NOW + 300, message("subscribe", channel="1", number="1", query="Item",
                                   arguments=[], depth="3", isResumed=False,
                                   tellsDigest=False))
    made.client(NOW + 300, message("start", channel="1"))
    taken = made.group({"from": ZERO_POINT, "to": ZERO_POINT, "time": str(NOW + 300),
                        "classes": [], "views": [], "receipts": [], "faults": [
                            {"subscription": "1",
                             "sentence": "unknown class \"Item\" (at character 1)"}]}, [])
    made.integrated(NOW + 310, 0, taken)
    # The client's clock is a second behind: the stamp is corrected by that, and is not in the
    # server's future.
    made.upload(NOW + 600, 0, (CLOCK + 500) << 16)
    ticks = (NOW + 500) << 16
    taken = made.group(whole_group(0, NOW + 600, made, ticks, True), [DELTAS[0]])
    made.integrated(NOW + 700, 1, taken)
    # Written in the same millisecond as the first, yet later: above all that was visible.
    made.upload(NOW + 800, 1, (CLOCK + 500) << 16)
    taken = made.group(whole_group(1, NOW + 800, made, ticks + 1, False), [DELTAS[1]])
    made.integrated(NOW + 900, 2, taken)
    made.client(NOW + 1000, message("close", channel="1"))
    made.client(NOW + 1100, message("logout"))
    made.server(message("loggedOut"))
    return made.steps


def files():
    return {"session": {
        "about": "The worked session of Protocol/session.md. `now` is the server's clock when the "
                 "client's message comes; `upload`, `transaction`, `group` and `deltas` are what "
                 "the byte string of a message holds.",
        "realm": REALM, "token": TOKEN, "salts": SALTS, "steps": session()}}
