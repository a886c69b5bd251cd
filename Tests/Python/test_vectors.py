"""Checks the codec and Protocol/tarn.cddl against Protocol/vectors, and the bytes in
Protocol/session.md, too.

    .venv/bin/python Tests/Python/test_vectors.py
"""

import hashlib
import json
import pathlib
import re
import sys

import cddl
import tarn_cbor
import tarn_digest
import tarn_forms
import tarn_group
import tarn_messages
import tarn_transaction
from cddl_coverage import Coverage
from tarn_replica import Object, frozen

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = ROOT / "Protocol" / "vectors"
CODECS = {
    "values": (lambda value: tarn_cbor.dumps(tarn_forms.pack_value(value)),
               lambda data: tarn_forms.read_value(tarn_cbor.loads(data))),
    "client-messages": (tarn_messages.pack_client, tarn_messages.read_client),
    "server-messages": (tarn_messages.pack_server, tarn_messages.read_server),
    "transactions": (tarn_transaction.pack_body, tarn_transaction.read_body),
    "uploads": (tarn_transaction.pack_upload, tarn_transaction.read_upload),
    "deltas": (tarn_group.pack_delta, tarn_group.read_delta),
    "groups": (tarn_group.pack_group, tarn_group.read_group)}
RULES = {
    "values": "value", "client-messages": "client-message", "server-messages": "server-message",
    "transactions": "body", "uploads": "sealed", "deltas": "delta", "groups": "group"}
SIDES = {
    "client-messages": "client", "uploads": "client", "transactions": "client",
    "server-messages": "server", "groups": "server", "deltas": "server"}
ROOTS = {"client": ["client-message", "sealed"], "server": ["server-message", "group"]}
# What only the text says.
BEYOND_CDDL = {
    "a part that ends behind its whole", "a part whose end overflows", "a name behind the table",
    "a life of a replica behind the table", "a link whose life comes first"}
checked = 0


def expect(condition, what):
    global checked
    checked += 1
    if not condition:
        sys.exit(f"FAILED: {what}")


def load(name):
    return json.loads((VECTORS / f"{name}.json").read_text())


def check_codec(name):
    pack, read = CODECS[name]
    content = load(name)
    for vector in content["vectors"]:
        data = bytes.fromhex(vector["hex"])
        expect(pack(vector["meaning"]) == data, f"{name}: {vector['name']} is written otherwise")
        expect(read(data) == vector["meaning"], f"{name}: {vector['name']} is read otherwise")
    for vector in content["accepted"]:
        data = bytes.fromhex(vector["hex"])
        expect(read(data) == vector["meaning"], f"{name}: {vector['name']} is read otherwise")
    for vector in content["refused"]:
        expect(is_refused(read, bytes.fromhex(vector["hex"])),
               f"{name}: {vector['name']} is not refused")


def is_refused(read, data):
    try:
        read(data)
    except tarn_cbor.Malformed:
        return True
    return False


def check_cddl():
    definition = cddl.Definition((ROOT / "Protocol" / "tarn.cddl").read_text())
    for name, rule in RULES.items():
        content = load(name)
        for vector in content["vectors"] + content["accepted"]:
            expect(definition.allows(rule, bytes.fromhex(vector["hex"])),
                   f"tarn.cddl does not allow {name}: {vector['name']}")
        for vector in content["refused"]:
            allowed = definition.allows(rule, bytes.fromhex(vector["hex"]))
            expect(allowed == (vector["name"] in BEYOND_CDDL),
                   f"tarn.cddl {'allows' if allowed else 'refuses'} {name}: {vector['name']}")


def check_coverage():
    """There is a vector for every message and every form in one."""
    text = (ROOT / "Protocol" / "tarn.cddl").read_text()
    coverage = {side: Coverage(text, roots) for side, roots in ROOTS.items()}
    for name, side in SIDES.items():
        for vector in load(name)["vectors"]:
            coverage[side].take(RULES[name], bytes.fromhex(vector["hex"]))
    missing = coverage["client"].missing() + coverage["server"].missing()
    # Which codes a later version has, nobody can know.
    expect(missing == ["error-code: later-code"], f"no vector shows {missing}")


def check_tables():
    """What the pages say in tables is what the CDDL and the vectors say."""
    page = (ROOT / "Protocol" / "messages.md").read_text()
    rows = re.findall(r"^\| (\d+) \| [a-z ]+ \| (.*) \| .* \|$", page, re.MULTILINE)
    lengths = {}
    for name in ("client-messages", "server-messages"):
        for vector in load(name)["vectors"]:
            item = tarn_cbor.loads(bytes.fromhex(vector["hex"]))
            lengths[item[0]] = len(item)
    said = {int(kind): 1 + (0 if fields == "–" else len(re.sub(r"\(.*?\)", "", fields).split(",")))
            for kind, fields in rows}
    expect(said == lengths, f"messages.md and the vectors differ: {said} {lengths}")
    errors = (ROOT / "Protocol" / "errors.md").read_text()
    codes = {int(code): re.sub("([A-Z])", lambda letter: "-" + letter[1].lower(), name)
             for code, name in re.findall(r"^\| (\d+) \| (\w+) \|", errors, re.MULTILINE)}
    rules = cddl.Definition((ROOT / "Protocol" / "tarn.cddl").read_text()).rules
    defined = {rules[node[1]][1]: node[1] for node in rules["error-code"][1][:-1]}
    expect(codes == defined, f"errors.md and tarn.cddl differ: {codes} {defined}")


