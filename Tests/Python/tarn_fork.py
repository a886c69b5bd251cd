"""A replica's undecided work under another id, from Protocol/recovery.md."""

from tarn_transaction import ZERO_HASH, next_hash, pack_body, read_body


def renamed(meaning, names):
    """A meaning in which transactions that move are named as they are called now."""
    if isinstance(meaning, list):
        return [renamed(entry, names) for entry in meaning]
    if not isinstance(meaning, dict):
        return meaning
    meaning = {name: renamed(entry, names) for name, entry in meaning.items()}
    named = names.get((meaning.get("replica"), meaning.get("sequence")))
    return {**meaning, "replica": named[0], "sequence": named[1]} if named else meaning


def reissued(outbox, old, new):
    """The outbox's transactions as a new replica's, numbered from 1, and their last hash."""
    names = {(old, str(sequence)): (new, str(number))
             for number, sequence in enumerate(sorted(outbox), 1)}
    previous, moved = ZERO_HASH, {}
    for number, sequence in enumerate(sorted(outbox), 1):
        entry = outbox[sequence]
        body = pack_body(renamed(read_body(bytes.fromhex(entry["body"])), names))
        previous = next_hash(previous, body)
        moved[number] = {"body": body.hex(), "hash": previous.hex(),
                         "clockTicks": entry["clockTicks"]}
    return moved, previous
