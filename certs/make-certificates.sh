#!/bin/sh
# Makes a development authority and a server's certificate signed by it.
#
#   certs/make-certificates.sh [folder] [name or address ...]
#
# What is there and still valid for a month is kept; a certificate that ends, or lacks a name that
# is asked for, is made anew. Needs the command openssl.
set -eu

folder=${1:-"$(dirname "$0")/out"}
[ $# -gt 0 ] && shift
month=2592000

fail() {
    echo "make-certificates: $1" >&2
    exit 1
}

command -v openssl >/dev/null 2>&1 || fail "the command openssl is missing; install it first"
umask 077
mkdir -p "$folder" || fail "the folder $folder cannot be made"
folder=$(cd "$folder" && pwd)

work=$(mktemp -d "$folder/.making.XXXXXX") || fail "nothing can be written to $folder"
trap 'rm -rf "$work"' EXIT INT TERM

run() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "openssl could not do: $*"; }
}

is_valid() {
    [ -s "$1" ] && openssl x509 -in "$1" -noout -checkend "$month" >/dev/null 2>&1
}

fits() {
    key=$(openssl pkey -in "$2" -pubout 2>/dev/null) || return 1
    [ "$key" = "$(openssl x509 -in "$1" -noout -pubkey 2>/dev/null)" ]
}

# The names of the certificate, as openssl writes them in a configuration.
host=$(hostname 2>/dev/null || echo localhost)
names="DNS:localhost,IP:127.0.0.1,IP:::1"
[ "$host" = localhost ] || names="$names,DNS:$host"
for name in "$@"; do
    case $name in
        *[!A-Za-z0-9.:*-]*) fail "\"$name\" is neither a name nor an address" ;;
        *:*) names="$names,IP:$name" ;;
        *[!0-9.]*) names="$names,DNS:$name" ;;
        *) names="$names,IP:$name" ;;
    esac
done

# The authority. It lives for ten years, and signs nothing but servers' certificates.
if is_valid "$folder/ca.pem" && fits "$folder/ca.pem" "$folder/ca.key"; then
    echo "authority: kept $folder/ca.pem"
else
    run openssl ecparam -name prime256v1 -genkey -noout -out "$work/ca.key"
    run openssl req -x509 -new -sha256 -key "$work/ca.key" -days 3650 -out "$work/ca.pem" \
        -subj "/CN=Tarn development authority" \
        -addext "basicConstraints=critical,CA:TRUE,pathlen:0" \
        -addext "keyUsage=critical,keyCertSign,cRLSign"
    chmod 600 "$work/ca.key"
    chmod 644 "$work/ca.pem"
    mv "$work/ca.key" "$folder/ca.key"
    mv "$work/ca.pem" "$folder/ca.pem"
    echo "authority: made $folder/ca.pem"
fi

# Whether it was made for every name that is asked for now; more do no harm.
has_names() {
    for name in $(echo "$names" | tr , ' '); do
        grep -qxF "$name" "$folder/server.names" 2>/dev/null || return 1
    done
}

if is_valid "$folder/server.pem" && fits "$folder/server.pem" "$folder/server.key" \
    && has_names \
    && openssl verify -CAfile "$folder/ca.pem" "$folder/server.pem" >/dev/null 2>&1; then
    echo "server:    kept $folder/server.pem"
else
    cat >"$work/server.ext" <<EXTENSIONS
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature
extendedKeyUsage=serverAuth
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid
subjectAltName=$names
EXTENSIONS
    run openssl ecparam -name prime256v1 -genkey -noout -out "$work/server.key"
    run openssl req -new -sha256 -key "$work/server.key" -out "$work/server.csr" \
        -subj "/CN=Tarn development server"
    run openssl x509 -req -sha256 -in "$work/server.csr" -days 397 -out "$work/server.pem" \
        -CA "$folder/ca.pem" -CAkey "$folder/ca.key" -extfile "$work/server.ext" \
        -set_serial "0x$(openssl rand -hex 16 | sed 's/^[89a-f]/7/')"
    chmod 600 "$work/server.key"
    chmod 644 "$work/server.pem"
    echo "$names" | tr , '\n' >"$folder/server.names"
    mv "$work/server.key" "$folder/server.key"
    mv "$work/server.pem" "$folder/server.pem"
    echo "server:    made $folder/server.pem for $names"
fi

fingerprint=$(openssl x509 -in "$folder/server.pem" -noout -fingerprint -sha256 | sed 's/^.*=//')
echo "fingerprint (SHA-256): $fingerprint"
