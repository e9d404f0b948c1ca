/* The writer's strings: each is put into the file once and has a number from then on. When the table is full a string
 * frame with the number 0 takes all numbers back, so that no reader needs more memory than the writer. */
#pragma once
#include "base/buf.h"
#include <stdint.h>

struct jm_strings {
	struct jm_string {
		uint64_t hash;
		uint32_t id; /* 0: free */
		uint32_t at, len;
	} * table;
	uint32_t n;
	bool restart; /* the file may know numbers that we have forgotten */
	struct jm_buf bytes;
};

void jm_strings_done(struct jm_strings *s);
void jm_strings_forget(struct jm_strings *s);
/* Before the strings of one frame, n of len bytes in all: their numbers must hold until the frame is made. */
void jm_strings_make_room(struct jm_strings *s, unsigned n, size_t len);
/* The string's number; a string frame is added to out when the file does not know it. 0 is the empty one.
 * *ret is only set on success. 0 or -ENOMEM */
int jm_strings_get(struct jm_strings *s, const char *data, size_t len, struct jm_buf *out, uint32_t *ret);
