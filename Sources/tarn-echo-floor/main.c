// A small echo server: one thread, epoll, OpenSSL. See README.md.
#include "echo.h"
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static SSL_CTX *make_context(const char *certificate, const char *key) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL) return NULL;
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
                                  | SSL_MODE_AUTO_RETRY);
    if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1) return NULL;
    if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) return NULL;
    return context;
}

static int listen_somewhere(uint16_t *port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t count = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, count) != 0
        || listen(listener, 1024) != 0
        || getsockname(listener, (struct sockaddr *)&address, &count) != 0) return -1;
    *port = ntohs(address.sin_port);
    return listener;
}

static connection *admit(int descriptor, SSL_CTX *context, transfer how) {
    connection *peer = calloc(1, sizeof *peer);
    int one = 1;
    if (peer == NULL) abort();
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    peer->descriptor = descriptor;
    peer->ssl = SSL_new(context);
    if (peer->ssl == NULL) abort();
    if (how == transfer_memory) {
        SSL_set_bio(peer->ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    } else {
        SSL_set_fd(peer->ssl, descriptor);
    }
    SSL_set_accept_state(peer->ssl);
    return peer;
}

static void dismiss(connection *peer) {
    SSL_free(peer->ssl);
    close(peer->descriptor);
    free(peer->partial.start);
    free(peer->answer.start);
    free(peer);
}

static void watch(int poll, int descriptor, void *whom) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = whom}};
    epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event);
}

// Serves until its input ends.
static void run(int listener, SSL_CTX *context, transfer how) {
    static struct epoll_event events[256];
    static int input_mark, listener_mark;
    int poll = epoll_create1(EPOLL_CLOEXEC);
    watch(poll, STDIN_FILENO, &input_mark);
    watch(poll, listener, &listener_mark);
    for (;;) {
        int count = epoll_wait(poll, events, 256, -1);
        for (int index = 0; index < count; index++) {
            void *whom = events[index].data.ptr;
            if (whom == &input_mark) return;
            if (whom == &listener_mark) {
                int accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
                if (accepted >= 0) watch(poll, accepted, admit(accepted, context, how));
            } else if (!serve(whom, how)) {
                dismiss(whom);
            }
        }
    }
}

int main(int count, char **words) {
    if (count != 4) {
        fprintf(stderr, "usage: tarn-echo-floor CERTIFICATE KEY memory|descriptor\n");
        return 64;
    }
    signal(SIGPIPE, SIG_IGN);
    SSL_CTX *context = make_context(words[1], words[2]);
    uint16_t port = 0;
    int listener = listen_somewhere(&port);
    if (context == NULL || listener < 0) {
        fprintf(stderr, "tarn-echo-floor: the certificate or the socket cannot be used\n");
        return 70;
    }
    printf("%d\n", port);
    fflush(stdout);
    run(listener, context,
        strcmp(words[3], "memory") == 0 ? transfer_memory : transfer_descriptor);
    return 0;
}
