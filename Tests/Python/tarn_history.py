"""Questions for histories and their answers, from Protocol/history.md."""

from tarn_forms import (
    array, boolean, check, pack_transaction, pack_value, read_key, read_transaction, read_value,
    text, unsigned)


def same(item):
    return item


# By key, what an entry may tell.
TELLS = {
    1: ("class", same, text), 2: ("key", pack_value, read_key), 3: ("property", same, text),
    4: ("entry", pack_value, read_value), 5: ("value", pack_value, read_value),
    6: ("before", pack_value, read_value), 7: ("isCut", same, boolean),
    8: ("sentence", same, text)}


def pack_place(place):
    return [int(place["version"]), int(place["index"])]


def read_place(item):
    array(item, 2)
    return {"version": unsigned(item[0]), "index": unsigned(item[1])}


def pack_object(name):
    return [name["class"], pack_value(name["key"])]


def read_object(item):
    array(item, 2)
    return {"class": text(item[0]), "key": read_key(item[1])}


def pack_entry(entry):
    tells = {key: pack(entry["tells"][name]) for key, (name, pack, _) in TELLS.items()
             if name in entry["tells"]}
    return [pack_place(entry["place"]), int(entry["ticks"]),
            pack_transaction(entry["transaction"]), entry["user"], int(entry["deed"]), tells]


def read_entry(item):
    array(item, 6)
    check(isinstance(item[5], dict), "an entry tells by a map")
    check([int(unsigned(key)) for key in item[5]] == sorted(item[5]), "keys out of order")
    check(1 <= int(unsigned(item[4])) <= 12, "an unknown deed")
    tells = {TELLS[key][0]: TELLS[key][2](told) for key, told in item[5].items() if key in TELLS}
    return {"place": read_place(item[0]), "ticks": unsigned(item[1]),
            "transaction": read_transaction(item[2]), "user": text(item[3]),
            "deed": unsigned(item[4]), "tells": tells}
