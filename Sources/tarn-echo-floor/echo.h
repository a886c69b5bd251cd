// What the parts of the floor share.
#ifndef TARN_ECHO_FLOOR_H
#define TARN_ECHO_FLOOR_H
#include <openssl/ssl.h>
#include <stddef.h>
#include <stdint.h>

// Bytes that grow at the end.
typedef struct bytes {
    uint8_t *start;
    size_t count;
    size_t capacity;
} bytes;

// How OpenSSL meets the socket.
typedef enum transfer { transfer_memory, transfer_descriptor } transfer;

typedef struct connection {
    int descriptor;
    int is_upgraded;
    SSL *ssl;
    // The beginning of what has not come to its end.
    bytes partial;
    // Plain bytes of this round, sent at its end.
    bytes answer;
} connection;

// Room for so many more bytes at the end.
uint8_t *room_for(bytes *all, size_t count);

// Takes plain bytes and puts the answer together. 0 when the connection is to end.
int answer_to(connection *peer, const uint8_t *plain, size_t count);

// Reads, decrypts, answers, encrypts and writes, as much as there is. 0 when it is over.
int serve(connection *peer, transfer how);
#endif
