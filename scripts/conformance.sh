#!/bin/bash
# Holds our WebSocket, as a server and as a client, against the Autobahn test suite: groups 1 to
# 10, 301 cases each, over TLS. All must be passed strictly.
#
#   scripts/conformance.sh [--if-installed] [folder of the programs]
#
# The suite is installed first (scripts/conformance/setup.sh); with --if-installed it is not, and
# where it is missing nothing is run and a line says so. The reports stay in .build/conformance.
# Exit codes: 1 a case is not passed, 69 the suite cannot be had here or its programs are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

must_install=yes
if [ "${1:-}" = --if-installed ]; then
    must_install=no
    shift
fi
bench=${1:-.build/release}/tarn-bench
root=${XDG_CACHE_HOME:-$HOME/.cache}/tarn-peers/bullseye
reports=.build/conformance
# Of one direction. Both at once take 20 s, built for debugging too.
seconds_max=300

refuse() {
    echo "conformance: $*" >&2
    exit 69
}

skip() {
    echo "conformance: the Autobahn cases are not run: $*"
    exit 0
}

if [ "$must_install" = yes ]; then
    [ "$(id -u)" = 0 ] || refuse "only root can run the Autobahn suite (it lives in a chroot)."
    scripts/conformance/setup.sh "$root"
else
    [ -f "$root/opt/boot/.installed-v1" ] || skip "make conformance installs them (630 MB)."
    [ "$(id -u)" = 0 ] || skip "only root can (the suite lives in a chroot)."
fi
[ -x "$bench" ] || refuse "$bench is not built."

# The suite sees this folder as $seen.
stage=$(mktemp -d "$root/tmp/tarn-XXXXXX")
seen=${stage#"$root"}
children=()
clean_up() {
    local child
    for child in ${children[@]+"${children[@]}"}; do
        kill "$child" 2>/dev/null && wait "$child" 2>/dev/null || true
    done
    rm -rf "$stage"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

inside() {
    exec chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/root \
        LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 "$@"
}

# Waits for a file to say something; what it says is the answer.
hears() {
    local file=$1 pattern=$2 tries
    for ((tries = 0; tries < 400; tries++)); do
        if grep -oE -m 1 -- "$pattern" "$file" 2>/dev/null; then return 0; fi
        sleep 0.05
    done
    tail -n 5 "$file" >&2
    return 1
}

# Waits for somebody to listen.
answers() {
    local tries
    for ((tries = 0; tries < 400; tries++)); do
        if (: >"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then return 0; fi
        sleep 0.05
    done
    return 1
}

# The cases of groups 1 to 10, for the suite: specification server|client URL
specification() {
    local cases='"cases": ["*"], "exclude-cases": ["12.*", "13.*"], "exclude-agent-cases": {}'
    if [ "$1" = server ]; then
        cases+=', "servers": [{"agent": "tarn", "url": "'$2'"}]'
    else
        cases+=', "url": "'$2'"'
        cases+=', "key": "'$seen'/certs/server.key", "cert": "'$seen'/certs/server.pem"'
    fi
    echo "{\"outdir\": \"$seen/$1\", $cases}" >"$stage/$1.json"
}

test_server() {
    "$bench" echo-server --certificate "$stage/certs/server.pem" --key "$stage/certs/server.key" \
        >"$stage/echo.log" 2>&1 &
    children+=($!)
    local url
    url=$(hears "$stage/echo.log" 'wss://[^ ]*') || refuse "the echo server does not start."
    specification server "$url"
    (inside timeout "$seconds_max" wstest -m fuzzingclient -s "$seen/server.json") \
        >"$stage/server.log" 2>&1 &
    server_test=$!
    children+=($server_test)
}

test_client() {
    # The suite cannot be asked for any free port, so one is found for it.
    local port
    port=$(inside python2.7 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')
    specification client "wss://127.0.0.1:$port"
    (inside wstest -m fuzzingserver -s "$seen/client.json" --webport 0) \
        >"$stage/fuzzing.log" 2>&1 &
    children+=($!)
    # It says nothing once it listens.
    answers "$port" || { tail -n 5 "$stage/fuzzing.log"; refuse "the suite does not listen."; }
    timeout "$seconds_max" "$bench" echo-client "127.0.0.1:$port" \
        --authority "$stage/certs/ca.pem" >"$stage/client.log" 2>&1 &
    client_test=$!
    children+=($client_test)
}

# Prints the table of one direction: judge NAME TITLE PROCESS
judge() {
    local status=0
    wait "$3" || status=$?
    rm -rf "${reports:?}/$1"
    mkdir -p "$reports"
    if [ "$status" != 0 ] || [ ! -f "$stage/$1/index.json" ]; then
        echo "conformance: the run against our $1 did not come to its end (status $status):"
        tail -n 15 "$stage/$1.log"
        return 1
    fi
    cp -r "$stage/$1" "$reports/$1"
    cp scripts/conformance/report.py "$stage/report.py"
    (inside python2.7 "$seen/report.py" "$2" "$seen/$1/index.json")
}

certs/make-certificates.sh "$stage/certs" >/dev/null
test_server
test_client
status=0
judge server "Our server, by Autobahn's fuzzing client" "$server_test" || status=1
judge client "Our client, by Autobahn's fuzzing server" "$client_test" || status=1
[ "$status" = 0 ] || echo "conformance: not all is as it must be; see $reports/*/index.html" >&2
exit "$status"
