/* How format.c and format_time.c put a figure into a word. */
#pragma once
#include "render/format.h"

__attribute__((format(printf, 1, 2))) struct jm_word jm_word_of(const char *fmt, ...);
/* v / unit with that many decimals (at most 3), rounded half up; of a whole number they go, unless keep_zeros. */
struct jm_word jm_word_ratio(int64_t v, uint64_t unit, unsigned decimals, bool keep_zeros);
uint64_t jm_magnitude(int64_t v);
