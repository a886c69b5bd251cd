"""What a scenario has said and heard, held against Protocol/tarn.cddl and Protocol/errors.md.

Nothing of the definition may go unseen, but for a few things that nobody can provoke from outside;
each of these has its reason, and none may be listed that was seen after all."""

import pathlib
import re

from cddl_coverage import Coverage
from tarn_forms import check
from tarn_messages import read_server

PROTOCOL = pathlib.Path(__file__).resolve().parents[2] / "Protocol"
OUT_OF_REACH = {
    "server: error-code: query-invalid": "reserved: a query without sense is a fault of a group",
    "server: error-code: later-code": "version 1 of the protocol has no others",
    "server: link: at least one transaction-id": "only a client's links name the target's life",
}


class Recorder:
    """A witness that remembers which forms it has seen."""

    def __init__(self):
        text = (PROTOCOL / "tarn.cddl").read_text()
        self.client = Coverage(text, ["client-message", "sealed"])
        self.server = Coverage(text, ["server-message", "group"])
        self.ends = read_ends((PROTOCOL / "errors.md").read_text())

    def said(self, data):
        check(self.client.take("client-message", data), "tarn.cddl does not allow what we say")

    def sent_whole(self, data):
        check(self.client.take("sealed", data), "tarn.cddl does not allow what we upload")

    def heard(self, data):
        check(self.server.take("server-message", data), f"no message by tarn.cddl: {data.hex()}")
        message = read_server(data)
        if message["kind"] == "failed":
            self.check_failure(message)

    def got_whole(self, data):
        check(self.server.take("group", data), f"no group by tarn.cddl: {data.hex()}")

    def check_failure(self, message):
        """It ends what the table says, and is transient only where the text says so."""
        code = int(message["code"])
        what = f"error {code}: {message['sentence']}"
        check(message["isTransient"] == (code in (15, 16, 17)), f"{what} is wrongly transient")
        ends = self.ends[code]
        if message["channel"] is None:
            check(ends in ("C", "both", "–"), f"{what} names no channel")
        else:
            check(ends in ("channel", "both"), f"{what} names a channel")

    def unseen(self):
        parts = {f"client: {what}" for what in self.client.missing()}
        return parts | {f"server: {what}" for what in self.server.missing()}

    def report(self):
        """Sentences on what should have been seen and was not, or the reverse."""
        unseen = self.unseen()
        return ([f"not seen: {what}" for what in sorted(unseen - OUT_OF_REACH.keys())]
                + [f"seen after all: {what}" for what in sorted(OUT_OF_REACH.keys() - unseen)])

    def count(self):
        return len(self.client.expected) + len(self.server.expected) - len(self.unseen())


def read_ends(page):
    """By code, what the table of errors says that it ends."""
    rows = re.findall(r"^\| (\d+) \| \w+ \| .* \| (\S+) \| .* \|$", page, re.MULTILINE)
    return {int(code): ends for code, ends in rows}