def check_chain():
    previous = bytes(16)
    for link in load("chain")["links"]:
        expect(previous.hex() == link["previous"], "chain: a link does not follow")
        previous = tarn_transaction.next_hash(previous, bytes.fromhex(link["body"]))
        expect(previous.hex() == link["hash"], "chain: another hash")


def check_parts():
    from tarn_client import Assembler

    content = load("parts")
    for vector in content["accepted"]:
        assembler = Assembler(int(vector["limit"]))
        wholes = [assembler.append(part) for part in vector["parts"]]
        made = [whole.hex() for whole in wholes if whole is not None]
        expect(made == vector["wholes"], f"parts: {vector['name']}")
    for vector in content["refused"]:
        assembler = Assembler(int(vector["limit"]))
        for part in vector["parts"][:-1]:
            assembler.append(part)
        expect(is_refused(assembler.append, vector["parts"][-1]), f"parts: {vector['name']}")


def check_digests():
    content = load("digests")
    schemas = {schema["name"]: schema for schema in content["classes"]}
    vectors = {vector["name"]: vector for vector in content["objects"]}
    named = {name: (vector["meaning"]["class"], frozen(vector["meaning"]["key"]))
             for name, vector in vectors.items()}
    objects = {name: Object(schemas[named[name][0]], vector["meaning"])
               for name, vector in vectors.items()}
    for name, vector in vectors.items():
        check_hashes(vector, named[name], objects[name], schemas[named[name][0]])
    sums = {}
    for vector in content["digests"]:
        members = {named[name]: vectors[name]["meaning"]["isRoot"] for name in vector["objects"]}
        held = {named[name]: objects[name] for name in vector["objects"]}
        data = bytes.fromhex(vector["sums"])
        expect(tarn_digest.digest_of(members, held, schemas, len(data) // 8) == data,
               f"digests: {vector['name']} has other sums")
        sums[vector["name"]] = [data[index:index + 8] for index in range(0, len(data), 8)]
    for vector in content["differences"]:
        pairs = list(zip(sums[vector["ours"]], sums[vector["theirs"]], strict=True))
        others = {number for number, (ours, theirs) in enumerate(pairs) if ours != theirs}
        expect(tarn_digest.marked(vector["buckets"]) == (others, len(pairs)),
               f"digests: {vector['ours']} and {vector['theirs']} differ elsewhere")


def check_hashes(vector, name, found, schema):
    """One object's place and content, and that the hashes are over the bytes that are shown."""
    place, content = bytes.fromhex(vector["place"]), bytes.fromhex(vector["content"])
    expect(tarn_cbor.loads(place) == [name[0], tarn_forms.pack_value(vector["meaning"]["key"])],
           f"digests: {vector['name']} has another place")
    for entry in vector["buckets"]:
        count, bucket = int(entry["of"]), int(entry["bucket"])
        expect(tarn_digest.bucket_of(name, count) == bucket == first_eight(place) % count,
               f"digests: {vector['name']} is in another bucket")
    item = tarn_digest.content_of(name, found, schema, vector["meaning"]["isRoot"])
    expect(tarn_cbor.dumps(item) == content, f"digests: {vector['name']} has another content")
    expect(tarn_digest.hash_of(item) == first_eight(content) == int(vector["hash"], 16),
           f"digests: {vector['name']} has another hash")


def first_eight(data):
    return int.from_bytes(hashlib.sha256(data).digest()[:8], "big")


def check_session():
    steps = load("session")["steps"]
    for step in steps:
        name = step["from"] + "-messages"
        pack, read = CODECS[name]
        data = bytes.fromhex(step["hex"])
        expect(pack(step["meaning"]) == data and read(data) == step["meaning"],
               f"session: {step['meaning']['kind']}")
        whole = bytes.fromhex(step["meaning"]["bytes"]) if "total" in step["meaning"] else b""
        if "upload" in step:
            expect(tarn_transaction.read_upload(whole) == step["upload"], "session: an upload")
            body = bytes.fromhex(step["upload"]["body"])
            expect(tarn_transaction.read_body(body) == step["transaction"], "session: a body")
        if "group" in step:
            expect(tarn_group.read_group(whole) == step["group"], "session: a group")
            deltas = [tarn_group.read_delta(bytes.fromhex(view["delta"]))
                      for view in step["group"]["views"]]
            expect(deltas == step["deltas"], "session: a delta")
    page = (ROOT / "Protocol" / "session.md").read_text()
    blocks = re.findall(r"```hex\n(.*?)```", page, re.DOTALL)
    shown = [re.sub(r"\s", "", block) for block in blocks]
    expect(shown == [step["hex"] for step in steps], "session.md shows other bytes")


def main():
    for name in CODECS:
        check_codec(name)
    check_cddl()
    check_coverage()
    check_tables()
    check_chain()
    check_parts()
    check_digests()
    check_session()
    print(f"{checked} checks of {VECTORS.relative_to(ROOT)} hold")


if __name__ == "__main__":
    main()
