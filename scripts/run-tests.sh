#!/bin/bash
# Runs the tests that are built and shows what fails, each finished suite and the closing lines.
# The whole output stays in .build/test.log.
set -euo pipefail
cd "$(dirname "$0")/.."

log=.build/test.log
# What is not shown: what starts, single tests that pass, and the toolchain's own lines.
quiet=(-e '^◇ ' -e '^✔ Test "' -e '^✔ Test case ' -e '^↳ Testing Library ' -e '^↳ Target ')
quiet+=(-e '^\[[0-9]*/[0-9]*\] ')

status=0
# All of it takes two minutes; whoever takes ten times as long waits for what never comes.
timeout --kill-after=10 1200 swift test --skip-build --disable-xctest "$@" </dev/null 2>&1 |
    tee "$log" |
    grep --line-buffered -v "${quiet[@]}" || status=${PIPESTATUS[0]}
[ "$status" != 124 ] || echo "The tests did not come to their end in 20 minutes." >&2
[ "$status" = 0 ] || echo "The whole output of the tests is in $log." >&2
exit "$status"
