"""Every type of value, key and list content, up and down; arguments; objects that are held; and a
schema that grows."""

from stage import (
    ITEM, NOTHING, caught_up, done, element, holds, key, named, opened, realm, started)
from vectors_of_messages import INT_MAX, INT_MIN, UUID, date, link
from vectors_of_transactions import (
    create, initial, insert, life, move, remove, schema_class, schema_property, setting)

TYPES = ["bool", "int", "string", "uuid", "date", "double", "data"]
NAME = schema_class("Name", schema_property("name", "string"), [])
MARK = schema_class("Mark", schema_property("mark", "uuid"), [])
THING = schema_class("Thing", schema_property("number", "int"), [
    *(schema_property(f"{kind}_", kind) for kind in TYPES),
    *(schema_property(f"any_{kind}", kind, optional=True) for kind in TYPES),
    schema_property("name", "link", "Name", optional=True),
    schema_property("mark", "link", "Mark", optional=True),
    schema_property("next", "link", "Thing", optional=True),
    schema_property("said", "string", default={"string": "by default"}),
    *(schema_property(f"{kind}s", kind, holds="list") for kind in TYPES),
    schema_property("things", "link", "Thing", holds="list")])
SAMPLES = {
    "bool": [{"bool": True}, {"bool": False}], "int": [{"int": INT_MIN}, {"int": INT_MAX}],
    "string": [{"string": "e\u0301 \U0001f600\x00"}, {"string": "\u00e9"}],
    "uuid": [{"uuid": UUID}, {"uuid": "ffffffff-ffff-ffff-ffff-ffffffffffff"}],
    "date": [date(INT_MIN, 0), date(INT_MAX, 999_999_999)],
    # A NaN with a payload, and minus zero; sixteen bytes that are no UUID, and none.
    "double": [{"double": "7ff8000000000001"}, {"double": "8000000000000000"}],
    "data": [{"data": "00ff" * 8}, {"data": ""}]}
ZEROS = {
    "bool_": {"bool": False}, "int_": {"int": "0"}, "string_": {"string": ""},
    "uuid_": {"uuid": "00000000-0000-0000-0000-000000000000"}, "date_": date(0, 0),
    "double_": {"double": "0" * 16}, "data_": {"data": ""},
    "said": {"string": "by default"}}


def every_form():
    """What goes up in each form comes down in it."""
    one, two = realm("forms"), realm("forms")
    first = started(one, "Thing SORT(number)")
    named_once = {"string": "the name"}
    born = life(1, one.id)
    links = {"name": link(named_once, born), "mark": link({"uuid": UUID}, born),
             "next": link(key(1), born)}
    values = [initial(f"{start}{kind}{end}", SAMPLES[kind][0])
              for kind in TYPES for start, end in (("", "_"), ("any_", ""))]
    changes = [{"change": "addClass", "class": schema} for schema in (NAME, MARK, THING)]
    changes += [create("Name", named_once, []), create("Mark", {"uuid": UUID}, []),
                create("Thing", key(1), []),
                create("Thing", key(2), values + [initial("said", {"string": "quietly"}, True)]
                       + [initial(name, value) for name, value in links.items()])]
    holds(done(first, changes) == {"kind": "accepted"}, "objects of every type are created")
    plain, full = one.object("Thing", key(1)).values, one.object("Thing", key(2)).values
    holds(all(plain[name] == value for name, value in ZEROS.items())
          and all(plain[name] == {"null": True} for name in plain if name not in ZEROS),
          "who says nothing has the default, null, or zero")
    holds(all(full[entry["property"]] == entry["value"] for entry in values)
          and full["said"] == {"string": "quietly"}, "every value comes down as it went up")
    holds(all(full[name]["link"] == {"key": value["link"]["key"], "life": None}
              for name, value in links.items()), "links come without a life")

    thing = named(2, one, 1, "Thing")
    changes = [setting(thing, f"any_{kind}", {"null": True}) for kind in TYPES]
    changes += [setting(thing, f"{kind}_", SAMPLES[kind][1]) for kind in TYPES]
    changes += [setting(thing, "mark", {"null": True})]
    ordinal = 0
    for kind in TYPES:
        behind = None
        for sample in SAMPLES[kind]:
            changes.append(insert(thing, f"{kind}s", sample, after=behind))
            behind, ordinal = element(one, 2, ordinal), ordinal + 1
    changes += [insert(thing, "things", link(key(1), life(1, one.id))),
                insert(thing, "things", link(key(2), life(1, one.id)),
                       before=element(one, 2, ordinal))]
    done(first, changes)
    full = one.object("Thing", key(2))
    holds(all(full.elements(f"{kind}s") == SAMPLES[kind] for kind in TYPES), "lists of every type")
    holds([entry["link"]["key"] for entry in full.elements("things")] == [key(2), key(1)],
          "and of links, in their order")
    holds(all(full.values[f"{kind}_"] == SAMPLES[kind][1] for kind in TYPES), "values are set")
    done(first, [move(thing, "ints", element(one, 2, 3), before=element(one, 2, 2))])

    second = started(two, "Thing SORT(number)")
    other = two.object("Thing", key(2))
    holds(other.values == full.values and other.lists == full.lists,
          "another replica has the same, with slots and moved elements")
    arguments(second, {"bool_": SAMPLES["bool"][1], "int_": {"int": INT_MAX},
                       "string_": SAMPLES["string"][1], "uuid_": SAMPLES["uuid"][1],
                       "date_": SAMPLES["date"][1], "double_": SAMPLES["double"][1],
                       "data_": SAMPLES["data"][1], "any_int": {"null": True},
                       "name": link(named_once)})
    other_life(first, second)
    first.connection.close()
    second.connection.close()


