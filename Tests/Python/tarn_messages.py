"""The messages of both sides, from Protocol/messages.md."""

from functools import partial

from tarn_cbor import dumps, loads
from tarn_forms import (
    array, boolean, check, octets, optional, pack_point, pack_replica, pack_value, read_point,
    read_replica, read_value, signed, text, unsigned)
from tarn_group import pack_receipt, read_receipt
from tarn_history import (
    pack_entry, pack_object, pack_place, read_entry, read_object, read_place)

MESSAGE_BYTES_MAX = 65_536
CREDENTIAL_BYTES_MAX = 1_024
QUERY_BYTES_MAX = 8_192
ARGUMENTS_MAX = 64
DEPTH_MAX = 8
ERRORS = {
    1: "protocolViolation", 2: "versionUnsupported", 3: "notLoggedIn", 4: "loginRefused",
    5: "providerDisabled", 6: "nameTaken", 7: "nameInvalid", 8: "realmRefused", 9: "forked",
    10: "rewound", 11: "sequenceGap", 12: "fenced", 13: "queryInvalid", 14: "tooLarge",
    15: "overloaded", 16: "storageFailed", 17: "shuttingDown", 18: "channelInvalid"}
PART = ["total", "offset", "bytes"]
CLIENT = {
    1: ("hello", ["versions", "clock", "program"]),
    2: ("login", ["provider", "name", "secret", "register"]),
    3: ("logout", []),
    4: ("open", ["channel", "realm", "replica", "acknowledgedSequence", "acknowledgedHash",
                 "integrated", "credit", "options"]),
    5: ("subscribe", ["channel", "number", "query", "arguments", "depth", "isResumed",
                      "tellsDigest"]),
    6: ("unsubscribe", ["channel", "number"]),
    7: ("start", ["channel"]),
    8: ("upload", ["channel", "sequence"] + PART),
    9: ("integrated", ["channel", "point", "acknowledgedSequence"]),
    10: ("credit", ["channel", "bytes"]),
    11: ("close", ["channel"]),
    12: ("digest", ["channel", "subscription", "digest"]),
    13: ("history", ["channel", "realm", "object", "before", "limit"])}
SERVER = {
    64: ("welcome", ["version", "clock"]),
    65: ("loggedIn", ["user", "token"]),
    66: ("loggedOut", []),
    67: ("failed", ["channel", "code", "sentence", "isTransient", "advice"]),
    68: ("opened", ["channel", "realm", "sequence", "hash", "latest", "credit", "options"]),
    69: ("group", ["channel"] + PART),
    70: ("received", ["channel", "sequence", "offset"]),
    71: ("credit", ["channel", "bytes"]),
    72: ("compare", ["channel", "subscription"]),
    73: ("historyPage", ["channel", "entries", "next", "floor"])}
# By key, the options that a message may have.
OPTIONS = {"open": {1: "staged", 2: "inquiry", 3: "common"},
           "opened": {1: "goesOn", 2: "findings"}}
POINTS_MAX = 1000
PROBES_MAX = 256


def pack_hex(digits):
    return bytes.fromhex(digits)


def same(item):
    return item


def read_depth(item):
    check(0 <= int(signed(item)) <= DEPTH_MAX, "a depth out of range")
    return signed(item)


def read_query(item):
    check(len(text(item).encode()) <= QUERY_BYTES_MAX, "a query is too long")
    return item


def read_arguments(item):
    check(len(array(item)) <= ARGUMENTS_MAX, "too many arguments")
    return [read_value(argument) for argument in item]


def read_credential(item):
    credential = optional(text, item)
    check(len((credential or "").encode()) <= CREDENTIAL_BYTES_MAX, "a credential is too long")
    return credential


def read_realm_name(item):
    halves = text(item).split("/")
    check(len(halves) == 2 and all(map(is_name, halves)), "no name of a realm")
    return item


def pack_staged(staged):
    return [pack_point(staged["point"]), bytes.fromhex(staged["cursor"])]


def read_staged(item):
    array(item, 2)
    return {"point": read_point(item[0]), "cursor": octets(item[1])}


def pack_inquiry(inquiry):
    return [[pack_point(point) for point in inquiry["points"]],
            [[int(probe["sequence"]), bytes.fromhex(probe["hash"])] for probe in inquiry["probes"]],
            int(inquiry["receiptsAfter"])]


def read_inquiry(item):
    points, probes, after = array(item, 3)
    check(len(array(points)) <= POINTS_MAX, "too many points")
    check(len(array(probes)) <= PROBES_MAX, "too many probes")
    return {"points": [read_point(point) for point in points],
            "probes": [{"sequence": unsigned(array(probe, 2)[0]), "hash": octets(probe[1], 16)}
                       for probe in probes],
            "receiptsAfter": unsigned(after)}


def pack_findings(findings):
    return [pack_point(findings["common"]), int(findings["known"]),
            [pack_receipt(receipt) for receipt in findings["receipts"]], findings["isForeign"]]


