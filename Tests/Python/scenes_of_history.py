"""Histories: of a realm and of an object, page by page, and who is refused."""

from stage import done, fails, holds, key, logged_in, named, realm, started
from vectors_of_messages import UINT_MAX
from vectors_of_transactions import (
    create, initial, schema_class, schema_property, set_entry, setting)

END = {"version": UINT_MAX, "index": "0"}
SIGN = schema_class("Sign", schema_property("number", "int"), [
    schema_property("text", "string"), schema_property("marks", "string", holds="set")])


def history():
    """What was done, as it is told."""
    one = realm("history")
    channel = started(one, "Sign")
    connection = logged_in()

    def ask(about=None, before=END, limit=500, name=None):
        connection.say("history", channel="77", realm=name or one.realm, object=about,
                       before=before, limit=str(limit))
        return connection.expect("historyPage")

    holds(ask()["entries"] == [], "a realm where nothing happened has no history")
    sign = named(1, one, 1, "Sign")
    done(channel, [{"change": "addClass", "class": SIGN},
                   create("Sign", key(1), [initial("text", {"string": "a"})])])
    done(channel, [setting(sign, "text", {"string": "b"})])
    done(channel, [setting(sign, "text", {"string": "x" * 5_000}),
                   set_entry(sign, "marks", {"string": "red"})])
    done(channel, [create("Unheard", key(1), [])])
    done(channel, [{"change": "delete", "object": sign}])
    told = ask({"class": "Sign", "key": key(1)})["entries"]
    holds([entry["deed"] for entry in told] == ["3", "10", "2", "2", "2", "1"],
          "an object's history is told, newest first")
    holds(told[3]["tells"]["value"] == {"string": "b"}
          and told[3]["tells"]["before"] == {"string": "a"}, "with what stood there before")
    holds(told[2]["tells"].get("isCut") is True, "but for what is too long")
    holds(told[1]["tells"]["entry"] == {"string": "red"}, "and with the entry of a set")
    whole = ask()["entries"]
    holds("Unheard" in whole[1]["tells"]["sentence"], "a realm's has its refusals")
    seen, before = [], END
    while before:
        page = ask(before=before, limit=2)
        seen += page["entries"]
        before = page["next"]
    holds([entry["place"] for entry in seen] == [entry["place"] for entry in whole],
          "pages together are the whole")
    fails(8, "a question for another's realm", lambda: ask(name="somebody/else"))
    holds(ask(limit=1)["entries"] == whole[:1], "and the connection goes on")
    channel.connection.close()
    connection.close()
