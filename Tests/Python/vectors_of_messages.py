"""Meanings of the vectors of messages and values, and bytes that a receiver refuses."""

from tarn_cbor import dumps
from tarn_forms import pack_value
from tarn_messages import ERRORS, pack_client, pack_server

REPLICA = "0102030405060708"
OTHER = "fffefdfcfbfaf9f8"
SALT = "a1a2a3a4a5a6a7a8"
HASH = "00112233445566778899aabbccddeeff"
UUID = "01890a5d-ac96-774b-bcce-b302099a8057"
INT_MIN, INT_MAX, UINT_MAX = str(-(2**63)), str(2**63 - 1), str(2**64 - 1)


def link(key, life=None):
    return {"link": {"key": key, "life": life}}


def date(seconds, nanoseconds):
    return {"date": {"seconds": str(seconds), "nanoseconds": str(nanoseconds)}}


def double(bits):
    return {"double": f"{bits:016x}"}


LIFE = {"replica": OTHER, "sequence": "300"}
VALUES = [
    ("null", {"null": True}),
    ("false", {"bool": False}),
    ("true", {"bool": True}),
    ("zero", {"int": "0"}),
    ("the last integer of one byte", {"int": "23"}),
    ("the first integer of two bytes", {"int": "24"}),
    ("minus one", {"int": "-1"}),
    ("an integer of three bytes", {"int": "-65536"}),
    ("an integer of five bytes", {"int": "4294967295"}),
    ("an integer of nine bytes", {"int": "4294967296"}),
    ("the least integer", {"int": INT_MIN}),
    ("the greatest integer", {"int": INT_MAX}),
    ("an empty string", {"string": ""}),
    ("a string with a zero byte and a line feed", {"string": "a\x00\n"}),
    ("e with acute, composed", {"string": "\u00e9"}),
    ("e with acute, decomposed: another string", {"string": "e\u0301"}),
    ("a scalar beyond the first plane", {"string": "\U0001f600"}),
    ("a string of 24 bytes", {"string": "x" * 24}),
    ("a UUID", {"uuid": UUID}),
    ("the nil UUID", {"uuid": "00000000-0000-0000-0000-000000000000"}),
    ("the date 1970", date(0, 0)),
    ("a nanosecond before 1970", date(-1, 999_999_999)),
    ("Swift's distantPast", date(-62_135_769_600, 0)),
    ("the least date", date(INT_MIN, 0)),
    ("the greatest date", date(INT_MAX, 999_999_999)),
    ("the double 1.5", double(0x3FF8_0000_0000_0000)),
    ("the double zero", double(0)),
    ("minus zero: another double", double(1 << 63)),
    ("the least double above zero", double(1)),
    ("minus infinity", double(0xFFF0_0000_0000_0000)),
    ("a quiet NaN", double(0x7FF8_0000_0000_0000)),
    ("a NaN with another payload: another value", double(0x7FF8_0000_0000_0001)),
    ("a signalling NaN below zero", double(0xFFF4_0000_DEAD_BEEF)),
    ("no data", {"data": ""}),
    ("data of 16 bytes, which is no UUID", {"data": "00ff" * 8}),
    ("data of 300 bytes", {"data": "5a" * 300}),
    ("a link to a key that is an integer", link({"int": "-7"})),
    ("a link to a key that is a string", link({"string": "inbox"})),
    ("a link to a key that is a UUID", link({"uuid": UUID})),
    ("a link that names the life", link({"uuid": UUID}, LIFE)),
    ("a link to a life with the greatest sequence",
     link({"int": "1"}, {"replica": "0000000000000000", "sequence": UINT_MAX}))]

