"""Judges the Autobahn suite's report, strictly: python report.py NAME INDEX

NAME is what the table is headed with, INDEX the suite's index.json about one peer. Prints a table
by group. Exit code 1 if a case failed, is missing, or was passed in a way that the suite calls
non-strict. It runs on the suite's own Python 2.7.
"""

from __future__ import print_function

import io
import json
import sys

# How many cases there are of each group; 8 and 11 do not exist, 12 and 13 are of compression.
EXPECTED = {1: 16, 2: 11, 3: 7, 4: 10, 5: 20, 6: 145, 7: 37, 9: 54, 10: 1}

# The suite only notes what is done: with a message that a close follows at once (7.1.6), and about
# the close codes 5000 and 65535 (7.13).
INFORMATIONAL = ("7.1.6", "7.13.1", "7.13.2")

KINDS = ("ok", "non-strict", "informational", "failed")


def judge(name, result):
    behavior, closing = result["behavior"], result["behaviorClose"]
    if behavior == "INFORMATIONAL" and name in INFORMATIONAL:
        return "informational"
    if behavior == "NON-STRICT" and closing == "OK":
        return "non-strict"
    return "ok" if behavior == closing == "OK" else "failed"


def main(title, path):
    with io.open(path, encoding="utf-8") as file:
        (results,) = json.load(file).values()
    counts = dict((group, dict.fromkeys(KINDS, 0)) for group in EXPECTED)
    seconds = dict.fromkeys(EXPECTED, 0.0)
    wrong = []
    for name in sorted(results, key=lambda name: [int(part) for part in name.split(".")]):
        result, group = results[name], int(name.split(".")[0])
        if group not in EXPECTED:
            wrong.append("%s is no case that was asked for" % name)
            continue
        found = judge(name, result)
        counts[group][found] += 1
        seconds[group] += (result["duration"] or 0) / 1000.0
        if found in ("non-strict", "failed"):
            wrong.append(
                "%s is %s (behavior %s, close %s, code %s)"
                % (name, found, result["behavior"], result["behaviorClose"],
                   result["remoteCloseCode"]))
    for group in sorted(EXPECTED):
        missing = EXPECTED[group] - sum(counts[group].values())
        if missing:
            wrong.append("group %d lacks %d cases" % (group, missing))

    print("%s\n  group%s   seconds" % (title, "".join("%15s" % kind for kind in KINDS)))
    for group in sorted(EXPECTED):
        row = "".join("%15d" % counts[group][kind] for kind in KINDS)
        print("  %5d%s%10.1f" % (group, row, seconds[group]))
    sums = [sum(counts[group][kind] for group in EXPECTED) for kind in KINDS]
    row = "".join("%15d" % count for count in sums)
    print("  %5s%s%10.1f" % ("all", row, sum(seconds.values())))
    for sentence in wrong:
        print("  " + sentence)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
