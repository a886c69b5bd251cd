// SQLite, with what Swift cannot import (variadics and cast macros) as inline functions.
#ifndef TARN_CSQLITE_SHIM_H
#define TARN_CSQLITE_SHIM_H
#include <sqlite3.h>
#endif