def arguments(channel, values):
    """A query is given a value of each type, as an argument."""
    two = channel.replica
    terms = " AND ".join(f"{name} == ${index}" for index, name in enumerate(values))
    channel.subscribe(2, f"Thing WHERE {terms}", values.values(), depth=0)
    channel.connection.until(lambda: "2" in two.members or "2" in two.faults)
    holds([name[1] for name in two.members.get("2", ())] == [(("int", "2"),)],
          f"an argument of each type finds its object {two.faults.get('2', '')}")
    channel.unsubscribe(2)


def other_life(first, second):
    """Keys that are texts and UUIDs depart; one that comes again is another life."""
    one, two = first.replica, second.replica
    for number, name in ((3, "Name"), (4, "Mark")):
        second.subscribe(number, name)
        second.connection.until(lambda: str(number) in two.members)
    gone = [{"class": "Name", "key": {"string": "the name"}, "life": life(1, one.id)},
            {"class": "Mark", "key": {"uuid": UUID}, "life": life(1, one.id)}]
    done(first, [{"change": "delete", "object": named} for named in gone])
    caught_up(second, first)
    holds(two.members["3"] == {} and two.members["4"] == {}
          and two.object("Thing", key(2)).values["name"] == {"null": True},
          "what is deleted departs, and links to it become null")
    done(first, [create("Name", {"string": "the name"}, [])])
    caught_up(second, first)
    holds(two.object("Name", {"string": "the name"}).life == life(5, one.id),
          "a key that comes again is another life")


def held_objects():
    """Links hold objects along, as deep as the subscription says."""
    one, two = realm("held"), realm("held")
    first = started(one, "Thing WHERE number == 1", depth=8)
    chain = [create("Thing", key(number),
                    [initial("next", link(key(number - 1), life(1, one.id)))] if number > 1 else [])
             for number in range(1, 5)]
    done(first, [{"change": "addClass", "class": schema} for schema in (NAME, MARK, THING)] + chain)
    done(first, [setting(named(1, one, 1, "Thing"), "next", link(key(4), life(1, one.id)))])
    holds(len(one.objects) == 4, "a ring of four is held by its one root")
    second = opened(two)
    for depth in (0, 1, 2):
        second.subscribe(depth, "Thing WHERE number == $0", [{"int": "4"}], depth=depth)
    second.start()
    second.connection.until(lambda: second.groups)
    counts = [len(two.members[str(depth)]) for depth in (0, 1, 2)]
    roots = [list(two.members[str(depth)].values()).count(True) for depth in (0, 1, 2)]
    holds(counts == [1, 2, 3] and roots == [1, 1, 1], "each depth holds one more along")
    done(first, [setting(named(3, one, 1, "Thing"), "string_", {"string": "heard of twice"})])
    caught_up(second, first)
    holds(two.object("Thing", key(3)).values["string_"] == {"string": "heard of twice"},
          "a change of an object that two subscriptions hold comes once or twice, and does no harm")
    done(first, [setting(named(4, one, 1, "Thing"), "next", {"null": True})])
    caught_up(second, first)
    holds(len(two.objects) == 1, "what nothing leads to any more departs")
    first.connection.close()
    second.connection.close()


def growing():
    """A class gets a property while somebody has its objects."""
    one, two = realm("growing"), realm("growing")
    first, second = started(one, "Item"), started(two, "Item")
    done(first, [{"change": "addClass", "class": ITEM}, create("Item", key(1), [])])
    caught_up(second, first)
    more = {**ITEM, "properties": ITEM["properties"] + [
        schema_property("count", "int", default={"int": "7"})]}
    done(second, [{"change": "addClass", "class": more}])
    caught_up(first, second)
    holds([entry["class"] for entry in first.groups[-1]["classes"]] == [more],
          "who has the class is told of it anew")
    done(first, [setting(named(1, one, 1), "count", {"int": "8"}),
                 insert(named(1, one, 1), "tags", {"string": "a"}),
                 insert(named(1, one, 1), "tags", {"string": "b"}, after=element(one, 2, 0))])
    done(first, [remove(named(1, one, 1), "tags", element(one, 2, 0)),
                 insert(named(1, one, 1), "tags", {"string": "c"}, after=element(one, 2, 1))])
    caught_up(second, first)
    item = two.object("Item", key(1))
    holds(item.values["count"] == {"int": "8"}
          and item.elements("tags") == [{"string": "b"}, {"string": "c"}],
          "the new property's value comes, and so do changes of a list")
    third = started(realm("growing"), "Item WHERE count == 7")
    holds(third.replica.objects == {} and third.replica.point != NOTHING,
          "a query of the new property is answered")
    for channel in (first, second, third):
        channel.connection.close()
