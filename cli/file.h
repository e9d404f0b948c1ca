/* Files that the user names for a result; "-" is standard output. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct result_file {
	const char *path;
	int fd;
	bool made; /* it was not there before */
};

/* Opens before the work, so that a folder that is missing or closed is told then. The file is not emptied yet.
 * 0 or -errno. */
int result_open(struct result_file *ret, const char *path);
/* Replaces what is in it. 0 or -errno. */
int result_write(struct result_file *f, const char *data, size_t len);
/* There will be no result: a file that was made for it goes. */
void result_drop(struct result_file *f);
