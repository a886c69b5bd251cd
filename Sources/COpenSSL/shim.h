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

// Reasons are numbered by each library of OpenSSL for itself.
static inline int tarn_error_library(unsigned long error) { return ERR_GET_LIB(error); }
static inline int tarn_error_reason(unsigned long error) { return ERR_GET_REASON(error); }
#endif
