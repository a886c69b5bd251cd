#!/bin/bash
# Runs the tests that are built and shows what fails, each finished suite and the closing lines.
# The whole output stays in .build/test.log.
set -euo pipefail
cd "$(dirname "$0")/.."

log=.build/test.log
status=0
swift test --skip-build --disable-xctest "$@" </dev/null 2>&1 | tee "$log" |
    grep --line-buffered -v -E '^◇ |^↳ T[ea][a-z]* [LP]|^✔ Test (case )?[^r]|^✔ Test r[^u]|^\[[0-9]+/[0-9]+\] ' ||
    status=${PIPESTATUS[0]}
[ "$status" = 0 ] || echo "The whole output of the tests is in $log." >&2
exit "$status"