VALUES_REFUSED = [
    ("a float of two bytes", "f93e00", "unexpectedType"),
    ("a float of four bytes", "fa3fc00000", "unexpectedType"),
    ("a double that ends too early", "fb3ff80000000000", "truncated"),
    ("data around a text", "d980016161", "unexpectedType"),
    ("data around nothing", "d98001", "truncated"),
    ("the tag of a list, which is no value", "d9800080", "malformed"),
    ("the tag of entries, which are no value", "d9800280", "malformed"),
    ("undefined", "f7", "unexpectedType"),
    ("a simple value", "e0", "unexpectedType"),
    ("an unknown tag", "c11a514b67b0", "malformed"),
    ("an integer above 64 bits signed", "1b8000000000000000", "outOfRange"),
    ("an integer below 64 bits signed", "3b8000000000000000", "outOfRange"),
    ("a string that is not UTF-8", "62c328", "notUTF8"),
    ("half of a surrogate pair in UTF-8", "63eda080", "notUTF8"),
    ("a string of indefinite length", "7f6161ff", "malformed"),
    ("a string that ends too early", "6461", "truncated"),
    ("a UUID of 15 bytes", "4f" + "00" * 15, "malformed"),
    ("a UUID of 17 bytes", "51" + "00" * 17, "malformed"),
    ("a date of one field", "8100", "malformed"),
    ("a date with a whole second of nanoseconds", "82001a3b9aca00", "outOfRange"),
    ("a date with negative nanoseconds", "820020", "outOfRange"),
    ("a date of indefinite length", "9f0000ff", "malformed"),
    ("an empty link", "a0", "malformed"),
    ("a link without its key", "a10101", "malformed"),
    ("a link whose life comes first", "a201824800000000000000000100" + "01", "malformed"),
    ("a link to a link", "a100a10001", "unexpectedType"),
    ("a link to null", "a100f6", "unexpectedType"),
    ("a link to a date", "a100820000", "unexpectedType"),
    ("a link to a life of sequence zero", "a200010182" + "48" + "00" * 8 + "00", "outOfRange"),
    ("a link to a life of seven bytes", "a200010182" + "47" + "00" * 7 + "01", "malformed"),
    ("a link of three pairs", "a3000101820102" + "02f6", "malformed"),
    ("reserved information", "1c", "malformed"),
    ("nothing", "", "truncated")]

POINT = {"version": "41", "salt": SALT}
ZERO_POINT = {"version": "0", "salt": "00" * 8}


def message(kind, **fields):
    return {"kind": kind, **fields}


def entry_of(version, index, deed, **tells):
    return {"place": {"version": str(version), "index": str(index)}, "ticks": UINT_MAX,
            "transaction": {"replica": REPLICA, "sequence": "7"}, "user": "alice",
            "deed": str(deed), "tells": tells}


