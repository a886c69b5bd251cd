// The rules that every TLS session of ours follows, whatever the system's configuration says.
#ifndef TARN_COPENSSL_TLS_RULES_H
#define TARN_COPENSSL_TLS_RULES_H
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <time.h>

#include "tls_window.h"

// Two groups, since a peer chooses and the other side computes: P-384 costs twenty times as much as
// X25519, and 8,192 bits of finite field, which OpenSSL takes as well, two hundred times. From 3.5
// on the first is a hybrid that a quantum computer does not break, and its sign says whether a key
// share is sent at once. (The keys of certificates are another matter: P-384 is fine there.)
#if OPENSSL_VERSION_NUMBER >= 0x30500000L
#define TARN_TLS_GROUPS "?*X25519MLKEM768/?*X25519:?secp256r1"
#else
#define TARN_TLS_GROUPS "X25519:P-256"
#endif

// Ciphers of TLS 1.3, and those of 1.2: only with forward secrecy and authenticated encryption.
// AES of 128 bits comes first: it is safe, and the cheapest where a processor helps with AES.
#define TARN_TLS13_CIPHERS \
    "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384"
#define TARN_TLS12_CIPHERS \
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:" \
    "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:" \
    "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384"

// No renegotiation, compression or early data; idle sessions give their buffers back. The server
// chooses the cipher, but a client that names ChaCha20 first has no help with AES, and gets it.
// Level 2 refuses keys and signatures of less than 112 bits: RSA below 2,048, and SHA-1.
static inline int tarn_ssl_ctx_harden(SSL_CTX *context, int allows_tls12) {
    SSL_CTX_set_options(
        context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION
                     | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_security_level(context, 2);
    SSL_CTX_set_max_early_data(context, 0);
    SSL_CTX_set_recv_max_early_data(context, 0);
    int lowest = allows_tls12 ? TLS1_2_VERSION : TLS1_3_VERSION;
    return SSL_CTX_set_min_proto_version(context, lowest) == 1
        && SSL_CTX_set_max_proto_version(context, 0) == 1
        && SSL_CTX_set_ciphersuites(context, TARN_TLS13_CIPHERS) == 1
        && SSL_CTX_set_cipher_list(context, TARN_TLS12_CIPHERS) == 1
        && SSL_CTX_set1_groups_list(context, TARN_TLS_GROUPS) == 1;
}

static inline void tarn_ssl_ctx_verify_peer(SSL_CTX *context) {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_cert_verify_callback(context, tarn_verify, NULL);
}

// The protocols that a server speaks, as ALPN lists them: http/1.1 alone.
static inline int tarn_alpn_select(SSL *ssl, const unsigned char **out, unsigned char *out_count,
                                   const unsigned char *in, unsigned int in_count, void *argument) {
    static const unsigned char spoken[] = "\x08http/1.1";
    (void)ssl; (void)argument;
    unsigned char *chosen = NULL;
    if (SSL_select_next_proto(&chosen, out_count, spoken, sizeof spoken - 1, in, in_count)
        != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

static inline void tarn_ssl_ctx_speak_http(SSL_CTX *context) {
    SSL_CTX_set_alpn_select_cb(context, tarn_alpn_select, NULL);
}

// Gives no password, and notes that one was asked for: nobody is asked on a terminal.
static inline int tarn_no_password(char *buffer, int size, int is_writing, void *was_asked) {
    (void)buffer; (void)size; (void)is_writing;
    if (was_asked != NULL) *(int *)was_asked = 1;
    return -1;
}

static inline void tarn_ssl_ctx_never_ask(SSL_CTX *context, int *was_asked) {
    SSL_CTX_set_default_passwd_cb(context, tarn_no_password);
    SSL_CTX_set_default_passwd_cb_userdata(context, was_asked);
}

// Seconds since 1970; 0 for what is no time.
static inline int64_t tarn_asn1_seconds(const ASN1_TIME *time) {
    struct tm parts;
    if (time == NULL || ASN1_TIME_to_tm(time, &parts) != 1) return 0;
    return (int64_t)timegm(&parts);
}

// When the first of a certificate and a chain ends to be valid. Either may be missing.
static inline int64_t tarn_validity_end(const X509 *certificate, const STACK_OF(X509) *chain) {
    int64_t end = INT64_MAX;
    if (certificate != NULL) end = tarn_asn1_seconds(X509_get0_notAfter(certificate));
    for (int index = 0; index < sk_X509_num(chain); index++) {
        int64_t other = tarn_asn1_seconds(X509_get0_notAfter(sk_X509_value(chain, index)));
        if (other < end) end = other;
    }
    return end;
}

static inline int64_t tarn_ssl_ctx_validity_end(SSL_CTX *context) {
    STACK_OF(X509) *chain = NULL;
    SSL_CTX_get0_chain_certs(context, &chain);
    return tarn_validity_end(SSL_CTX_get0_certificate(context), chain);
}

// A client keeps what the server gives it, by itself: OpenSSL's cache is not asked. It is a copy,
// since OpenSSL spoils the session of a connection that breaks off, when it is wanted most.
static inline int tarn_keep_ticket(SSL *ssl, SSL_SESSION *session) {
    tarn_tls_window *window = (tarn_tls_window *)SSL_get_app_data(ssl);
    if (window == NULL) return 0;
    SSL_SESSION_free(window->ticket);
    window->ticket = SSL_SESSION_dup(session);
    return 0;
}

static inline void tarn_ssl_ctx_keep_tickets(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(
        context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, tarn_keep_ticket);
}

// A server keeps nothing: its session is in the ticket. One a handshake is enough: a client makes
// one connection, and gets another ticket with the next.
static inline void tarn_ssl_ctx_give_tickets(SSL_CTX *context, long seconds) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, 1);
    SSL_CTX_set_timeout(context, seconds);
}

static inline void tarn_ssl_ctx_no_tickets(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, 0);
}

// Sets up the sealing or opening of one ticket (RFC 5077, section 4): AES-256-CBC, then
// HMAC-SHA256. The key is 32 bytes for the one and 32 for the other.
static inline int tarn_ticket_protect(const uint8_t *key, const uint8_t *iv, int is_sealing,
                                      EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac) {
    static char digest[] = "SHA256";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)(key + 32), 32),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(mac, parameters) == 1
        && EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), NULL, key, iv, is_sealing) == 1;
}

static inline int tarn_ssl_set_server_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}
#endif
