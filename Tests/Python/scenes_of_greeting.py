"""TLS, HTTP and WebSocket; hello, login and logout; and what may not be said before."""

import http.client
import json
import ssl

from stage import (
    AUTHORITY, HOST, PASSWORD, PORT, SMALL_PORT, USER, connected, fails, greeted, holds, opened,
    realm, started)
from tarn_cbor import dumps
from tarn_client import clock
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

INT_MIN, INT_MAX = -(2**63), 2**63 - 1


def doors():
    context = ssl.create_default_context()
    refused = False
    try:
        connect(f"wss://{HOST}:{PORT}/sync", ssl=context, subprotocols=["tarn.1"])
    except ssl.SSLCertVerificationError:
        refused = True
    holds(refused, "who does not know the authority does not connect")
    context = ssl.create_default_context(cafile=AUTHORITY)
    for path, protocols, origin, status in (
            ("/sync", ["tarn.2"], None, 400), ("/other", ["tarn.1"], None, 404),
            ("/sync", ["tarn.1"], "https://example.org", 403)):
        code = None
        try:
            connect(f"wss://{HOST}:{PORT}{path}", ssl=context, subprotocols=protocols,
                    origin=origin)
        except InvalidStatus as error:
            code = error.response.status_code
        holds(code == status, f"{path}, {protocols[0]}, {origin} is answered {status} (got {code})")
    health = http.client.HTTPSConnection(HOST, PORT, context=context)
    health.request("GET", "/health")
    answer = health.getresponse()
    holds(answer.status == 200 and json.loads(answer.read())["healthy"], "the health is told")
    health.close()


def hellos():
    connection = connected()
    welcome = connection.hello()
    holds(welcome["version"] == "1" and abs(int(welcome["clock"]) - clock()) < 60_000, "welcome")
    connection.close()
    for versions, now in ((["7", "1", str(2**64 - 1)], INT_MIN), (["1", "1"], INT_MAX)):
        connection = connected()
        holds(connection.hello(versions, now)["version"] == "1",
              f"of the versions {versions} the one that both speak is chosen, clock {now}")
        connection.close()
    for versions in (["7"], ["2", "3"], []):
        connection = connected()
        fails(2, f"hello with the versions {versions}", lambda: connection.hello(versions))
        holds(connection.close_code() == 1000, "and then the connection is closed with 1000")
    connection = greeted()
    fails(1, "a second hello", connection.hello)
    connection = connected()
    connection.say("logout")
    fails(1, "anything before hello", connection.hear)

    connection = connected()
    connection.socket.send(dumps([1, [1], 0, "x", ["a later field", 1.5], {"and": [None]}]))
    holds(connection.expect("welcome")["version"] == "1", "fields of later versions do no harm")
    connection.socket.send(iter([b"\x82", b"", b"\x01"]))
    fails(1, "a message in fragments that cannot be read", connection.hear)
    connection = greeted()
    connection.socket.send(dumps([99]))
    fails(1, "a message of an unknown kind", connection.hear)
    connection = greeted()
    connection.socket.send("text")
    holds(connection.close_code() == 1003, "a text message closes with 1003")
    connection = greeted()
    connection.socket.send(bytes(65_537))
    holds(connection.close_code() == 1009, "a message of 65,537 bytes closes with 1009")


def logins():
    connection = connected()
    connection.hello()
    holds(connection.login("password", USER, PASSWORD, register=True)["user"] == USER, "register")
    connection.close()

    connection = greeted()
    fails(6, "a name that is taken", lambda: connection.login("password", USER, "x" * 9, True))
    fails(4, "a wrong password", lambda: connection.login("password", USER, "wrong horse"))
    fails(4, "an unknown name", lambda: connection.login("password", USER + "-2", "wrong horse"))
    fails(7, "a short password", lambda: connection.login("password", USER + "2", "short", True))
    fails(7, "a name with a capital", lambda: connection.login("password", "Alice", "x" * 9, True))
    fails(4, "the nickname of one who has a password",
          lambda: connection.login("nickname", USER))
    fails(7, "a nickname that begins with a dot", lambda: connection.login("nickname", ".bob"))
    token = connection.login("password", USER, PASSWORD)["token"]
    holds(32 <= len(token) <= 1024, "after refusals, the connection still takes a login")
    fails(1, "a login of one who is logged in",
          lambda: connection.login("password", USER, PASSWORD))
    bob = greeted()
    answer = bob.login("nickname", "bob")
    holds(answer["user"] == "bob" and answer["token"], "login by nickname")
    bob.close()
    second = greeted()
    answer = second.login("token", secret=token)
    holds(answer == {"kind": "loggedIn", "user": USER, "token": None}, "login by token")
    second.logout()
    fails(4, "a token after its logout", lambda: second.login("token", secret=token))
    second.close()

    strict = greeted(SMALL_PORT)
    failure = fails(5, "registration where it is switched off",
                    lambda: strict.login("password", "carol", PASSWORD, register=True))
    holds(failure.message["advice"], "and the advice says what to do")
    strict.login("nickname", "carol")
    strict.close()


def order():
    """What may not stand where it stands."""
    connection = greeted()
    connection.say("start", channel="1")
    fails(3, "a start before a login", connection.hear)
    holds(connection.close_code() == 1000, "and ends the connection")
    connection = greeted()
    login = {"kind": "login", "provider": "password", "name": USER, "secret": PASSWORD,
             "register": False}
    connection.say_at_once(login, {"kind": "logout"})
    fails(3, "anything while a login is being answered", connection.hear)
    connection = greeted()
    for attempt in range(20):
        fails(4, f"wrong token {attempt + 1}",
              lambda: connection.login("token", secret="no such token"))
    holds(connection.close_code() == 1000, "the twentieth refusal ends the connection")


def leaving():
    """Logout closes channels; the next one who logs in has his own, under the same numbers."""
    connection = greeted()
    connection.login("password", USER, PASSWORD)
    replica = realm("left")
    started(replica, connection=connection)
    channel = opened(realm("left-2"), connection, 2, credit=0)
    channel.start()
    connection.logout()
    connection.say("start", channel="1")
    fails(3, "a message of a channel after logout", connection.hear)

    connection = greeted()
    connection.login("password", USER, PASSWORD)
    started(replica, connection=connection)
    connection.logout()
    connection.login("nickname", "bob")
    fails(8, "the realm of the one who was here before", lambda: opened(replica, connection, 1))
    theirs = realm("own")
    theirs.realm = "bob/own"
    holds(started(theirs, connection=connection).groups, "a number may come again after logout")
    connection.close()
