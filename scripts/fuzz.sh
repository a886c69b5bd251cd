#!/bin/bash
# Runs the targets of TarnFuzzing under libFuzzer, with the address sanitizer.
#
#   scripts/fuzz.sh [TARGET|all] [SECONDS]       fuzzes, for so long each (default: all, 60)
#   scripts/fuzz.sh --minimise [TARGET|all] [FOLDER]
#                                                keeps in Fuzz/corpus what reaches something new,
#                                                of what was found and of FOLDER/TARGET
#
# What is found new is kept in .build/fuzz-corpus, what fails in Fuzz/findings. Exit codes: 1
# something failed, 64 wrong usage.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PATH:/opt/swift/usr/bin"

corpus=Fuzz/corpus
found=.build/fuzz-corpus
findings=Fuzz/findings
program=.build/fuzz/release/tarn-fuzz

mode=run
if [ "${1:-}" = --minimise ]; then
    mode=minimise
    shift
fi
wanted=${1:-all}

# A crash is to end at once, without a report that takes minutes; the sets and dictionaries of
# Swift are to have one order, so that an input does the same each time.
export SWIFT_BACKTRACE=enable=no SWIFT_DETERMINISTIC_HASHING=1
# What was freed is watched for as long as it is little; else memory grows to no end.
export ASAN_OPTIONS=quarantine_size_mb=16:allocator_may_return_null=0

# -sanitize=fuzzer by itself would link libFuzzer's own main. So the compiler alone is told of it,
# and the library without a main is linked by its path.
build() {
    local runtime
    runtime=$(clang -print-resource-dir)/lib/linux/libclang_rt.fuzzer_no_main-$(uname -m).a
    # gold warns of the sanitizer's symbols; nothing follows from it.
    swift build -c release --product tarn-fuzz --scratch-path .build/fuzz --sanitize=address \
        -Xswiftc -DFUZZING -Xswiftc -Xfrontend -Xswiftc -sanitize=address,fuzzer \
        -Xlinker "$runtime" -Xlinker -lstdc++ 2>&1 | { grep -v 'Cannot export local symbol' || :; }
}

# One input may take two seconds on a busy machine, allocate 64 MB at once, and all of it 1 GB:
# inputs are at most some kilobytes.
limits() { echo -timeout=2 -malloc_limit_mb=64 -rss_limit_mb=1024 -verbosity=1; }

fuzz() {
    local target=$1 longest=$2 seconds=$3 dictionary=() status=0
    mkdir -p "$found/$target" "$findings" "$corpus/$target"
    [ ! -e "Fuzz/dictionaries/$target" ] || dictionary=("-dict=Fuzz/dictionaries/$target")
    # The limit of the shell is for the case that libFuzzer itself hangs.
    timeout --kill-after=5 $((seconds + 60)) "$program" --target="$target" $(limits) \
        -max_len="$longest" -max_total_time="$seconds" -print_final_stats=1 \
        -artifact_prefix="$findings/$target-" "${dictionary[@]}" \
        "$found/$target" "$corpus/$target" >"$found/$target.log" 2>&1 </dev/null || status=$?
    local runs coverage
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$found/$target.log")
    coverage=$(grep -o ' cov: [0-9]* ft: [0-9]*' "$found/$target.log" | tail -n 1 || :)
    echo "$target: ${runs:-?} inputs,${coverage:- no coverage}"
    [ "$status" != 0 ] || return 0
    grep -m 4 -E "^$target: |^==[0-9]+== ?ERROR|Test unit written to|^SUMMARY" \
        "$found/$target.log" >&2 || tail -n 5 "$found/$target.log" >&2
    return 1
}

minimise() {
    local target=$1 longest=$2 more=$3 folders=() kept
    kept=$(mktemp -d)
    for folder in "$corpus/$target" "$found/$target" ${more:+"$more/$target"}; do
        [ ! -d "$folder" ] || folders+=("$folder")
    done
    # By the places reached, not by how often: that would keep three times as many files.
    timeout --kill-after=5 300 "$program" --target="$target" -set_cover_merge=1 -use_counters=0 \
        -max_len="$longest" "$kept" \
        "${folders[@]}" >"$kept.log" 2>&1 </dev/null
    # What once failed stays, whatever it reaches now.
    find "$corpus/$target" -name 'failed-*' -exec cp {} "$kept" \;
    rm -rf "${corpus:?}/$target"
    mv "$kept" "$corpus/$target"
    chmod 755 "$corpus/$target"
    rm -f "$kept.log"
    echo "$target: $(find "$corpus/$target" -type f | wc -l) inputs," \
        "$(du -sb --apparent-size "$corpus/$target" | cut -f 1) bytes"
}

build
names=$("$program" --list)
if [ "$wanted" != all ]; then
    names=$(grep "^$wanted " <<<"$names") || {
        echo "fuzz: there is no target $wanted; there are:" >&2
        "$program" --list | cut -d ' ' -f 1 >&2
        exit 64
    }
fi

failed=no
while read -r name longest _; do
    case $mode in
        run) fuzz "$name" "$longest" "${2:-60}" || failed=yes ;;
        minimise) minimise "$name" "$longest" "${2:-}" ;;
    esac
done <<<"$names"
if [ "$failed" = yes ]; then
    echo "fuzz: what failed is in $findings; again with $program --target=NAME FILE," >&2
    echo "or, for a debugger, with swift run tarn-fuzz --target=NAME FILE" >&2
    exit 1
fi
