#!/bin/bash
# Installs what a build needs and this machine has not, and says what. Silent when all is there.
# With --tests also what the tests need: Python peers in .venv, at the versions of
# Tests/Python/requirements.txt, and nginx and haproxy (3 MB), which are not started, neither now
# nor when the machine starts. Exit codes: 69 something cannot be had here, 64 wrong usage.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH="$PATH:/opt/swift/usr/bin"

requirements=Tests/Python/requirements.txt

refuse() {
    echo "setup: $*" >&2
    exit 69
}

installed() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -q '^installed$'
}

# The Debian packages that are missing, one a line.
missing_packages() {
    installed libc6-dev || echo libc6-dev
    # Any version of the compiler's own files will do; g++ brings the one of this release.
    installed 'libstdc++-*-dev' || echo g++
    installed libssl-dev || echo libssl-dev
    installed libsqlite3-dev || echo libsqlite3-dev
    command -v pkg-config >/dev/null || echo pkg-config
    command -v openssl >/dev/null || echo openssl
    command -v make >/dev/null || echo make
    command -v git >/dev/null || echo git
}

# Programs that tests start themselves, with configurations of their own.
missing_proxies() {
    installed nginx || echo nginx
    installed libnginx-mod-stream || echo libnginx-mod-stream
    installed haproxy || echo haproxy
}

policy_mark="# Made by the set-up of Tarn for the time of one installation."

# Installs the proxies without the services that they bring. Tests that need them say so and do
# nothing where that cannot be.
install_proxies() {
    # What the packages' own scripts ask whether they may start something: 101 is no.
    local policy=/usr/sbin/policy-rc.d status=0
    # An earlier run may have been killed before it could take its own away.
    if grep -qs "$policy_mark" "$policy"; then as_root rm -f "$policy"; fi
    if [ -e "$policy" ]; then
        "$policy" nginx start >/dev/null 2>&1 || status=$?
        if [ "$status" != 101 ]; then
            echo "setup: please install $*; here they would be started as services." >&2
            return
        fi
        (install_packages "$@") || echo "setup: the tests behind proxies will not run." >&2
        return
    fi
    trap 'as_root rm -f /usr/sbin/policy-rc.d' EXIT
    if printf '#!/bin/sh\n%s\nexit 101\n' "$policy_mark" | as_root tee "$policy" >/dev/null; then
        as_root chmod 755 "$policy"
        (install_packages "$@") || echo "setup: the tests behind proxies will not run." >&2
    fi
    as_root rm -f "$policy"
    trap - EXIT
    # Nor when the machine starts.
    for service in nginx haproxy; do
        [[ " $* " = *" $service "* ]] || continue
        as_root systemctl disable "$service" >/dev/null 2>&1 || true
    done
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

install_packages() {
    local packages=("$@") as_root=()
    command -v apt-get >/dev/null ||
        refuse "please install ${packages[*]} (apt-get is not here to do it)."
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null ||
            refuse "please run, as root: apt-get install ${packages[*]} (there is no sudo here)."
        as_root=(sudo)
        # Nobody is there to type a password.
        [ -t 0 ] || as_root=(sudo -n)
    fi
    echo "setup: installing ${packages[*]} with ${as_root[*]:+sudo }apt-get."
    local log
    log=$(mktemp)
    if ! {
        "${as_root[@]}" apt-get update -q &&
            "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
                apt-get install -q -y --no-install-recommends "${packages[@]}"
    } </dev/null >"$log" 2>&1; then
        tail -n 15 "$log" >&2
        rm -f "$log"
        refuse "apt-get could not install ${packages[*]}; please install them and try again."
    fi
    rm -f "$log"
}

# The first Python 3 that can make a virtual environment.
find_python() {
    local candidate
    for candidate in python3 /usr/bin/python3; do
        if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
            >/dev/null 2>&1; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

python_is_ready() {
    cmp -s "$requirements" .venv/requirements.txt && .venv/bin/python -c '' 2>/dev/null
}

make_python() {
    local python=$1
    echo "setup: putting $(paste -s -d ' ' "$requirements") into .venv with pip."
    rm -rf .venv
    if ! {
        "$python" -m venv .venv &&
            .venv/bin/pip install --quiet --disable-pip-version-check -r "$requirements"
    } </dev/null; then
        rm -rf .venv
        refuse "the Python packages of $requirements could not be installed."
    fi
    # Written last, so that an interrupted set-up starts again.
    cp "$requirements" .venv/requirements.txt
}

with_tests=no
case "$*" in
    "") ;;
    --tests) with_tests=yes ;;
    *)
        echo "usage: scripts/setup.sh [--tests]" >&2
        exit 64
        ;;
esac

missing=()
if command -v dpkg-query >/dev/null; then
    mapfile -t missing < <(missing_packages)
elif ! pkg-config --exists openssl sqlite3 2>/dev/null || ! command -v openssl >/dev/null; then
    refuse "please install openssl, and the development files of OpenSSL 3 and SQLite 3."
fi
make_peers=no
# A peer of the tests that is no Python package.
if [ "$with_tests" = yes ] && ! command -v curl >/dev/null; then missing+=(curl); fi
if [ "$with_tests" = yes ] && ! python_is_ready; then
    make_peers=yes
    find_python >/dev/null || missing+=(python3 python3-venv)
fi
[ "${#missing[@]}" = 0 ] || install_packages "${missing[@]}"

command -v swift >/dev/null ||
    refuse "Swift 6.2 or later is needed, on the PATH or in /opt/swift: https://swift.org/install"

if [ "$with_tests" = yes ] && command -v dpkg-query >/dev/null; then
    mapfile -t missing < <(missing_proxies)
    [ "${#missing[@]}" = 0 ] || install_proxies "${missing[@]}"
fi

if [ "$make_peers" = yes ]; then
    python=$(find_python) || refuse "no Python 3.11 or later here can make a virtual environment."
    make_python "$python"
fi