def read_findings(item):
    common, known, receipts, foreign = array(item, 4)
    return {"common": read_point(common), "known": unsigned(known),
            "receipts": [read_receipt(receipt) for receipt in array(receipts)],
            "isForeign": boolean(foreign)}


def read_digest(item):
    check(is_bucket_count(len(octets(item)) / 16), "no number of buckets")
    return octets(item)


def is_bucket_count(count):
    return count in (8 << power for power in range(10))


def is_name(name):
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    return 1 <= len(name) <= 64 and name[0] in letters and all(c in letters + "-_." for c in name)


# By field: from the meaning to the item, and from the item to the meaning.
INTEGER = (int, unsigned)
SIGNED = (int, signed)
TEXT = (same, text)
BOOLEAN = (same, boolean)
FORMS = {
    "channel": INTEGER, "sequence": INTEGER, "credit": INTEGER, "total": INTEGER,
    "offset": INTEGER, "acknowledgedSequence": INTEGER, "version": INTEGER, "code": INTEGER,
    "clock": SIGNED, "number": SIGNED, "program": TEXT, "provider": TEXT, "user": TEXT,
    "sentence": TEXT, "register": BOOLEAN, "isResumed": BOOLEAN, "isTransient": BOOLEAN,
    "versions": (lambda entries: [int(entry) for entry in entries],
                 lambda item: [unsigned(entry) for entry in array(item)]),
    "name": (same, read_credential), "secret": (same, read_credential),
    "token": (same, lambda item: optional(text, item)),
    "advice": (same, lambda item: optional(text, item)),
    "replica": (pack_replica, read_replica),
    "acknowledgedHash": (pack_hex, lambda item: octets(item, 16)),
    "hash": (pack_hex, lambda item: octets(item, 16)),
    "integrated": (pack_point, read_point), "point": (pack_point, read_point),
    "latest": (pack_point, read_point), "query": (same, read_query),
    "arguments": (lambda values: [pack_value(value) for value in values], read_arguments),
    "depth": (int, read_depth), "subscription": SIGNED, "digest": (pack_hex, read_digest),
    "limit": INTEGER, "floor": INTEGER, "before": (pack_place, read_place),
    "next": (lambda place: place and pack_place(place), lambda item: optional(read_place, item)),
    "object": (lambda name: name and pack_object(name), lambda item: optional(read_object, item)),
    "entries": (lambda entries: [pack_entry(entry) for entry in entries],
                lambda item: [read_entry(entry) for entry in array(item)]),
    "tellsDigest": BOOLEAN, "goesOn": BOOLEAN, "staged": (pack_staged, read_staged),
    "inquiry": (pack_inquiry, read_inquiry), "findings": (pack_findings, read_findings),
    "common": (pack_point, read_point)}


def form(kind, field):
    if field == "bytes":
        return INTEGER if kind == "credit" else (pack_hex, octets)
    if field == "realm":
        if kind in ("open", "history"):
            return same, read_realm_name
        return pack_hex, lambda item: octets(item, 16)
    if field == "options":
        return partial(pack_options, OPTIONS[kind]), partial(read_options, OPTIONS[kind])
    if (kind, field) == ("failed", "channel"):
        return (lambda item: optional(int, item)), (lambda item: optional(unsigned, item))
    return FORMS[field]


def pack_message(table, message):
    kind = message["kind"]
    number, (_, fields) = next(entry for entry in table.items() if entry[1][0] == kind)
    return dumps([number] + [form(kind, field)[0](message[field]) for field in fields])


def read_message(table, data):
    check(len(data) <= MESSAGE_BYTES_MAX, "a message is too long")
    item = array(loads(data))
    number = int(unsigned(item[0])) if item else 0
    check(number in table, "an unknown kind of message")
    kind, fields = table[number]
    # What stands behind the known fields is for later versions.
    check(len(item) > len(fields), "a message lacks fields")
    message = {"kind": kind}
    for field, entry in zip(fields, item[1:]):
        message[field] = form(kind, field)[1](entry)
    check_message(message)
    return message


def pack_options(known, options):
    return {key: FORMS[name][0](options[name]) for key, name in known.items() if name in options}


def read_options(known, item):
    check(isinstance(item, dict), "no map of options")
    check([int(unsigned(key)) for key in item] == sorted(item), "options out of order")
    return {known[key]: FORMS[known[key]][1](entry) for key, entry in item.items() if key in known}


def check_message(message):
    if "total" in message:
        end = int(message["offset"]) + len(message["bytes"]) // 2
        check(end <= int(message["total"]), "a part ends behind the whole")
    if message["kind"] == "login":
        given = (message["provider"], message["name"] is not None, message["secret"] is not None)
        check(given in (("password", True, True), ("nickname", True, False),
                        ("token", False, True)), "no form of a login")


def pack_client(message):
    return pack_message(CLIENT, message)


def read_client(data):
    return read_message(CLIENT, data)


def pack_server(message):
    return pack_message(SERVER, message)


def read_server(data):
    return read_message(SERVER, data)
