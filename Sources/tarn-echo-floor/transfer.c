// Between the socket and OpenSSL, in the two ways there are.
#include "echo.h"
#include <errno.h>
#include <openssl/bio.h>
#include <sys/socket.h>
#include <unistd.h>

static uint8_t cipher[65536];
static uint8_t plain[16384];

// Decrypts what has come and answers it, in one piece if it fits a record.
static int answer_all(connection *peer) {
    for (;;) {
        int count = SSL_read(peer->ssl, plain, sizeof plain);
        if (count <= 0) {
            if (SSL_get_error(peer->ssl, count) != SSL_ERROR_WANT_READ) return 0;
            break;
        }
        if (!answer_to(peer, plain, (size_t)count)) return 0;
    }
    if (peer->answer.count == 0) return 1;
    int count = SSL_write(peer->ssl, peer->answer.start, (int)peer->answer.count);
    peer->answer.count = 0;
    return count > 0;
}

// The benchmark reads what it asked for, so a full socket is waited for.
static int send_all(int descriptor, const uint8_t *start, size_t count) {
    while (count > 0) {
        ssize_t sent = send(descriptor, start, count, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) return 0;
        if (sent < 0) continue;
        start += sent;
        count -= (size_t)sent;
    }
    return 1;
}

static int serve_memory(connection *peer) {
    ssize_t count = read(peer->descriptor, cipher, sizeof cipher);
    if (count == 0 || (count < 0 && errno != EAGAIN)) return 0;
    if (count < 0) return 1;
    if (BIO_write(SSL_get_rbio(peer->ssl), cipher, (int)count) != count) return 0;
    int is_well = answer_all(peer);
    BIO *output = SSL_get_wbio(peer->ssl);
    char *start = NULL;
    long waiting = BIO_get_mem_data(output, &start);
    if (waiting > 0) {
        if (!send_all(peer->descriptor, (const uint8_t *)start, (size_t)waiting)) return 0;
        (void)BIO_reset(output);
    }
    return is_well;
}

int serve(connection *peer, transfer how) {
    return how == transfer_memory ? serve_memory(peer) : answer_all(peer);
}