CLIENT = [
    ("hello", message("hello", versions=["1"], clock="1799999999000", program="tarn-example/1")),
    ("hello with several versions and a clock before 1970",
     message("hello", versions=["1", "2", UINT_MAX], clock="-1", program="")),
    ("register", message("login", provider="password", name="alice", secret="correct horse",
                         register=True)),
    ("login by password", message("login", provider="password", name="alice",
                                  secret="p\u00e4ssw\u00f6rter", register=False)),
    ("login by nickname", message("login", provider="nickname", name="bob", secret=None,
                                  register=False)),
    ("login by token", message("login", provider="token", name=None, secret="c0ffee" * 10,
                               register=False)),
    ("logout", message("logout")),
    ("open, for the first time",
     message("open", channel="1", realm="alice/todo", replica=REPLICA, acknowledgedSequence="0",
             acknowledgedHash="00" * 16, integrated=ZERO_POINT, credit="4194304", options={})),
    ("open again",
     message("open", channel=UINT_MAX, realm="a/b-c_d.e", replica=OTHER,
             acknowledgedSequence="7", acknowledgedHash=HASH, integrated=POINT, credit="0",
             options={})),
    ("subscribe", message("subscribe", channel="1", number="1", depth="3", isResumed=False,
                          tellsDigest=False, query="Item SORT(itemId)", arguments=[])),
    ("subscribe with an argument of each type",
     message("subscribe", channel="2", number="-5", depth="0", isResumed=True, tellsDigest=False,
             query="Item WHERE a == $0 OR b == $1", arguments=[
                 {"null": True}, {"bool": True}, {"int": INT_MIN}, {"string": "\u00e9"},
                 {"uuid": UUID}, date(1, 5), link({"uuid": UUID})])),
    ("unsubscribe", message("unsubscribe", channel="1", number="1")),
    ("start", message("start", channel="1")),
    ("upload, whole", message("upload", channel="1", sequence="1", total="4", offset="0",
                              bytes="83404000")),
    ("upload, a later part", message("upload", channel="1", sequence=UINT_MAX, total="200000",
                                     offset="130816", bytes="00ff" * 100)),
    ("integrated", message("integrated", channel="1", point=POINT, acknowledgedSequence="7")),
    ("credit", message("credit", channel="1", bytes="65408")),
    ("close", message("close", channel="1")),
    ("open in the middle of a series",
     message("open", channel="1", realm="alice/todo", replica=REPLICA, acknowledgedSequence="0",
             acknowledgedHash="00" * 16, integrated=ZERO_POINT, credit="4194304",
             options={"staged": {"point": POINT, "cursor": "80"}})),
    ("open that only asks",
     message("open", channel="3", realm="alice/todo", replica=REPLICA, acknowledgedSequence="0",
             acknowledgedHash="00" * 16, integrated=ZERO_POINT, credit="0",
             options={"inquiry": {
                 "points": [ZERO_POINT, POINT],
                 "probes": [{"sequence": "7", "hash": HASH},
                            {"sequence": UINT_MAX, "hash": "00" * 16}],
                 "receiptsAfter": "6"}})),
    ("open that asks nothing in particular",
     message("open", channel="3", realm="alice/todo", replica=REPLICA, acknowledgedSequence="0",
             acknowledgedHash="00" * 16, integrated=ZERO_POINT, credit="0",
             options={"inquiry": {"points": [], "probes": [], "receiptsAfter": "0"}})),
    ("open after the server was restored",
     message("open", channel="1", realm="alice/todo", replica=REPLICA, acknowledgedSequence="7",
             acknowledgedHash=HASH, integrated=POINT, credit="4194304",
             options={"common": ZERO_POINT})),
    ("subscribe, ready to tell a digest",
     message("subscribe", channel="1", number="1", depth="3", isResumed=True, tellsDigest=True,
             query="Item", arguments=[])),
    ("digest of eight buckets",
     message("digest", channel="1", subscription="1",
             digest="".join(f"{bucket:016x}" for bucket in range(8)))),
    ("history of a realm, from its end",
     message("history", channel="1", realm="alice/todo", object=None,
             before={"version": UINT_MAX, "index": "0"}, limit="20")),
    ("history of an object, from a place on",
     message("history", channel="7", realm="alice/todo",
             object={"class": "Item", "key": {"uuid": UUID}},
             before={"version": "41", "index": "3"}, limit=UINT_MAX))]

CLIENT_ACCEPTED = [
    ("fields at the end are stepped over", "84030001a10203", message("logout")),
    ("a field of text and a nested one at the end", "850701" + "63616263" + "8181f6" + "40",
     message("start", channel="1")),
    ("a float at the end, which no known field may hold", "8203fb3ff0000000000000",
     message("logout")),
    ("integers in longer forms than they need", "82" + "1807" + "190001",
     message("start", channel="1"))]

