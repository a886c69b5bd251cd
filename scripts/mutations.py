"""Puts fourteen faults into a copy of the sources, each behind a switch: the environment's
TARN_MUTATION names the one that is on. An edit that does not fit exactly once ends it
with status 1."""

import pathlib
import sys

SWITCH = """import Glibc

/// Which fault is on, by its name; none where the environment does not say.
package enum Mutation {
    private static let active = getenv("TARN_MUTATION").map { String(cString: $0) } ?? ""
    package static func isOn(_ name: String) -> Bool { active == name }
}
"""

# Name, what it breaks, file, what stands there, what is to stand there.
MUTATIONS = [
    (
        "acknowledge-early",
        "the server tells outcomes before the log has them",
        "TarnServer/Realm/RealmEngine.swift",
        "                actions.append(.append(records))\n",
        "                actions.append(.append(records))\n"
        "                if ON { publish(now: now) }\n",
    ),
    (
        "ignore-base",
        "a creation counts as knowing of every delete",
        "TarnServer/Commit/TransactionJudge+Objects.swift",
        "        let base = transaction.base.version\n        guard case .deleted",
        "        let base = ON ? store.applied.version : transaction.base.version\n"
        "        guard case .deleted",
    ),
    (
        "ignore-chain",
        "a replica with another history is let in",
        "TarnServer/Realm/RealmEngine+Opening.swift",
        "        guard hash == request.acknowledgedHash else {",
        "        guard hash == request.acknowledgedHash || ON else {",
    ),
    (
        "drop-shadow",
        "a write does not set apart what the server said",
        "TarnClient/Writing/WriteTransaction.swift",
        "        guard try shadow(of: object) == nil, let row",
        "        guard !ON, try shadow(of: object) == nil, let row",
    ),
    (
        "half-a-group",
        "a group has the first of its views only",
        "TarnServer/Realm/RealmEngine+Publishing.swift",
        "            let since = session.sent.version\n            if let delta",
        "            let since = session.sent.version\n"
        "            if ON, !groupViews.isEmpty { continue }\n"
        "            if let delta",
    ),
    (
        "forget-departure",
        "what leaves a view is not told to those who listen",
        "TarnServer/Views/ViewBook.swift",
        "                delta.departures.append(try contents.key(of: object))",
        "                if !ON { delta.departures.append(try contents.key(of: object)) }",
    ),
    (
        "place-by-time",
        "a slot's place goes by its stamp alone",
        "TarnModel/Merging/SlotRule.swift",
        "        switch try relation(of: other, isBetween) {",
        "        switch ON ? .sameLeft(.equal) : try relation(of: other, isBetween) {",
    ),
    (
        "receipt-alone",
        "a replica takes receipts, and not what came with them",
        "TarnClient/Integration/Replica+Integrate.swift",
        "        for view in group.views where numbers.contains(view.subscription) {",
        "        for view in group.views\n"
        "        where numbers.contains(view.subscription) && !(ON && !group.receipts.isEmpty) {",
    ),
    (
        "no-raise",
        "a stamp is not raised above what its author had seen",
        "TarnModel/Merging/StampRule.swift",
        "        let floor = max(previous, visible)",
        "        let floor = ON ? previous : max(previous, visible)",
    ),
    (
        "reuse-sequence",
        "a refusal does not use up its sequence",
        "TarnServer/Realm/RealmEngine+Deciding.swift",
        "        session.head.sequence = receipt.sequence\n",
        "        if ON, case .refused = receipt.outcome { return verdict }\n"
        "        session.head.sequence = receipt.sequence\n",
    ),
    (
        "bring-back-nothing",
        "a replica keeps to itself what a restored server has lost",
        "TarnClient/Recovery/Investigation.swift",
        "in: replica.store, lostAbove: point.version)",
        "in: replica.store, lostAbove: ON ? nil : point.version)",
    ),
    (
        "send-twice",
        "after a fork, what a copy has sent is sent once more",
        "TarnClient/Recovery/OwnChain.swift",
        "            narrow(to: findings.known)",
        "            narrow(to: ON ? 0 : findings.known)",
    ),
    (
        "silent-copy",
        "what a copy brought back and lost is not told",
        "TarnClient/Recovery/Replica+Recover.swift",
        "            if let told = item.receipt {",
        "            if !ON, let told = item.receipt {",
    ),
    (
        "rename-half",
        "what names a transaction that moves goes on naming it as before",
        "TarnModel/Transactions/Renaming.swift",
        "        ObjectName(name.className, name.key, life: self(name.life))",
        "        ObjectName(name.className, name.key, life: ON ? name.life : self(name.life))",
    ),
]


def plant(sources: pathlib.Path) -> None:
    (sources / "TarnModel" / "Mutation.swift").write_text(SWITCH)
    for name, _, path, old, new in MUTATIONS:
        file = sources / path
        text = file.read_text()
        if text.count(old) != 1:
            sys.exit(f"{name}: fits {text.count(old)} times in {path}, and should once")
        file.write_text(text.replace(old, new.replace("ON", f'Mutation.isOn("{name}")')))


if len(sys.argv) == 2 and sys.argv[1] == "--list":
    for name, what, *_ in MUTATIONS:
        print(f"{name}\t{what}")
else:
    plant(pathlib.Path(sys.argv[1]))
