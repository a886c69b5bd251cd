"""Makes Protocol/vectors from the meanings that stand in vectors_of_*.py, by the codec that was
written from the specification alone. Run it after a change of the protocol, and read the difference
before it is committed: bytes that change are a new version of the protocol.

    .venv/bin/python Tests/Python/make_vectors.py [folder]
"""

import json
import pathlib
import sys

import vectors_of_digests
import vectors_of_messages
import vectors_of_sessions
import vectors_of_transactions
import vectors_of_views


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else root / "Protocol" / "vectors"
    folder.mkdir(parents=True, exist_ok=True)
    for module in (vectors_of_messages, vectors_of_transactions, vectors_of_views,
                   vectors_of_sessions, vectors_of_digests):
        for name, content in module.files().items():
            text = json.dumps(content, indent=1, ensure_ascii=True) + "\n"
            (folder / f"{name}.json").write_text(text)


if __name__ == "__main__":
    main()
