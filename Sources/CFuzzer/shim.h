// libFuzzer as a library: the driver that a program of its own calls.
#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(
    int *argumentCount, char ***arguments, int (*input)(const uint8_t *bytes, size_t count));
