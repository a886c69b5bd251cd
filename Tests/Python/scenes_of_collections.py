"""Sets, maps and counters that two replicas change without knowing of each other; parts, what
belongs to others, and unique values."""

from stage import USER, caught_up, done, holds, key, named, realm, started
from tarn_client import clock
from vectors_of_messages import INT_MAX, INT_MIN, double, link
from vectors_of_transactions import (
    create, increment, initial, insert, life, remove_entry, schema_class, schema_property,
    set_entry, setting)

PLACE = schema_class("Place", schema_property("number", "int"), [
    schema_property("latitude", "double"), schema_property("map", "data", optional=True)], True)
TEAM = schema_class("Team", schema_property("number", "int"), [
    schema_property("slug", "string", optional=True, unique=True),
    schema_property("score", "int"), schema_property("bonus", "int", optional=True),
    schema_property("place", "link", "Place", optional=True),
    schema_property("rooms", "link", "Place", holds="list"),
    schema_property("head", "link", "Team", optional=True, owning=True),
    schema_property("rows", "link", "Team", holds="list", owning=True),
    schema_property("teams", "link", "Team", holds="map", optional=True, owning=True),
    schema_property("fans", "link", "Team", holds="set"),
    schema_property("badges", "data", holds="set"), schema_property("tags", "string", holds="set"),
    schema_property("readings", "double", holds="map"),
    schema_property("counts", "int", holds="map")])
HALF, NAN = double(0x3FE0_0000_0000_0000), double(0x7FF8_0000_0000_0001)
TEXT = {"string": "a"}, {"string": "b"}, {"string": "e\u0301"}
CLASSES = [{"change": "addClass", "class": schema} for schema in (PLACE, TEAM)]


def team(number, replica, sequence=1):
    return named(number, replica, sequence, "Team")


def place(number, replica, sequence=1):
    return named(number, replica, sequence, "Place")


def to(number, replica, sequence=1):
    return link(key(number), life(sequence, replica.id))


def delete(named_object, kind="delete"):
    return {"change": kind, "object": named_object}


def pair(name, changes):
    """Two replicas of a new realm that both have what is made first."""
    one, two = realm(name), realm(name)
    first, second = started(one, "Team SORT(number)"), started(two, "Team SORT(number)")
    for channel in (first, second):
        channel.subscribe(2, "Place")
    holds(done(first, CLASSES + changes) == {"kind": "accepted"}, f"{name}: begun")
    caught_up(second, first)
    return first, second


def agree(first, second):
    """Both hold the same at last."""
    for number, channel, other in ((1001, first, second), (1002, second, first)):
        done(channel, [create("Team", key(number), [])])
        caught_up(other, channel)
    one, two = first.replica, second.replica
    holds(one.objects.keys() == two.objects.keys()
          and all(one.objects[name].contents() == two.objects[name].contents()
                  for name in one.objects), "both have the same")
    first.connection.close()
    second.connection.close()


def override(number, name, reason, winner=USER, value=None, class_name="Team"):
    return {"class": class_name, "key": key(number), "property": name, "reason": reason,
            "winner": winner and {"user": winner, "value": value}}


def overridden(*entries):
    return {"kind": "overridden", "overrides": list(entries)}


def entries():
    """Sets and maps of every sort, up and down, and edited at both ends."""
    first, second = pair("entries", [create("Team", key(number), []) for number in (1, 2, 3)])
    one, two = first.replica, second.replica
    one_team = team(1, one)
    done(first, [
        *(set_entry(one_team, "badges", {"data": digits}) for digits in ("00ff", "")),
        set_entry(one_team, "fans", to(1, one)), set_entry(one_team, "fans", to(2, one)),
        *(set_entry(one_team, "tags", entry) for entry in TEXT),
        set_entry(one_team, "readings", TEXT[0], HALF),
        set_entry(one_team, "readings", TEXT[2], NAN),
        set_entry(one_team, "counts", TEXT[0], {"int": INT_MIN}),
        set_entry(one_team, "teams", TEXT[0], to(3, one)),
        set_entry(one_team, "teams", TEXT[1], {"null": True})])
    caught_up(second, first)
    held = two.object("Team", key(1))
    holds(held.members("badges") == [{"data": ""}, {"data": "00ff"}]
          and len(held.members("tags")) == 3
          and held.members("fans") == [link(key(1)), link(key(2))], "sets come as they went up")
    holds(held.mapping("readings") == {"a": HALF, "e\u0301": NAN}
          and held.mapping("counts") == {"a": {"int": INT_MIN}}
          and held.mapping("teams") == {"a": link(key(3)), "b": {"null": True}}, "and so do maps")

    base = two.point
    seen = clock()
    while clock() <= seen + 1:
        pass
    done(first, [
        remove_entry(one_team, "tags", TEXT[0]), set_entry(one_team, "tags", {"string": "one"}),
        set_entry(one_team, "counts", TEXT[0], {"int": "5"}),
        remove_entry(one_team, "readings", TEXT[0]),
        remove_entry(one_team, "fans", to(1, one)), delete(team(3, one))])
    outcome = done(second, [
        set_entry(one_team, "tags", TEXT[0]), set_entry(one_team, "tags", {"string": "two"}),
        set_entry(one_team, "counts", TEXT[0], {"int": "6"}),
        set_entry(one_team, "counts", TEXT[1], {"int": INT_MAX}),
        set_entry(one_team, "teams", TEXT[1], to(3, one))], base, seen - 3_600_000)
    holds(outcome == overridden(
        override(1, "tags", "laterValue"), override(1, "counts", "laterValue", value={"int": "5"}),
        override(1, "teams", "targetDeleted")), "entries lose one by one, to whoever was later")
    caught_up(first, second)
    held = one.object("Team", key(1))
    holds(held.members("tags") == [{"string": text} for text in ("b", "e\u0301", "one", "two")]
          and held.mapping("counts") == {"a": {"int": "5"}, "b": {"int": INT_MAX}}
          and held.mapping("teams") == {} and held.mapping("readings") == {"e\u0301": NAN}
          and held.members("fans") == [link(key(2))], "and what both added is there")
    agree(first, second)


