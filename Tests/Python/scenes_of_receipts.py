"""Receipts of every outcome: what may be lost to others' work, and why a transaction is refused."""

from stage import ITEM, USER, caught_up, done, element, holds, key, named, realm, started
from tarn_client import clock
from vectors_of_messages import link
from vectors_of_transactions import (
    create, initial, insert, life, move, remove, schema_class, schema_property, setting)

NODE = schema_class("Node", schema_property("number", "int"), [
    schema_property("text", "string"), schema_property("parent", "link", "Node", optional=True),
    schema_property("words", "string", holds="list"),
    schema_property("nodes", "link", "Node", holds="list")])


def overridden():
    """Each reason for which a change may lose, said of the change that did."""
    one, two = realm("overridden"), realm("overridden")
    first, second = started(one, "Node"), started(two, "Node")
    node = [named(number, one, 1, "Node") for number in range(4)]
    done(first, [{"change": "addClass", "class": NODE}]
         + [create("Node", key(number), []) for number in range(4)]
         + [insert(node[0], "words", {"string": "a"}), insert(node[0], "words", {"string": "b"})])
    caught_up(second, first)
    base = two.point
    # What the second says was said an hour ago, so right behind the base; the first says later
    # than that, by a millisecond at least.
    seen = clock()
    written = seen - 3_600_000
    while clock() <= seen + 1:
        pass
    done(first, [setting(node[0], "text", {"string": "late"}),
                 {"change": "delete", "object": node[1]}, {"change": "delete", "object": node[3]},
                 remove(node[0], "words", element(one, 1, 0)),
                 move(node[0], "words", element(one, 1, 1), after=element(one, 1, 0))])

    def loses(what, reason, property_name, change, number, winner=USER, value=None):
        outcome = done(second, [change, setting(node[2], "text", {"string": what})], base, written)
        entry = {"class": "Node", "key": key(number), "property": property_name, "reason": reason,
                 "winner": winner and {"user": winner, "value": value}}
        holds(outcome == {"kind": "overridden", "overrides": [entry]}, f"{what}: {reason}")

    loses("setting what was deleted", "objectDeleted", "text",
          setting(node[1], "text", {"string": "x"}), 1)
    loses("inserting into what was deleted", "objectDeleted", "words",
          insert(node[1], "words", {"string": "x"}), 1)
    loses("creating what was deleted meanwhile", "objectDeleted", None,
          create("Node", key(3), []), 3)
    loses("setting what was set later", "laterValue", "text",
          setting(node[0], "text", {"string": "early"}), 0, value={"string": "late"})
    loses("moving what was removed", "elementGone", "words",
          move(node[0], "words", element(one, 1, 0)), 0)
    loses("moving what was moved later", "elementGone", "words",
          move(node[0], "words", element(one, 1, 1)), 0, winner=None)
    gone = link(key(1), life(1, one.id))
    loses("linking to what was deleted", "targetDeleted", "parent",
          setting(node[0], "parent", gone), 0)
    loses("inserting what was deleted", "targetDeleted", "nodes", insert(node[0], "nodes", gone), 0)
    outcome = done(second, [create("Node", key(5), [initial("parent", gone)])], base)
    holds(outcome["overrides"][0]["property"] == "parent", "and so in a creation")
    outcome = done(second, [{"change": "delete", "object": node[1]}, remove(
        node[0], "words", element(one, 1, 0))], base)
    holds(outcome == {"kind": "accepted"}, "deleting and removing twice is no loss")
    # A version that changes nothing of a view is no reason for a group; this one is.
    done(second, [setting(node[2], "text", {"string": "the end"})])
    caught_up(first, second)
    holds(one.objects.keys() == two.objects.keys()
          and all(one.objects[name].contents() == two.objects[name].contents()
                  for name in one.objects),
          "after all that, both have the same")
    first.connection.close()
    second.connection.close()


