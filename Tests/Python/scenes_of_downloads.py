"""Large downloads: they come as a series of groups, and go on where they were cut."""

import copy

from stage import ITEM, NOTHING, caught_up, done, holds, key, named, opened, realm, started
from tarn_client import CREDIT
from tarn_group import read_delta
from vectors_of_transactions import (
    create, initial, insert, schema_class, schema_property, setting)

COUNT = 1200
# How many the writer creates first: a transaction has at most 1,000 changes.
FIRST = 600
NOTE = schema_class("Note", schema_property("noteId", "int"), [schema_property("body", "string")])
NUMBERS = range(COUNT)


def text(number, more=""):
    return {"string": f"object {number}{more}"}


def item(one, number):
    """An object as the replica that wrote them all names it."""
    return named(number, one, 1 if number < FIRST else 2)


def does(channel, changes):
    holds(done(channel, changes) == {"kind": "accepted"}, f"{len(changes)} changes are accepted")


def written(channel):
    """1,200 small objects, of which every hundredth has a list; and what they say."""
    classes = [{"change": "addClass", "class": schema} for schema in (ITEM, NOTE)]
    for numbers in (NUMBERS[:FIRST], NUMBERS[FIRST:]):
        does(channel, classes + [create("Item", key(number), [initial("body", text(number))])
                                 for number in numbers]
             + [insert(item(channel.replica, number), "tags", text(number))
                for number in numbers[::100]])
        classes = []
    return {number: text(number) for number in NUMBERS}


def has(replica, expected):
    """Whether a replica has just the objects of these numbers, with these texts."""
    return expected == {int(dict(name[1])["int"]): found.values["body"]
                        for name, found in replica.objects.items() if name[0] == "Item"}


def shown(replica):
    """All that a replica shows, to be compared with what it or another one does."""
    return copy.deepcopy((replica.members, {
        name: (found.life, found.contents()) for name, found in replica.objects.items()}))


def deltas(groups):
    return [read_delta(bytes.fromhex(view["delta"]))
            for group in groups for view in group["views"]]


def arrived(groups):
    """The numbers of the objects that came whole, in their order."""
    return [int(arrival["object"]["key"]["int"]) for delta in deltas(groups)
            for arrival in delta["arrivals"]]


def taken_in(channel):
    """Takes a series in, and says whether nothing of it showed before its end."""
    replica, before = channel.replica, shown(channel.replica)
    begun, is_hidden = replica.point, True
    while replica.point == begun:
        is_hidden = is_hidden and shown(replica) == before and channel.confirmed == []
        count = len(channel.groups) + 1
        channel.connection.until(lambda needed=count: len(channel.groups) >= needed)
    return is_hidden


def subscribed(replica, *queries, is_resumed=False, **options):
    """An open channel with queries under the numbers from 1; a series begins or goes on."""
    channel = opened(replica, **options)
    for number, query in enumerate(queries, 1):
        channel.subscribe(number, query, is_resumed=is_resumed)
    channel.start()
    return channel


def stopped(replica, length, *queries, **options):
    """A channel that stands still inside the second group, when the first is of that length."""
    channel = subscribed(replica, *queries, credit=length + 1000, **options)
    channel.grants = False
    channel.connection.until(lambda: channel.granted == 0)
    return channel


def cut(*arguments, **options):
    channel = stopped(*arguments, **options)
    channel.connection.close()
    return channel.groups


def downloads():
    """All of it, in one realm."""
    writer = started(realm("large"))
    expected = written(writer)
    length = series(expected)
    gone_on_with(writer, expected, length)
    begun_anew(expected, length)
    other_numbers(length)
    coming_and_going(length)
    difference(writer, expected)
    writer.connection.close()


def series(expected):
    """A first download comes in pieces and shows at its end; the length of the first piece."""
    channel = subscribed(realm("large"), "Item")
    is_hidden = taken_in(channel)
    groups = channel.groups
    staged = [group["progress"] for group in groups if "progress" in group]
    holds(len(staged) >= 2 and staged == [group.get("progress") for group in groups[:-1]],
          f"1,200 objects come in {len(groups)} groups, of which the last ends the series")
    holds(is_hidden, "nothing shows before the last one, and nothing is confirmed")
    told = [int(progress["done"]) for progress in staged]
    holds(told == sorted(set(told)) and 0 < told[0] and told[-1] < COUNT,
          f"each says that more is done: {told}")
    holds({progress["total"] for progress in staged} == {str(COUNT)}, "of just so many")
    holds(all(len(arrived([group])) <= 500 for group in groups)
          and sorted(arrived(groups)) == list(NUMBERS), "each object comes once")
    holds(has(channel.replica, expected) and len(channel.confirmed) == 1,
          "at the end all of them are there, and are confirmed at once")
    channel.connection.close()
    return channel.lengths[0]


