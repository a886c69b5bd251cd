"""Which parts of a CDDL definition some bytes have shown: every alternative of a choice, and every
entry that may be left out or repeated."""

from cddl import Definition
from tarn_cbor import Malformed, loads


class Coverage:
    """What has been seen of all that a rule leads to. Fields of later versions do not count."""

    def __init__(self, text, roots):
        self.definition = Definition(text)
        self.expected = {}
        self.seen = set()
        self.rules = set()
        for root in roots:
            self.collect(("name", root), root)

    def missing(self):
        """Descriptions of what was not seen, as "rule: alternative"."""
        return sorted({what for mark, what in self.expected.items() if mark not in self.seen})

    def take(self, rule, data):
        """Notes what the bytes show; false if the rule does not allow them."""
        marks = []
        try:
            if not self.visit(("name", rule), loads(data), marks):
                return False
        except Malformed:
            return False
        self.seen.update(marks)
        return True

    # What there is to see.

    def collect(self, node, place):
        kind = node[0]
        if kind == "name":
            if node[1] in self.definition.rules and node[1] not in self.rules:
                self.rules.add(node[1])
                self.collect(self.definition.rules[node[1]], node[1])
        elif kind == "choice" and all(choice[0] == "range" for choice in node[1]):
            pass  # One set of numbers, with gaps.
        elif kind == "choice":
            for index, choice in enumerate(node[1]):
                self.expected[id(node), index] = f"{place}: {shown(choice)}"
                self.collect(choice, place)
        elif kind == "control":
            self.collect(node[2], place)
            if node[1] == ".cbor":
                self.collect(node[3], place)
        elif kind == "tag":
            self.collect(node[2], place)
        elif kind in ("array", "map", "group"):
            self.collect_groups(node, place)

    def collect_groups(self, node, place):
        for index, entries in enumerate(node[1]):
            if len(node[1]) > 1:
                self.expected[id(node), index] = f"{place}: {shown(('group', [entries]))}"
            for entry in entries:
                least, _, _, inner = entry
                if inner == ("name", "any"):
                    continue
                if least == 0:
                    self.expected[id(entry), 0] = f"{place}: at least one {shown(inner)}"
                self.collect(inner, place)

    # What is seen.

    def visit(self, node, item, marks):
        node = self.definition.resolved(node)
        kind, before = node[0], len(marks)
        if kind == "choice":
            for index, choice in enumerate(node[1]):
                if self.visit(choice, item, marks):
                    marks.append((id(node), index))
                    return True
                del marks[before:]
            return False
        if kind == "control":
            if not (self.visit(node[2], item, marks)
                    and self.definition.controls(node[1], node[3], item)):
                return False
            return node[1] != ".cbor" or self.visit(node[3], loads(item), marks)
        if kind == "tag":
            return self.definition.fits(node, item) and self.visit(node[2], item.value, marks)
        if kind == "array":
            return (isinstance(item, list)
                    and self.sequence(node, item, 0, marks) == len(item))
        if not self.definition.fits(node, item):
            return False
        if kind == "map":
            for entry in node[1][0]:
                key, inner = entry[2][1], entry[3]
                if key in item:
                    self.visit(inner, item[key], marks)
                    marks.append((id(entry), 0))
        return True

    def sequence(self, node, items, start, marks):
        """Where a group ends that begins there; nil if it does not fit. Each entry takes what it
        can: no group of ours needs to try again with less."""
        before = len(marks)
        for index, entries in enumerate(node[1]):
            place = start
            for entry in entries:
                place = self.repeated(entry, items, place, marks)
                if place is None:
                    break
            else:
                marks.append((id(node), index))
                return place
            del marks[before:]
        return None

    def repeated(self, entry, items, place, marks):
        least, most, _, inner = entry
        node, count = self.definition.resolved(inner), 0
        while count < most and place < len(items):
            before = len(marks)
            if node[0] == "group":
                end = self.sequence(node, items, place, marks)
            else:
                end = place + 1 if self.visit(node, items[place], marks) else None
            if end is None:
                del marks[before:]
                break
            place, count = end, count + 1
        if count:
            marks.append((id(entry), 0))
        return place if count >= least else None


def shown(node):
    """A node in one word or a few."""
    kind = node[0]
    if kind in ("name", "literal"):
        return str(node[1])
    if kind == "range":
        return f"{node[1]}..{node[2]}"
    if kind == "control":
        return shown(node[2])
    if kind == "tag":
        return f"#6.{node[1]}"
    if kind in ("array", "map", "group"):
        signs = {"array": "[]", "map": "{}", "group": "()"}[kind]
        return signs[0] + ", ".join(shown(entry[3]) for entry in node[1][0]) + signs[1]
    return " / ".join(shown(choice) for choice in node[1])
