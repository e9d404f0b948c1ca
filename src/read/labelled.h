/* Lines of the form "Label:   number ..." as status and smaps_rollup have them. */
#pragma once
#include "base/parse.h"

struct jm_labelled {
	struct jm_span label;
	struct jm_span rest; /* behind the colon and the blanks */
};

/* The next line that has a label; false at the end. Lines without a colon are skipped. */
bool jm_labelled_next(struct jm_span *s, struct jm_labelled *ret);
/* "123 kB" in bytes. -EBADMSG; -ERANGE */
int jm_labelled_kib(struct jm_span rest, uint64_t *ret_bytes);