def meanwhile(writer, expected, before, behind):
    """What another replica does while a download is cut."""
    one, changes = writer.replica, []
    for edited, deleted, created in ((before[0], before[1], -1), (behind[0], behind[1], COUNT)):
        expected |= {edited: text(edited, "!"), created: text(created)}
        del expected[deleted]
        changes += [setting(item(one, edited), "body", expected[edited]),
                    {"change": "delete", "object": item(one, deleted)},
                    create("Item", key(created), [initial("body", expected[created])])]
    does(writer, changes)


def gone_on_with(writer, expected, length):
    """A download that is cut goes on where it was."""
    replica = realm("large")
    before = arrived(cut(replica, length, "Item"))
    holds(len(replica.staged) == 1 and replica.objects == {} and replica.point == NOTHING,
          "of a download that was cut the groups that came whole are stored, and do not show")
    meanwhile(writer, expected, before, sorted(expected.keys() - set(before)))
    again = subscribed(replica, "Item")
    holds(again.goes_on and len(replica.staged) == 1, "it goes on when the channel is opened again")
    holds(taken_in(again), "what was stored does not show before the rest is there")
    holds(has(replica, expected), "then all is of one version, with what others did meanwhile")
    holds(not set(before) & set(arrived(again.groups)), "and nothing came a second time")
    expected[before[2]] = text(before[2], "?")
    does(writer, [setting(item(writer.replica, before[2]), "body", expected[before[2]])])
    caught_up(again, writer)
    holds(has(replica, expected), "from there on it hears of changes as ever")
    again.connection.close()


def begun_anew(expected, length):
    """Where the server does not know what is staged, it begins anew."""
    replica = realm("large")
    cut(replica, length, "Item")
    right = replica.staged
    salt, cursor = replica.place()["point"]["salt"], replica.place()["cursor"]
    for what, other_salt, other in (
            ("cursor of nonsense", salt, "ff00" * 20), ("cursor of no bytes", salt, ""),
            ("cursor that ends too soon", salt, cursor[:-2]),
            ("point of another history", "07" * 8, cursor)):
        replica.staged = copy.deepcopy(right)
        group = replica.staged[-1].group
        group["to"]["salt"], group["progress"]["cursor"] = other_salt, other
        again = opened(replica)
        holds(not again.goes_on and replica.staged == [],
              f"by a {what} nothing goes on, and what was staged is thrown away")
        again.connection.close()
    again = subscribed(replica, "Item")
    taken_in(again)
    holds(again.groups[0]["from"] == NOTHING and sorted(arrived(again.groups)) == sorted(expected)
          and has(replica, expected), "and the whole comes from its beginning")
    again.connection.close()


def other_numbers(length):
    """What is in a series, and not told again under its number, is left out of it."""
    replica = realm("large")
    cut(replica, length, "Item", "Note")
    again, alike = opened(replica), opened(realm("large"))
    for channel in (again, alike):
        channel.subscribe(3, "Item WHERE itemId > 300")
        channel.subscribe(4, "Item")
        channel.start()
        taken_in(channel)
        channel.connection.close()
    holds(again.goes_on and shown(replica) == shown(alike.replica),
          "under another number a query comes whole, and what had the old one is left out")


def coming_and_going(length):
    """Subscriptions that join a series in its middle, or are given up there."""
    replica = realm("large")
    channel = stopped(replica, length, "Item", "Note")
    channel.subscribe(3, "Item WHERE itemId > 300")
    channel.unsubscribe(1)
    channel.grants = True
    channel.grant(CREDIT)
    channel.connection.until(lambda: "3" in replica.members)
    fresh = opened(realm("large"))
    fresh.subscribe(2, "Note")
    fresh.subscribe(3, "Item WHERE itemId > 300")
    fresh.start()
    taken_in(fresh)
    holds(shown(replica) == shown(fresh.replica),
          "a subscription joins a series in the middle, and another one is given up")
    channel.connection.close()
    fresh.connection.close()


def difference(writer, expected):
    """A large difference from what a replica has is a series, too."""
    one, replica = writer.replica, realm("large")
    first = subscribed(replica, "Item")
    taken_in(first)
    first.connection.close()
    numbers = sorted(expected.keys() & set(NUMBERS))
    for some in (numbers[:FIRST], numbers[FIRST:]):
        expected |= {number: text(number, "...") for number in some}
        does(writer, [setting(item(one, number), "body", expected[number]) for number in some])
    before, was = shown(replica), replica.point
    trial = subscribed(copy.deepcopy(replica), "Item", is_resumed=True)
    trial.connection.until(lambda: trial.lengths)
    trial.connection.close()
    cut(replica, trial.lengths[0], "Item", is_resumed=True)
    holds(len(replica.staged) == 1 and shown(replica) == before and replica.point == was,
          "a difference that is cut leaves what was there")
    again = subscribed(replica, "Item", is_resumed=True)
    holds(again.goes_on and taken_in(again) and has(replica, expected),
          "and goes on to its end")
    holds(arrived(again.groups) == [], "by changes alone")
    again.connection.close()
