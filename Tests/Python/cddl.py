"""Just as much of CDDL (RFC 8610) as Protocol/tarn.cddl is written in, to hold it against the
vectors: choices, groups, arrays, maps, occurrences, ranges, tags, and the controls .size, .regexp
and .cbor."""

import re

import cbor2

from tarn_cbor import Float, Malformed, loads

TOKEN = re.compile(r"""
    (?P<space>\s+|;[^\n]*) | (?P<string>"[^"]*") | (?P<tag>\#6\.\d+) |
    (?P<control>\.[a-z]+) | (?P<number>-?\d+) | (?P<name>[A-Za-z_][A-Za-z0-9_-]*) |
    (?P<sign>\.\.|=>|//|[/\[\]{}(),:?*=])""", re.VERBOSE)
PRELUDE = {
    "uint": lambda item: is_integer(item) and 0 <= item < 2**64,
    "tstr": lambda item: isinstance(item, str), "bstr": lambda item: isinstance(item, bytes),
    "bool": lambda item: isinstance(item, bool), "null": lambda item: item is None,
    "float64": lambda item: isinstance(item, Float) and item.width == 8,
    "any": lambda item: True}


def is_integer(item):
    return isinstance(item, int) and not isinstance(item, bool)


class Parser:
    """Reads rules into nodes: tuples that begin with what they are."""

    def __init__(self, text):
        self.tokens, offset = [], 0
        while offset < len(text):
            found = TOKEN.match(text, offset)
            if found is None:
                raise SyntaxError(f"no CDDL: {text[offset:offset + 30]!r}")
            offset = found.end()
            if found.lastgroup != "space":
                self.tokens.append((found.lastgroup, found.group()))
        self.tokens += [("end", ""), ("end", "")]
        self.index = 0

    def rules(self):
        rules = {}
        while self.peek() != "":
            name = self.next()
            self.expect("=")
            if name in rules or name in PRELUDE:
                raise SyntaxError(f"{name} is defined twice")
            rules[name] = self.type()
        return rules

    def peek(self, ahead=0):
        return self.tokens[self.index + ahead][1]

    def next(self):
        self.index += 1
        return self.tokens[self.index - 1][1]

    def take(self, sign):
        if self.peek() != sign:
            return False
        self.index += 1
        return True

    def expect(self, sign):
        if not self.take(sign):
            raise SyntaxError(f"{sign} was expected, not {self.peek()}")

    def type(self):
        choices = [self.controlled()]
        while self.take("/"):
            choices.append(self.controlled())
        return choices[0] if len(choices) == 1 else ("choice", choices)

    def controlled(self):
        node = self.single()
        if self.take(".."):
            return ("range", node[1], self.single()[1])
        if self.tokens[self.index][0] == "control":
            return ("control", self.next(), node, self.single())
        return node

    def single(self):
        kind, token = self.tokens[self.index]
        self.index += 1
        if kind == "number":
            return ("literal", int(token))
        if kind == "string":
            return ("literal", token[1:-1])
        if kind == "tag":
            self.expect("(")
            inner = self.type()
            self.expect(")")
            return ("tag", int(token[3:]), inner)
        if kind == "name":
            return ("name", token)
        ends = {"[": ("array", "]"), "{": ("map", "}"), "(": ("group", ")")}
        if token not in ends:
            raise SyntaxError(f"a type was expected, not {token!r}")
        name, end = ends[token]
        # What stands in parentheses by itself, as a range does, is that.
        node = (name, self.group(end))
        if name == "group" and len(node[1]) == 1 and len(node[1][0]) == 1:
            least, most, key, inner = node[1][0][0]
            if (least, most, key) == (1, 1, None):
                return inner
        return node

    def group(self, end):
        choices = [[]]
        while not self.take(end):
            if self.take("//"):
                choices.append([])
                continue
            choices[-1].append(self.entry())
            self.take(",")
        return choices

    def entry(self):
        least, most = 1, 1
        if self.take("?"):
            least = 0
        elif self.peek() == "*" or self.peek(1) == "*":
            least = 0 if self.peek() == "*" else int(self.next())
            self.expect("*")
            is_bounded = self.tokens[self.index][0] == "number"
            most = int(self.next()) if is_bounded else float("inf")
        key = None
        if self.peek(1) == ":":
            self.next()
            self.expect(":")
        node = self.type()
        if self.take("=>"):
            key, node = node, self.type()
        return least, most, key, node


class Definition:
    """A CDDL text, against which bytes are held."""

    def __init__(self, text):
        self.rules = Parser(text).rules()

    def allows(self, rule, data):
        try:
            return self.fits(("name", rule), loads(data))
        except Malformed:
            return False

    def resolved(self, node):
        while node[0] == "name" and node[1] in self.rules:
            node = self.rules[node[1]]
        return node

    def fits(self, node, item):
        node = self.resolved(node)
        kind = node[0]
        if kind == "name":
            return PRELUDE[node[1]](item)
        if kind == "literal":
            return type(item) is type(node[1]) and item == node[1]
        if kind == "range":
            return is_integer(item) and node[1] <= item <= node[2]
        if kind == "choice":
            return any(self.fits(choice, item) for choice in node[1])
        if kind == "tag":
            return (isinstance(item, cbor2.CBORTag) and item.tag == node[1]
                    and self.fits(node[2], item.value))
        if kind == "control":
            return self.fits(node[2], item) and self.controls(node[1], node[3], item)
        if kind == "array":
            return isinstance(item, list) and len(item) in self.ends(node, item, 0)
        if kind == "map":
            return isinstance(item, dict) and self.fits_map(node[1][0], item)
        return False

    def controls(self, control, bound, item):
        if control == ".regexp":
            return re.fullmatch(bound[1], item) is not None
        if control == ".cbor":
            try:
                return self.fits(bound, loads(item))
            except Malformed:
                return False
        count = len(item.encode()) if isinstance(item, str) else len(item)
        return self.fits(bound, count)

    def fits_map(self, entries, item):
        rest = dict(item)
        for least, _, key, node in entries:
            if key[1] in rest:
                if not self.fits(node, rest.pop(key[1])):
                    return False
            elif least > 0:
                return False
        return not rest

    def ends(self, node, items, start):
        """Where a group or the inside of an array may end that begins there."""
        ends = set()
        for entries in node[1]:
            places = {start}
            for entry in entries:
                places = {end for place in places for end in self.repeated(entry, items, place)}
            ends |= places
        return ends

    def repeated(self, entry, items, start):
        least, most, _, node = entry
        node = self.resolved(node)
        ends = {start} if least == 0 else set()
        places, count = {start}, 0
        while places and count < most:
            following = set()
            for place in places:
                if node[0] == "group":
                    following |= self.ends(node, items, place) - {place}
                elif place < len(items) and self.fits(node, items[place]):
                    following.add(place + 1)
            places, count = following, count + 1
            if count >= least:
                ends |= places
        return ends
