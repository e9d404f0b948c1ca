/* The values of a row: an int64 for each column of its kind, and a bit for each that says whether there is one. The
 * writer's and the reader's memory of a subject. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for want columns at least, and never none; new ones are absent and 0. false: out of memory, nothing has changed. */
bool jm_values_make_room(int64_t **values, uint8_t **present, size_t *n, size_t want, size_t *cap);
