"""A small client of Tarn: one connection and its channels, from Protocol/connection.md."""

import ssl
import time

from websockets.exceptions import ConnectionClosed

from steady import connected
from tarn_forms import check
from tarn_group import read_group
from tarn_messages import pack_client, read_server

CREDIT = 4_194_304
PART_BYTES_MAX = 65_408
GROUP_BYTES_MAX = 1 << 30
# Seconds; no test waits for it unless the server has lost its way.
TIMEOUT = 60


def clock():
    return time.time_ns() // 1_000_000


class Failed(Exception):
    """The server said `failed`."""

    def __init__(self, message):
        super().__init__(message["sentence"])
        self.message = message
        self.code = int(message["code"])
        self.channel = message["channel"]
        self.is_transient = message["isTransient"]


class Assembler:
    """Puts parts together."""

    def __init__(self, limit):
        self.limit = limit
        self.bytes = b""
        self.total = None

    def append(self, part):
        """The whole, if this part completes it."""
        total, offset = int(part["total"]), int(part["offset"])
        piece = bytes.fromhex(part["bytes"])
        check(total <= self.limit, "a whole is too long")
        check(self.total in (None, total), "another total")
        check(offset == len(self.bytes), "a part that does not follow")
        check(len(piece) <= total - offset, "a part that ends behind the whole")
        check(piece or total == 0, "an empty part")
        self.total, self.bytes = total, self.bytes + piece
        if len(self.bytes) < total:
            return None
        whole, self.bytes, self.total = self.bytes, b"", None
        return whole


class Witness:
    """Is told of all that is said and heard; this one forgets it."""

    def said(self, data):
        pass

    def heard(self, data):
        pass

    def sent_whole(self, data):
        pass

    def got_whole(self, data):
        pass


class Connection:
    """One connection, after its hello."""

    witness = Witness()

    def __init__(self, host, port, authority):
        context = ssl.create_default_context(cafile=authority)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        self.socket = connected(f"wss://{host}:{port}/sync", ssl=context,
                                subprotocols=["tarn.1"], compression=None, max_size=65_536,
                                open_timeout=TIMEOUT)
        check(self.socket.subprotocol == "tarn.1", "another subprotocol")
        self.channels = {}

    def say(self, kind, **fields):
        data = pack_client({"kind": kind, **fields})
        self.witness.said(data)
        self.socket.send(data)

    def say_at_once(self, *messages):
        """Several messages in one write, so that the other side reads them together."""
        protocol = self.socket.protocol
        with self.socket.protocol_mutex:
            for message in messages:
                data = pack_client(message)
                self.witness.said(data)
                protocol.send_binary(data)
            self.socket.socket.sendall(b"".join(protocol.data_to_send()))

    def hear(self):
        """The next message; one that says that something failed is raised."""
        data = self.socket.recv(timeout=TIMEOUT)
        self.witness.heard(data)
        message = read_server(data)
        if message["kind"] == "failed":
            raise Failed(message)
        return message

    def expect(self, kind):
        """The answer that comes next, with what comes for channels before it."""
        while True:
            message = self.hear()
            if message["kind"] == kind and kind != "credit":
                return message
            self.hand_over(message)

    def hand_over(self, message):
        """What is still on its way for a channel that was closed is ignored."""
        channel = self.channels[message["channel"]]
        if not channel.is_closed:
            channel.take(message)

    def hello(self, versions=("1",), now=None):
        self.say("hello", versions=list(versions), program="tarn-python/1",
                 clock=str(clock() if now is None else now))
        return self.expect("welcome")

    def logout(self):
        """Channels end with it; their numbers may come again."""
        self.say("logout")
        for channel in self.channels.values():
            channel.is_closed = True
        self.expect("loggedOut")

    def login(self, provider, name=None, secret=None, register=False):
        self.say("login", provider=provider, name=name, secret=secret, register=register)
        return self.expect("loggedIn")

    def open(self, replica, number, credit=CREDIT):
        channel = Channel(self, replica, str(number), credit)
        self.channels[str(number)] = channel
        channel.open()
        return channel

    def until(self, condition):
        """Takes what comes until something holds."""
        while not condition():
            self.hand_over(self.hear())

    def close_code(self):
        """The code with which the server ends the connection, once it does."""
        try:
            while True:
                self.socket.recv(timeout=TIMEOUT)
        except ConnectionClosed as end:
            return end.rcvd.code if end.rcvd else None

    def close(self):
        self.socket.close()


