/* Errors: every fallible function returns 0 (or a count) or a negative errno.
 * A function that can say more than its errno takes a `struct jm_err *err` last (NULL is fine). */
#pragma once

struct jm_err {
	int code;       /* negative errno; 0: nothing went wrong */
	char text[512]; /* one sentence without a full stop; names the file and what was expected */
};

/* Fills err (when not NULL) and returns code, so callers write: return jm_err_set(err, -EINVAL, "..."); */
__attribute__((format(printf, 3, 4), cold)) int jm_err_set(struct jm_err *err, int code, const char *fmt, ...);
