#!/bin/bash
# Installs the Autobahn WebSocket test suite, which wants Python 2.7, into a folder of its own: a
# small Debian 11 that the suite runs in (chroot). It takes some minutes and 630 MB, and nothing
# outside that folder changes but for debootstrap, which is installed if it is missing.
#
#   scripts/conformance/setup.sh FOLDER       does nothing if it is all there
#
# MIRROR=URL names the Debian mirror; otherwise it is that of this machine's apt. pip is told by
# its usual variables where packages come from. Exit code 69: it cannot be installed here.
set -euo pipefail
cd "$(dirname "$0")/../.."

root=${1:?usage: scripts/conformance/setup.sh FOLDER}
stamp=$root/opt/boot/.installed-v1
pip=20.3.4

refuse() {
    echo "conformance: $*" >&2
    exit 69
}

# A command inside, with a clean environment but for what pip has to know.
inside() {
    local words=(PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
        PIP_CERT=/etc/ssl/certs/ca-certificates.crt PIP_DISABLE_PIP_VERSION_CHECK=1
        PIP_NO_CACHE_DIR=1 PIP_NO_PYTHON_VERSION_WARNING=1 PIP_DEFAULT_TIMEOUT=180) name
    for name in PIP_INDEX_URL PIP_EXTRA_INDEX_URL http_proxy https_proxy HTTP_PROXY HTTPS_PROXY \
        no_proxy; do
        [ -z "${!name:-}" ] || words+=("$name=${!name}")
    done
    chroot "$root" /usr/bin/env -i "${words[@]}" "$@"
}

works() { inside wstest --help 2>/dev/null | grep -q fuzzingclient; }

if [ -f "$stamp" ] && works; then exit 0; fi
[ "$(id -u)" = 0 ] || refuse "only root can install the Autobahn suite (it is put in a chroot)."
command -v apt-get >/dev/null ||
    refuse "the Autobahn suite is installed with debootstrap, and this is no Debian."

echo "conformance: installing the Autobahn suite into $root; it takes some minutes."
if ! command -v debootstrap >/dev/null; then
    { apt-get update -q && apt-get install -q -y --no-install-recommends debootstrap; } \
        </dev/null >/dev/null 2>&1 || refuse "debootstrap could not be installed."
fi

# debootstrap removes its own folder when it has come to its end.
if [ ! -x "$root/usr/bin/python2.7" ] || [ -d "$root/debootstrap" ]; then
    mirror=${MIRROR:-$(sed -n 's/^URIs: *\([^ ]*\/debian\)\/*$/\1/p' \
        /etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1 || :)}
    [ -n "$mirror" ] ||
        mirror=$(sed -n 's/^deb .*\(http[^ ]*\/debian\)\/* .*/\1/p' /etc/apt/sources.list \
            2>/dev/null | head -n 1 || :)
    [ -n "$mirror" ] || refuse "no Debian mirror is known here; name one with MIRROR=URL."
    # Only what an earlier try has left is erased.
    if [ -d "$root" ] && [ -n "$(ls -A "$root")" ] && [ ! -e "$root/.tarn-conformance" ]; then
        refuse "$root holds something else; name an empty folder."
    fi
    rm -rf "$root"
    mkdir -p "$root"
    touch "$root/.tarn-conformance"
    debootstrap --variant=minbase \
        --include=ca-certificates,python2.7,python2.7-dev,libssl-dev,libffi-dev,gcc,libc6-dev \
        bullseye "$root" "$mirror" >/dev/null || refuse "Debian 11 could not be installed."
fi
for file in /etc/resolv.conf /etc/hosts; do cp -L "$file" "$root$file"; done
cp -L "${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}" \
    "$root/etc/ssl/certs/ca-certificates.crt"

# The last pip that runs on Python 2.7. This machine's own pip fetches it, and it installs itself.
mkdir -p "$root/opt/boot"
if ! inside pip --version 2>/dev/null | grep -q "pip $pip"; then
    python=.venv/bin/python
    [ -x "$python" ] || python=python3
    "$python" -m pip download -q --no-deps --only-binary :all: -d "$root/opt/boot" \
        "pip==$pip" setuptools==44.0.0 wheel==0.36.2 || refuse "pip $pip could not be fetched."
    inside python2.7 "/opt/boot/pip-$pip-py2.py3-none-any.whl/pip" install -q --no-index \
        --find-links /opt/boot "pip==$pip" setuptools==44.0.0 wheel==0.36.2
fi

cp scripts/conformance/requirements.txt "$root/opt/boot/requirements.txt"
# These two are needed to build others.
inside pip install -q --no-build-isolation incremental==16.10.1 cffi==1.14.6
inside pip install -q --no-build-isolation -r /opt/boot/requirements.txt ||
    refuse "the suite's Python packages could not be installed."
works || refuse "the suite is installed, and does not run: chroot $root wstest --help"
touch "$stamp"