def refused():
    """Each reason for which nothing of a transaction is applied."""
    one = realm("refused")
    channel = started(one, "Item")
    done(channel, [{"change": "addClass", "class": ITEM}, create("Item", key(1), [])])
    item = named(1, one, 1)
    before = one.object("Item", key(1)).values

    def is_refused(what, code, changes, base=None):
        outcome = done(channel, [setting(item, "body", {"string": "never"})] + changes, base)
        holds(outcome["kind"] == "refused" and outcome["code"] == code and outcome["sentence"],
              f"{what}: {code}")

    other = [{**ITEM, "properties": [schema_property("body", "int")]},
             {**ITEM, "primaryKey": schema_property("itemId", "string")},
             {**ITEM, "properties": [schema_property("tags", "string")]}]
    for schema in other:
        is_refused("defining otherwise what is there", "schemaConflict",
                   [{"change": "addClass", "class": schema}])
    is_refused("a class that is not there", "unknownName", [create("Nothing", key(1), [])])
    is_refused("a property that is not there", "unknownName",
               [setting(item, "nothing", {"null": True})])
    is_refused("a primary key that is set", "unknownName", [setting(item, "itemId", {"int": "2"})])
    is_refused("a text for a boolean", "wrongType", [setting(item, "isDone", {"string": "x"})])
    is_refused("null where it is no value", "wrongType", [setting(item, "body", {"null": True})])
    is_refused("a list that is set", "wrongType", [setting(item, "tags", {"string": "x"})])
    is_refused("a key of another type", "wrongType", [create("Item", {"string": "1"}, [])])
    base = one.point
    is_refused("a creation beside what is refused", "unknownName",
               [create("Item", key(2), []), create("Nothing", key(1), [])])
    lost = named(2, one, one.sequence)
    is_refused("a change of what only a refused one created", "dependsOnRefused",
               [setting(lost, "body", {"string": "x"})], base)
    holds(one.object("Item", key(1)).values == before and len(one.objects) == 1,
          "nothing of them was applied")
    holds(done(channel, [setting(item, "body", {"string": "at last"})]) == {"kind": "accepted"}
          and one.sequence == one.acknowledged, "their sequences are used up, and it goes on")
    channel.connection.close()


def restored():
    """What is done for a server that has lost some of what it decided."""
    one = realm("restored")
    channel = started(one, "Item")
    done(channel, [{"change": "addClass", "class": ITEM}, create("Item", key(1), [])])
    item = named(1, one, 1)

    def again(standing, text):
        sequence = one.write([setting(item, "body", {"string": text})], clock())
        one.outbox[sequence]["standing"] = standing
        channel.upload()
        channel.connection.until(lambda: sequence in one.receipts)
        return one.receipts[sequence]

    later = clock() + 3_600_000
    holds(again("decided", "was there")["outcome"] == {"kind": "accepted"},
          "what was applied before is applied again")
    receipt = again("undone", "never")
    holds(receipt["outcome"]["kind"] == "refused"
          and receipt["outcome"]["code"] == "refusedBefore", "what was refused is refused again")
    holds(int(receipt["ticks"]) >> 16 < later, "a server's ticks are not moved")
    holds(one.object("Item", key(1)).values["body"] == {"string": "was there"}, "and does nothing")

    stranger = {"replica": "ab" * 8, "sequence": "3"}
    outcome = done(channel, [create("Item", key(2), []), setting(
        {"class": "Item", "key": key(9), "life": stranger}, "body", {"string": "waits"})])
    holds(outcome["kind"] == "parked" and outcome["creator"] == stranger and outcome["sentence"],
          "a change to what an unheard-of transaction made waits for it")
    holds(one.object("Item", key(2)) is None, "with all that was written with it")
    outcome = done(channel, [setting(named(2, one, one.sequence), "body", {"string": "too"})])
    holds(outcome["kind"] == "parked" and outcome["creator"] == stranger,
          "and what depends on that waits, too")
    channel.connection.close()
