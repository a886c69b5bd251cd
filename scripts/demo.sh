#!/bin/bash
# Plays the story of Tarn with the programs that are built: two machines of one person, another
# person beside them, and a server that goes away and comes back. Everything lies in a temporary
# folder. On a terminal the server stays at the end, with commands to try, until Ctrl-C; without
# one the play ends by itself: status 0, or 1 if something of it did not happen.
#
#   scripts/demo.sh [folder of the programs]
set -euo pipefail
cd "$(dirname "$0")/.."

bin=$(cd "${1:-.build/release}" && pwd)
for program in tarn tarnd; do
    [ -x "$bin/$program" ] || { echo "demo: $bin/$program is not built" >&2; exit 69; }
done

stage=$(mktemp -d "${TMPDIR:-/tmp}/tarn-demo.XXXXXX")
daemon= watcher= shown=0 failures=0 address=127.0.0.1:0 log=$stage/tarnd.log
export TARN_HOME=$stage/people TARN_PASSWORD=correct-horse-battery
unset TARN_PROFILE TARN_SERVER
bold= dim= red= green= plain=
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' green=$'\e[32m' plain=$'\e[0m'
fi

clean_up() {
    trap - EXIT INT TERM
    for process in $watcher $daemon; do
        kill "$process" 2>/dev/null && wait "$process" 2>/dev/null || true
    done
    rm -rf "$stage"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

pause() { if [ -t 1 ]; then sleep "$1"; fi; }
heading() { printf '\n%s== %s ==%s\n\n' "$bold" "$1" "$plain"; pause 1; }
say() { printf '%s%s%s\n' "$dim" "$1" "$plain"; pause 1; }

# run PROFILE ARGUMENT...: shows the command as a person types it, and what it really answers.
run() {
    local profile=$1 line='' word
    shift
    for word in "$@"; do
        case $word in *[!a-zA-Z0-9_./:=-]*) word="'$word'" ;; esac
        line+=" $word"
    done
    printf '%s%-6s $%s tarn%s\n' "$green" "$profile" "$plain" "$line"
    status=0
    "$bin/tarn" --profile "$profile" "$@" 2>&1 | tee "$stage/answer" || status=$?
    pause 0.7
}

failed() {
    failures=$((failures + 1))
    printf '%s✗ this did not happen: %s%s\n' "$red" "$1" "$plain"
}

# Each says first what should be so.
ends_well() { [ "$status" = 0 ] || failed "$1 (status $status)"; }
answers() { grep -qF -- "$2" "$stage/answer" || failed "$1"; }
does_not_answer() { ! grep -qF -- "$2" "$stage/answer" || failed "$1"; }

# Waits for something that a file is going to say.
hears() {
    local file=$1 text=$2 tries
    for ((tries = 0; tries < 600; tries++)); do
        if grep -qF -- "$text" "$file"; then return 0; fi
        sleep 0.05
    done
    return 1
}

# The watch's window: what it has printed since the last look, once it says what is waited for.
watch_shows() {
    hears "$stage/watch" "$2" || failed "$1"
    # The lines of one change set are written one after the other.
    sleep 0.1
    tail -n "+$((shown + 1))" "$stage/watch" | sed "s/^/${dim}  desk's watch │${plain} /"
    shown=$(wc -l <"$stage/watch")
    pause 1
}

start_daemon() {
    : >"$log"
    "$bin/tarnd" serve --data "$stage/server" --listen "$address" \
        --certificate "$stage/certs/server.pem" --key "$stage/certs/server.key" 2>>"$log" &
    daemon=$!
    if ! hears "$log" listening; then
        cat "$log" >&2
        failed "the server starts"
        exit 1
    fi
    address=$(grep -m 1 -oE '127\.0\.0\.1:[0-9]+' "$log")
}

stop_daemon() {
    kill "$daemon"
    wait "$daemon" || failed "the server ends in good order"
    daemon=
}

act_one() {
    heading "A server, and Alice's laptop"
    certs/make-certificates.sh "$stage/certs" >"$stage/answer" 2>&1 || {
        cat "$stage/answer"
        exit 1
    }
    start_daemon
    say "tarnd listens on $address, with TLS; its data lies in $stage/server."
    run laptop register alice --server "$address" --ca "$stage/certs/ca.pem"
    ends_well "Alice registers"
    run laptop project add Groceries
    run laptop add Milk
    run laptop add Bread
    answers "a task is added" "Added Bread to Groceries"
    run laptop ls
    answers "the laptop lists two tasks" "2 tasks"
}

act_two() {
    heading "Her desk: another machine, the same list, live"
    run desk login alice --server "$address" --ca "$stage/certs/ca.pem"
    ends_well "Alice logs in at her desk"
    run desk ls
    answers "what the laptop wrote is at the desk" "Milk"
    say "At the desk a watch is left running: it prints what changes, wherever that is done."
    printf '%sdesk   $%s tarn watch my-projects &\n' "$green" "$plain"
    : >"$stage/watch"
    "$bin/tarn" --profile desk watch my-projects >"$stage/watch" 2>&1 &
    watcher=$!
    watch_shows "the watch begins with the list" "Bread"
    run laptop add Eggs
    watch_shows "the watch shows what the laptop adds" "Eggs"
    run laptop 'done' Milk
    watch_shows "the watch shows what the laptop ticks off" "Milk  (done)"
    say "Several programs may use one replica: this one is sent by the watch."
    run desk mv Eggs --before Bread
    watch_shows "the watch shows the move as a move" "> 2 → 1 Eggs"
}

act_three() {
    heading "Bob, on the same server"
    run bob register bob --server "$address" --ca "$stage/certs/ca.pem"
    ends_well "Bob registers"
    run bob ls
    does_not_answer "Bob sees nothing of Alice's" "Groceries"
    run bob project add Garden
    run bob add 'Plant beans'
    run bob --realm alice/todo ls
    does_not_answer "Bob cannot look into Alice's realm" "Groceries"
    if grep -rqE 'Groceries|Milk|Eggs' "$TARN_HOME/bob"; then
        failed "nothing of Alice's is in any file of Bob's"
    fi
    say "Nothing of Alice's is in any file of Bob's machine."
}

act_four() {
    heading "The server goes away; both machines work on"
    stop_daemon
    run laptop add Butter
    answers "offline work is kept" "will be sent when the server is reachable"
    run laptop edit Bread Rye bread
    run desk 'done' Eggs
    run desk add Apples
    run laptop status
    answers "what is unsent is counted" "unsent         2"
    watch_shows "the desk's own work shows at once" "Apples"
}

act_five() {
    heading "It comes back, and so does the work of both"
    start_daemon
    run laptop sync
    ends_well "the laptop gets in step"
    watch_shows "the desk hears what the laptop did meanwhile" "Rye bread"
    run desk sync
    ends_well "the desk gets in step"
    run laptop sync
    run laptop ls
    cp "$stage/answer" "$stage/laptop"
    for title in 'Rye bread' Butter Apples Eggs; do
        answers "\"$title\" is at the laptop" "$title"
    done
    run desk ls
    cmp -s "$stage/answer" "$stage/laptop" || failed "both machines show the same"
    run bob ls
    does_not_answer "Bob still sees nothing of Alice's" "bread"
    answers "Bob has his own" "Plant beans"
}

act_one
act_two
act_three
act_four
act_five

if [ "$failures" != 0 ]; then
    printf '\n%sdemo: %s of it did not happen%s\n' "$red" "$failures" "$plain"
    exit 1
fi
printf '\n%sAll of it happened.%s\n' "$bold" "$plain"
[ -t 0 ] && [ -t 1 ] || exit 0

cat <<END

The server runs on until Ctrl-C. In other terminals:

  export TARN_HOME=$TARN_HOME
  export PATH=$bin:\$PATH

  tarn --profile laptop watch
  tarn --profile desk add Honey
  tarn --profile desk ls --json
  tarn --profile bob status
  tarn --help
END
wait "$daemon" || true
