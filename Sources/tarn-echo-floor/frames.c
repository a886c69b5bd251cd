// The upgrade and the frames of RFC 6455, as far as an echo of well-meant messages needs them.
#include "echo.h"
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char accept_suffix[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

uint8_t *room_for(bytes *all, size_t count) {
    if (all->count + count > all->capacity) {
        size_t capacity = (all->count + count) * 2;
        uint8_t *grown = realloc(all->start, capacity);
        if (grown == NULL) abort();
        all->start = grown;
        all->capacity = capacity;
    }
    uint8_t *room = all->start + all->count;
    all->count += count;
    return room;
}

// How many bytes the head takes, 0 while it is not all there, -1 if it is no upgrade.
static long upgrade(connection *peer, const uint8_t *head, size_t count) {
    static const char end[] = "\r\n\r\n", name[] = "Sec-WebSocket-Key: ";
    const uint8_t *last = memmem(head, count, end, 4);
    if (last == NULL) return 0;
    const uint8_t *key = memmem(head, count, name, sizeof name - 1);
    if (key == NULL || key + sizeof name - 1 + 24 > last) return -1;
    char joined[24 + sizeof accept_suffix];
    memcpy(joined, key + sizeof name - 1, 24);
    memcpy(joined + 24, accept_suffix, sizeof accept_suffix);
    uint8_t hash[SHA_DIGEST_LENGTH];
    SHA1((const uint8_t *)joined, strlen(joined), hash);
    char accept[32];
    EVP_EncodeBlock((uint8_t *)accept, hash, sizeof hash);
    char text[256];
    int written = snprintf(
        text, sizeof text,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: tarn.1\r\n\r\n", accept);
    memcpy(room_for(&peer->answer, (size_t)written), text, (size_t)written);
    peer->is_upgraded = 1;
    return last + 4 - head;
}

static void unmask(uint8_t *to, const uint8_t *from, size_t count, const uint8_t *mask) {
    uint32_t half;
    memcpy(&half, mask, 4);
    uint64_t word = (uint64_t)half << 32 | half, value;
    size_t offset = 0;
    for (; offset + 8 <= count; offset += 8) {
        memcpy(&value, from + offset, 8);
        value ^= word;
        memcpy(to + offset, &value, 8);
    }
    for (; offset < count; offset++) to[offset] = from[offset] ^ mask[offset & 3];
}

// How many bytes the frame takes, 0 while it is not all there, -1 at the end.
static long echo_frame(connection *peer, const uint8_t *frame, size_t count) {
    if (count < 6) return 0;
    size_t payload = frame[1] & 127, head = 2;
    if (payload == 126) {
        payload = (size_t)frame[2] << 8 | frame[3];
        head = 4;
    } else if (payload == 127) {
        return -1;
    }
    if (count < head + 4 + payload) return 0;
    if ((frame[0] & 15) == 8) return -1;
    uint8_t *room = room_for(&peer->answer, head + payload);
    room[0] = frame[0];
    room[1] = frame[1] & 127;
    if (head == 4) memcpy(room + 2, frame + 2, 2);
    unmask(room + head, frame + head + 4, payload, frame + head);
    return (long)(head + 4 + payload);
}

int answer_to(connection *peer, const uint8_t *plain, size_t count) {
    if (peer->partial.count > 0) {
        memcpy(room_for(&peer->partial, count), plain, count);
        plain = peer->partial.start;
        count = peer->partial.count;
    }
    size_t offset = 0;
    while (offset < count) {
        long taken = peer->is_upgraded ? echo_frame(peer, plain + offset, count - offset)
                                       : upgrade(peer, plain + offset, count - offset);
        if (taken < 0) return 0;
        if (taken == 0) break;
        offset += (size_t)taken;
    }
    size_t rest = count - offset;
    if (peer->partial.count > 0) {
        memmove(peer->partial.start, plain + offset, rest);
        peer->partial.count = rest;
    } else if (rest > 0) {
        memcpy(room_for(&peer->partial, rest), plain + offset, rest);
    }
    return 1;
}
