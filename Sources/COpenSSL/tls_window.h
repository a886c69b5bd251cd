// What a TLS session shares with OpenSSL: its BIO, and what is said of the peer's certificate.
#ifndef TARN_COPENSSL_TLS_WINDOW_H
#define TARN_COPENSSL_TLS_WINDOW_H
#include "shim.h"

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
    // The certificate that the peer showed, in this session or in the one that is resumed.
    int has_fingerprint;
    uint8_t fingerprint[32];
    // Which of the chain was refused: 0 is the peer's own.
    int refused_depth;
    // With the last ticket that the server gave; it is the window's until it is taken.
    SSL_SESSION *ticket;
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

static inline int tarn_note_fingerprint(tarn_tls_window *window, const X509 *certificate) {
    unsigned int count = 0;
    if (certificate == NULL) return 0;
    if (X509_digest(certificate, EVP_sha256(), window->fingerprint, &count) != 1) return 0;
    window->has_fingerprint = 1;
    return 1;
}

// Notes the fingerprint of the peer's certificate, and then either compares it with the pin or
// verifies the chain as usual. OpenSSL calls it for a full handshake only.
static inline int tarn_verify(X509_STORE_CTX *store, void *argument) {
    (void)argument;
    SSL *ssl = (SSL *)X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
    tarn_tls_window *window = ssl == NULL ? NULL : (tarn_tls_window *)SSL_get_app_data(ssl);
    if (window == NULL) return 0;
    if (!tarn_note_fingerprint(window, X509_STORE_CTX_get0_cert(store))) return 0;
    if (!window->is_pinned) {
        int result = X509_verify_cert(store);
        window->refused_depth = X509_STORE_CTX_get_error_depth(store);
        return result;
    }
    if (CRYPTO_memcmp(window->fingerprint, window->pin, 32) == 0) {
        X509_STORE_CTX_set_error(store, X509_V_OK);
        return 1;
    }
    X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION);
    return 0;
}
#endif