CLIENT_REFUSED = [
    ("nothing", "", "truncated"),
    ("no array", "03", "unexpectedType"),
    ("an empty array", "80", "malformed"),
    ("an array of indefinite length", "9f03ff", "malformed"),
    ("an unknown kind", "8118ff", "outOfRange"),
    ("kind zero", "8100", "outOfRange"),
    ("a kind of the server's", dumps([64, 1, 0]).hex(), "outOfRange"),
    ("a kind that is a text", "816161", "unexpectedType"),
    ("a start without its channel", "8107", "malformed"),
    ("a channel below zero", "820720", "unexpectedType"),
    ("an item behind the message", "810303", "trailingBytes"),
    ("more fields promised than there are", "830701", "truncated"),
    ("undefined at the end", "8203f7", "malformed"),
    ("too deep at the end", "8203" + "81" * 32 + "00", "tooLarge"),
    ("a login that is half a token", dumps([2, "token", "a", "b", False]).hex(), "malformed"),
    ("a nickname with a secret", dumps([2, "nickname", "a", "b", False]).hex(), "malformed"),
    ("a password without a name", dumps([2, "password", None, "b", False]).hex(), "malformed"),
    ("an unknown provider", dumps([2, "magic", "a", "b", False]).hex(), "malformed"),
    ("a secret of 1025 bytes", dumps([2, "password", "a", "b" * 1025, False]).hex(), "tooLarge"),
    ("a realm without an owner", dumps([4, 1, "todo", bytes(8), 0, bytes(16), [0, bytes(8)],
                                        0, {}]).hex(), "malformed"),
    ("a realm with a capital letter", dumps([4, 1, "Alice/todo", bytes(8), 0, bytes(16),
                                             [0, bytes(8)], 0, {}]).hex(), "malformed"),
    ("a replica of seven bytes", dumps([4, 1, "a/b", bytes(7), 0, bytes(16), [0, bytes(8)],
                                        0, {}]).hex(), "malformed"),
    ("a hash of 32 bytes", dumps([4, 1, "a/b", bytes(8), 0, bytes(32), [0, bytes(8)],
                                  0, {}]).hex(), "malformed"),
    ("a salt of four bytes", dumps([4, 1, "a/b", bytes(8), 0, bytes(16), [0, bytes(4)],
                                    0, {}]).hex(), "malformed"),
    ("a query of 8193 bytes", dumps([5, 1, 1, "x" * 8193, [], 3, False, False]).hex(), "tooLarge"),
    ("65 arguments", dumps([5, 1, 1, "Item", [None] * 65, 3, False, False]).hex(), "tooLarge"),
    ("depth nine", dumps([5, 1, 1, "Item", [], 9, False, False]).hex(), "outOfRange"),
    ("depth below zero", dumps([5, 1, 1, "Item", [], -1, False, False]).hex(), "outOfRange"),
    ("a part that ends behind its whole", dumps([8, 1, 1, 3, 2, b"ab"]).hex(), "outOfRange"),
    ("a part whose end overflows", dumps([8, 1, 1, 2**64 - 1, 2**64 - 1, b"ab"]).hex(),
     "outOfRange"),
    ("a byte string that ends too early", "86080101020042", "truncated"),
    ("a digest of nine buckets", dumps([12, 1, 1, bytes(72)]).hex(), "malformed"),
    ("a digest of seven bytes", dumps([12, 1, 1, bytes(7)]).hex(), "malformed"),
    ("a digest of 8192 buckets", dumps([12, 1, 1, bytes(65536)]).hex(), "tooLarge"),
    ("a history of a realm without a name",
     dumps([13, 1, "todo", None, [0, 0], 1]).hex(), "malformed"),
    ("a history of an object without a key",
     dumps([13, 1, "a/b", ["Item"], [0, 0], 1]).hex(), "malformed"),
    ("options of an open out of order",
     dumps([4, 1, "a/b", bytes(8), 0, bytes(16), [0, bytes(8)], 0,
            {9: None, 1: [[0, bytes(8)], b""]}]).hex(), "malformed")]