class Channel:
    """A realm that is open on a connection."""

    def __init__(self, connection, replica, number, credit):
        self.connection, self.replica, self.number = connection, replica, number
        self.granted = credit
        self.credit = 0
        self.assembler = Assembler(GROUP_BYTES_MAX)
        self.groups = []
        self.lengths = []
        self.received = []
        self.confirmed = []
        # The subscriptions that digests were offered of, and those that were asked for.
        self.offered, self.compared = set(), set()
        self.grants = True
        self.confirms = True
        self.answers = True
        self.is_closed = False

    def say(self, kind, **fields):
        self.connection.say(kind, channel=self.number, **fields)

    def open(self):
        replica = self.replica
        self.say("open", realm=replica.realm, replica=replica.id,
                 acknowledgedSequence=str(replica.acknowledged),
                 acknowledgedHash=replica.acknowledged_hash.hex(), integrated=replica.point,
                 credit=str(self.granted), options=self.options())
        opened = self.connection.expect("opened")
        self.goes_on = opened["options"].get("goesOn", False)
        replica.begin(self.goes_on)
        self.uploaded = replica.verify(opened)
        self.credit = int(opened["credit"])
        self.latest = opened["latest"]

    def options(self):
        known = {"common": self.replica.common, "staged": self.replica.place()}
        return {name: option for name, option in known.items() if option}

    def inquire(self, points, probes, after=0):
        """Asks what the server has of the replica; the channel is over with the answer."""
        replica = self.replica
        self.say("open", realm=replica.realm, replica=replica.id, acknowledgedSequence="0",
                 acknowledgedHash="00" * 16, integrated=replica.point, credit="0",
                 options={"inquiry": {"points": points, "probes": probes,
                                      "receiptsAfter": str(after)}})
        answer = self.connection.expect("opened")
        self.is_closed = True
        return answer

    def subscribe(self, number, query, arguments=(), depth=3, is_resumed=False,
                  tells_digest=False):
        self.replica.subscribe(str(number), query, list(arguments), depth)
        if tells_digest:
            self.offered.add(str(number))
        self.say("subscribe", number=str(number), query=query, arguments=list(arguments),
                 depth=str(depth), isResumed=is_resumed, tellsDigest=tells_digest)

    def unsubscribe(self, number):
        self.replica.give_up(str(number))
        self.say("unsubscribe", number=str(number))

    def start(self):
        self.say("start")

    def upload(self):
        """Sends all that was not sent on this channel, as credit allows."""
        for sequence in range(self.uploaded + 1, self.replica.sequence + 1):
            self.send_whole(sequence, self.replica.sealed(sequence))
            self.uploaded = sequence

    def send_whole(self, sequence, whole):
        self.connection.witness.sent_whole(whole)
        offset = 0
        while offset < len(whole):
            self.connection.until(lambda: self.credit > 0)
            piece = whole[offset:offset + min(PART_BYTES_MAX, self.credit)]
            self.send_part(sequence, len(whole), offset, piece)
            offset += len(piece)

    def send_part(self, sequence, total, offset, piece):
        self.credit -= len(piece)
        self.say("upload", sequence=str(sequence), total=str(total), offset=str(offset),
                 bytes=piece.hex())

    def grant(self, count):
        self.granted += count
        self.say("credit", bytes=str(count))

    def take(self, message):
        if message["kind"] == "credit":
            self.credit += int(message["bytes"])
        elif message["kind"] == "received":
            self.received.append(message)
        elif message["kind"] == "compare":
            self.compare(message["subscription"])
        else:
            self.take_part(message)

    def compare(self, number):
        check(number in self.offered, "a digest that nobody offered is asked for")
        self.compared.add(number)
        # What was given up meanwhile is told nothing of.
        if self.answers and number in self.replica.subscribed:
            self.tell(number, self.replica.digest(number))

    def tell(self, number, digest):
        self.say("digest", subscription=str(number), digest=digest)

    def take_part(self, message):
        count = len(message["bytes"]) // 2
        self.granted -= count
        check(self.granted >= 0, "the server sent more than was granted")
        whole = self.assembler.append(message)
        if whole is not None:
            self.connection.witness.got_whole(whole)
            group = read_group(whole)
            is_integrated = self.replica.receive(group)
            self.groups.append(group)
            self.lengths.append(len(whole))
            if is_integrated and self.confirms:
                self.confirmed.append(self.replica.point)
                self.say("integrated", point=self.replica.point,
                         acknowledgedSequence=str(self.replica.acknowledged))
        if self.grants:
            self.grant(count)

    def close(self):
        self.is_closed = True
        self.say("close")
