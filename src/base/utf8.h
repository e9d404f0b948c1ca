/* UTF-8 (RFC 3629) one character at a time. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { JM_UTF8_REPLACEMENT = 0xfffd };

/* Decodes the character at data (len > 0 bytes). Returns how many bytes it took (1 to 4).
 * Bytes that are no valid UTF-8 (overlong, surrogate, beyond U+10FFFF, cut) give U+FFFD and take 1. */
size_t jm_utf8_decode(const char *data, size_t len, uint32_t *ret_char);
/* 1 to 4 bytes into out. */
size_t jm_utf8_encode(uint32_t c, char out[4]);