SERVER = [
    ("welcome", message("welcome", version="1", clock="1800000000000")),
    ("logged in", message("loggedIn", user="alice", token="0123456789abcdef" * 4)),
    ("logged in by a token", message("loggedIn", user="alice", token=None)),
    ("logged out", message("loggedOut"))] + [
    (f"failed: {name}",
     message("failed", channel="1" if code in (8, 9, 10, 11, 12, 13) else None, code=str(code),
             sentence="A sentence for a person.", isTransient=code in (15, 16, 17),
             advice="What to do." if code in (9, 10) else None))
    for code, name in ERRORS.items()] + [
    ("opened, for the first time",
     message("opened", channel="1", realm="c0c1c2c3c4c5c6c7c8c9cacbcccdcecf", sequence="0",
             hash="00" * 16, latest=ZERO_POINT, credit="4194304", options={})),
    ("opened again",
     message("opened", channel="2", realm="00" * 16, sequence="7", hash=HASH,
             latest={"version": UINT_MAX, "salt": "ff" * 8}, credit=UINT_MAX, options={})),
    ("group, a part", message("group", channel="1", total="200000", offset="65408",
                              bytes="00ff" * 100)),
    ("received", message("received", channel="1", sequence="8", offset="65408")),
    ("credit", message("credit", channel="1", bytes="65408")),
    ("opened, and the series goes on",
     message("opened", channel="1", realm="00" * 16, sequence="7", hash=HASH,
             latest=POINT, credit="4194304", options={"goesOn": True})),
    ("opened, which answers an inquiry",
     message("opened", channel="3", realm="00" * 16, sequence="9", hash=HASH, latest=POINT,
             credit="0", options={"findings": {
                 "common": POINT, "known": "8", "isForeign": False, "receipts": [
                     {"sequence": "8", "hash": HASH, "version": "3", "ticks": "5",
                      "outcome": {"kind": "accepted"}}]}})),
    ("opened, and the id is somebody else's",
     message("opened", channel="3", realm="00" * 16, sequence="0", hash="00" * 16, latest=POINT,
             credit="0", options={"findings": {
                 "common": ZERO_POINT, "known": "0", "isForeign": True, "receipts": []}})),
    ("compare", message("compare", channel="1", subscription="-1")),
    ("a history without anything in it",
     message("historyPage", channel="1", entries=[], next=None, floor="0")),
    ("a history with what an entry can tell",
     message("historyPage", channel="1", next={"version": "40", "index": "0"}, floor="12",
             entries=[
                 entry_of(41, 1, 2, **{"class": "Item", "key": {"int": "1"}, "property": "body",
                                       "value": {"string": "new"}, "before": {"null": True}}),
                 entry_of(41, 0, 10, **{"class": "Item", "key": {"string": "k"},
                                        "property": "tags", "entry": {"string": "red"},
                                        "isCut": True}),
                 entry_of(40, 0, 12, sentence="There is no class Unheard.")]))]

SERVER_ACCEPTED = [
    ("fields at the end are stepped over", dumps([64, 1, 0, ["new"], {"a": None}]).hex(),
     message("welcome", version="1", clock="0"))]

SERVER_REFUSED = [
    ("a kind of the client's", "8107", "outOfRange"),
    ("a welcome without a clock", "82184001", "malformed"),
    ("a realm id of 15 bytes", dumps([68, 1, bytes(15), 0, bytes(16), [0, bytes(8)], 0]).hex(),
     "malformed"),
    ("a failure without advice", dumps([67, None, 1, "x", False]).hex(), "malformed"),
    ("a history with an unknown deed",
     dumps([73, 1, [[[1, 0], 0, [bytes(8), 1], "a", 13, {}]], None, 0]).hex(), "outOfRange"),
    ("a failure whose code is a text", dumps([67, None, "1", "x", False, None]).hex(),
     "unexpectedType")]


def entries(pairs, pack):
    return [{"name": name, "hex": pack(meaning).hex(), "meaning": meaning}
            for name, meaning in pairs]


def accepted(rows):
    return [{"name": name, "hex": digits, "meaning": meaning} for name, digits, meaning in rows]


def refused(rows):
    return [{"name": name, "hex": digits, "why": why} for name, digits, why in rows]


def files():
    return {
        "values": {
            "about": "One value by itself, as in Protocol/forms.md.",
            "vectors": entries(VALUES, lambda value: dumps(pack_value(value))), "accepted": [],
            "refused": refused(VALUES_REFUSED)},
        "client-messages": {
            "about": "One message of the client's, as in Protocol/messages.md.",
            "vectors": entries(CLIENT, pack_client), "accepted": accepted(CLIENT_ACCEPTED),
            "refused": refused(CLIENT_REFUSED)},
        "server-messages": {
            "about": "One message of the server's, as in Protocol/messages.md.",
            "vectors": entries(SERVER, pack_server), "accepted": accepted(SERVER_ACCEPTED),
            "refused": refused(SERVER_REFUSED)}}
