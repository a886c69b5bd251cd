#!/bin/bash
# Puts fourteen faults into a copy of the sources, and sees whether the simulator finds each: a law
# that no fault can break is not looked at. Prints after how many seeds each was found.
# usage: scripts/mutations.sh   (SEEDS and STEPS: at most so many seeds, of so many steps)
set -eu -o pipefail
cd "$(dirname "$0")/.."
export PATH="$PATH:/opt/swift/usr/bin"
seeds=${SEEDS:-200}
steps=${STEPS:-2000}

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r Package.swift Sources Tests "$copy"
python3 scripts/mutations.py "$copy/Sources"
swift build -c release --package-path "$copy" --product tarn-simulate | tail -1
simulate=$copy/.build/release/tarn-simulate

missed=0
while IFS=$'\t' read -r name what; do
    found=
    for ((seed = 1; seed <= seeds && ${#found} == 0; seed++)); do
        words=$(TARN_MUTATION=$name "$simulate" --seed "$seed" --steps "$steps" --no-shrink 2>&1) ||
            found=$(sed -n "s/^seed $seed step [0-9]*: \([a-z]*\): .*/\1/p" <<<"$words" | head -1)
        [ -n "$found" ] || [ -z "$words" ] || grep -q "^seed $seed: holds" <<<"$words" || found=trap
    done
    if [ -n "$found" ]; then
        printf '%-17s found in seed %3d by %-11s %s\n' "$name" "$((seed - 1))" "$found," "$what"
    else
        printf '%-17s NOT FOUND in %d seeds: %s\n' "$name" "$seeds" "$what"
        missed=$((missed + 1))
    fi
done < <(python3 scripts/mutations.py --list)
[ "$missed" -eq 0 ]
