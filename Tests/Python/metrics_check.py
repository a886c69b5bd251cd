"""Reads a page of figures as Prometheus does, and holds it against the conventions; run by the
Python of .venv:

    metrics_check.py URL WORD...

No word may stand anywhere in the page: these are names that figures must not tell.
"""

import re
import sys
import urllib.error
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

UNITS = ("_bytes", "_seconds", "_info", "_total")
# What counts things, whose name is its unit.
THINGS = {"tarnd_healthy", "tarnd_connections", "tarnd_stranger_connections", "tarnd_open_realms",
          "tarnd_replica_sessions", "tarnd_subscriptions", "process_open_fds", "process_max_fds",
          "tarnd_forgotten_versions", "tarnd_remembered_versions", "tarnd_log_records"}
LABELS = {"le", "reason", "result", "version"}
NEEDED = {"tarnd_build_info", "tarnd_connections", "tarnd_connections_accepted",
          "tarnd_connections_refused", "tarnd_tls_handshakes", "tarnd_logins",
          "tarnd_messages_received", "tarnd_messages_sent", "tarnd_received_bytes",
          "tarnd_sent_bytes", "tarnd_queued_bytes", "tarnd_open_realms", "tarnd_replica_sessions",
          "tarnd_subscriptions", "tarnd_commits", "tarnd_commit_duration_seconds",
          "tarnd_forgotten_versions", "tarnd_remembered_versions", "tarnd_log_records",
          "tarnd_log_bytes",
          "tarnd_log_sync_duration_seconds", "tarnd_healthy", "tarnd_data_free_bytes",
          "process_cpu_seconds", "process_resident_memory_bytes", "process_open_fds",
          "process_start_time_seconds"}


def fetch(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        kind = answer.headers["Content-Type"]
        assert kind == "text/plain; version=0.0.4; charset=utf-8", kind
        return answer.read().decode()


def check_lines(text):
    """What the parser forgives: the form of lines, and that a family stands together once."""
    assert text.endswith("\n")
    seen, family, expects = set(), None, "HELP"
    for line in text.splitlines():
        assert line == line.strip() and line, repr(line)
        if line.startswith("# "):
            _, kind, name, rest = line.split(" ", 3)
            assert kind == expects, line
            if kind == "HELP":
                assert name not in seen and rest.endswith("."), line
                seen.add(name)
                family, expects = name, "TYPE"
            else:
                assert name == family and rest in ("counter", "gauge", "histogram"), line
                expects = "HELP"
            continue
        assert expects == "HELP", line
        sample = re.fullmatch(r"([a-z_:]+)(\{.*\})? (\S+)", line)
        assert sample, line
        assert re.fullmatch(re.escape(family) + "(_bucket|_sum|_count)?", sample[1]), line
        float(sample[3])


def check_histogram(family):
    buckets = [s for s in family.samples if s.name.endswith("_bucket")]
    bounds = [float(s.labels["le"]) for s in buckets]
    counts = [s.value for s in buckets]
    assert bounds == sorted(set(bounds)) and bounds[-1] == float("inf"), bounds
    assert counts == sorted(counts), counts
    rest = {s.name.removeprefix(family.name): s.value for s in family.samples
            if s.name.endswith(("_sum", "_count"))}
    assert rest["_count"] == counts[-1] and rest["_sum"] >= 0, rest


def check_family(family):
    name = family.name
    assert re.fullmatch(r"(tarnd|process)_[a-z]+(_[a-z]+)*", name), name
    if family.type == "counter":
        assert all(s.name == name + "_total" and s.value >= 0 for s in family.samples), name
    elif name not in THINGS:
        assert name.endswith(UNITS), name
    assert not name.endswith("_total"), name
    assert 0 < len(family.samples) <= 20, name
    for sample in family.samples:
        assert set(sample.labels) <= LABELS, sample
    if family.type == "histogram":
        check_histogram(family)


def main(url, words):
    text = fetch(url)
    check_lines(text)
    families = list(text_string_to_metric_families(text))
    for family in families:
        check_family(family)
    missing = NEEDED - {family.name for family in families}
    assert not missing, missing
    for word in words:
        assert word.lower() not in text.lower(), word
    try:
        fetch(url + "x")
        raise AssertionError("another path was answered")
    except urllib.error.HTTPError as error:
        assert error.code == 404, error
    for family in families:
        for sample in family.samples:
            if not sample.name.endswith("_bucket"):
                label = "".join(f" {value}" for value in sample.labels.values())
                print(f"{sample.name}{label} {sample.value:g}")
    print("all held")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
