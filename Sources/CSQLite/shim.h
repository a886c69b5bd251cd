// SQLite, with what Swift cannot import (variadics and cast macros) as inline functions.
#ifndef TARN_CSQLITE_SHIM_H
#define TARN_CSQLITE_SHIM_H
#include <sqlite3.h>

// Both copy what they are given. A length of zero is an empty value, whatever the pointer: SQLite
// itself would make it null.
static inline int tarn_bind_text(
    sqlite3_stmt *statement, int index, const char *bytes, int length) {
    return sqlite3_bind_text(
        statement, index, length == 0 ? "" : bytes, length, SQLITE_TRANSIENT);
}

static inline int tarn_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return sqlite3_bind_blob(
        statement, index, length == 0 ? "" : bytes, length, SQLITE_TRANSIENT);
}

// Copies what it is given.
static inline void tarn_result_text(
    sqlite3_context *context, const char *bytes, sqlite3_uint64 length) {
    sqlite3_result_text64(
        context, length == 0 ? "" : bytes, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}
#endif