def counters():
    """What two replicas count adds up, also over a set that did not know of it."""
    first, second = pair("counters", [create("Team", key(1), [initial("bonus", {"int": "1"})])])
    one, two = first.replica, second.replica
    counter, base = team(1, one), two.point
    done(first, [increment(counter, "score", 5)])
    done(second, [increment(counter, "score", INT_MAX), increment(counter, "score", 1)], base)
    caught_up(first, second)
    holds(one.object("Team", key(1)).values["score"] == {"int": str(5 - 2**63)},
          "two replicas count, beyond what 64 bits hold")
    done(second, [setting(counter, "score", {"int": "100"})], base)
    caught_up(first, second)
    holds(one.object("Team", key(1)).values["score"] == {"int": "105"},
          "a set replaces what its author knew, and no more")
    base = two.point
    done(first, [setting(counter, "bonus", {"null": True})])
    outcome = done(second, [increment(counter, "bonus", 1)], base)
    holds(outcome == overridden(override(1, "bonus", "valueIsNull", value={"null": True})),
          "to null nothing is added")
    agree(first, second)


def belongings():
    """Parts have one place; what is owned dies with its last owner."""
    first, second = pair("belongings", [create("Team", key(number), []) for number in (1, 2, 3, 4)])
    one, two = first.replica, second.replica
    outcome = done(first, [create("Place", key(1), [])])
    holds(outcome == overridden(
        override(1, None, "ownerDeleted", winner=None, class_name="Place"))
        and one.object("Place", key(1)) is None, "a part without a place is not there")
    done(first, [create("Place", key(1), [initial("map", {"data": "01"})]),
                 setting(team(1, one), "place", to(1, one, 3)),
                 setting(team(2, one), "head", to(3, one)),
                 insert(team(2, one), "rows", to(4, one)),
                 set_entry(team(1, one), "teams", TEXT[0], to(4, one))])
    caught_up(second, first)
    base, part = two.point, place(1, one, 3)
    done(first, [create("Place", key(2), []), setting(team(1, one), "place", to(2, one, 4)),
                 delete(part, "deleteOwned"), delete(team(2, one)),
                 delete(team(3, one), "deleteOwned")])
    holds(set(one.objects) >= {("Place", (("int", "2"),)), ("Team", (("int", "4"),))}
          and one.object("Place", key(1)) is None and one.object("Team", key(3)) is None,
          "the part that was replaced is dead, and so is what belonged to nobody else")
    outcome = done(second, [
        setting(part, "latitude", HALF), create("Team", key(5), []), create("Place", key(6), []),
        insert(team(2, one), "rows", to(5, two)), insert(team(2, one), "rooms", to(6, two))], base)
    holds(outcome["kind"] == "overridden" and [
        (entry["class"], entry["reason"], entry["property"]) for entry in outcome["overrides"]] == [
            ("Place", "objectDeleted", "latitude"), ("Team", "objectDeleted", "rows"),
            ("Team", "objectDeleted", "rooms"), ("Place", "ownerDeleted", None),
            ("Team", "ownerDeleted", None)], "what is made for a deleted owner dies with it")
    outcome = done(first, [setting(team(4, one), "place", to(2, one, 4))])
    holds(outcome["kind"] == "refused" and outcome["code"] == "heldTwice",
          "a part in two places: heldTwice")
    agree(first, second)


def uniqueness():
    """No two objects have one value of a unique property, other than null."""
    first, second = pair("unique", [create("Team", key(number), []) for number in (1, 2)])
    one, two = first.replica, second.replica
    base = two.point
    holds(done(first, [setting(team(1, one), "slug", TEXT[0])]) == {"kind": "accepted"},
          "nulls are as many as one likes")
    for changes in ([setting(team(2, one), "slug", TEXT[0])],
                    [create("Team", key(3), [initial("slug", TEXT[0])])]):
        outcome = done(second, changes, base)
        holds(outcome["kind"] == "refused" and outcome["code"] == "notUnique"
              and outcome["sentence"], "the second of two: notUnique")
    outcome = done(second, [setting(team(1, one), "slug", TEXT[1]),
                            setting(team(2, one), "slug", TEXT[0])])
    holds(outcome == {"kind": "accepted"}, "only what stands at the end counts")
    agree(first, second)
