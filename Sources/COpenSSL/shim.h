// OpenSSL, with the macros that Swift cannot import as inline functions.
#ifndef TARN_COPENSSL_SHIM_H
#define TARN_COPENSSL_SHIM_H
#include <limits.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// What one TLS session shares with the callbacks of OpenSSL: the bytes that have come from the
// network, those that are to go there, and what is to be said about the peer's certificate.
typedef struct tarn_tls_window {
    const uint8_t *input;
    size_t input_count;
    uint8_t *output;
    size_t output_count;
    size_t output_capacity;
    // While something is encrypted, where it goes: memory that all sessions of a thread share.
    uint8_t *scratch;
    size_t scratch_count;
    size_t scratch_capacity;
    // The one certificate that is trusted, if trust is by fingerprint.
    int is_pinned;
    uint8_t pin[32];
    // The certificate that the peer showed.
    int has_fingerprint;
    uint8_t fingerprint[32];
} tarn_tls_window;

static inline int tarn_bio_read(BIO *bio, char *bytes, int count) {
    tarn_tls_window *window = (tarn_tls_window *)BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (window == NULL || count <= 0) return 0;
    if (window->input_count == 0) {
        BIO_set_retry_read(bio);
        return -1;
    }
    size_t taken = window->input_count < (size_t)count ? window->input_count : (size_t)count;
    memcpy(bytes, window->input, taken);
    window->input += taken;
    window->input_count -= taken;
    return (int)taken;
}

// Appends to the output. 0 when there is no memory.
static inline int tarn_tls_window_keep(tarn_tls_window *window, const uint8_t *bytes,
                                       size_t count) {
    size_t needed = window->output_count + count;
    if (needed > window->output_capacity) {
        size_t capacity = window->output_capacity * 2;
        if (capacity < needed) capacity = needed;
        uint8_t *grown = (uint8_t *)realloc(window->output, capacity);
        if (grown == NULL) return 0;
        window->output = grown;
        window->output_capacity = capacity;
    }
    memcpy(window->output + window->output_count, bytes, count);
    window->output_count = needed;
    return 1;
}

static inline int tarn_bio_write(BIO *bio, const char *bytes, int count) {
    tarn_tls_window *window = (tarn_tls_window *)BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (window == NULL || count <= 0) return 0;
    if (window->scratch != NULL && window->output_count == 0
        && (size_t)count <= window->scratch_capacity - window->scratch_count) {
        memcpy(window->scratch + window->scratch_count, bytes, (size_t)count);
        window->scratch_count += (size_t)count;
        return count;
    }
    // What does not fit waits in the output, after what came before it.
    if (window->scratch_count > 0) {
        if (!tarn_tls_window_keep(window, window->scratch, window->scratch_count)) return -1;
        window->scratch_count = 0;
    }
    return tarn_tls_window_keep(window, (const uint8_t *)bytes, (size_t)count) ? count : -1;
}

static inline long tarn_bio_control(BIO *bio, int command, long number, void *pointer) {
    (void)bio; (void)number; (void)pointer;
    // Written bytes are kept until they are taken, so there is nothing to flush.
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

// The kind of BIO that reads and writes a window. Made once, kept for the life of the process.
static inline BIO_METHOD *tarn_bio_method_new(void) {
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "tarn window");
    if (method == NULL) return NULL;
    BIO_meth_set_read(method, tarn_bio_read);
    BIO_meth_set_write(method, tarn_bio_write);
    BIO_meth_set_ctrl(method, tarn_bio_control);
    return method;
}

// A session whose two directions are one window, which must outlive it.
static inline SSL *tarn_ssl_new(SSL_CTX *context, BIO_METHOD *method, tarn_tls_window *window) {
    SSL *ssl = SSL_new(context);
    BIO *bio = BIO_new(method);
    if (ssl == NULL || bio == NULL) {
        SSL_free(ssl);
        BIO_free(bio);
        return NULL;
    }
    BIO_set_data(bio, window);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
    SSL_set_app_data(ssl, window);
    return ssl;
}

// Notes the fingerprint of the peer's certificate, and then either compares it with the pin or
// verifies the chain as usual.
static inline int tarn_verify(X509_STORE_CTX *store, void *argument) {
    (void)argument;
    SSL *ssl = (SSL *)X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    tarn_tls_window *window = ssl == NULL ? NULL : (tarn_tls_window *)SSL_get_app_data(ssl);
    X509 *certificate = X509_STORE_CTX_get0_cert(store);
    unsigned int count = 0;
    if (window == NULL || certificate == NULL) return 0;
    if (X509_digest(certificate, EVP_sha256(), window->fingerprint, &count) != 1) return 0;
    window->has_fingerprint = 1;
    if (!window->is_pinned) return X509_verify_cert(store);
    if (CRYPTO_memcmp(window->fingerprint, window->pin, 32) == 0) {
        X509_STORE_CTX_set_error(store, X509_V_OK);
        return 1;
    }
    X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION);
    return 0;
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

static inline int tarn_ssl_ctx_set_min_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}

// No renegotiation, compression, resumption or early data; idle sessions give their buffers back.
static inline void tarn_ssl_ctx_harden(SSL_CTX *context) {
    SSL_CTX_set_options(
        context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_max_early_data(context, 0);
}

static inline int tarn_ssl_set_server_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline int tarn_ssl_error_reason(unsigned long error) {
    return ERR_GET_REASON(error);
}
#endif
