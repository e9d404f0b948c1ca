/* Scope-bound cleanup: a resource is released where its variable goes out of scope. */
#pragma once
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define _cleanup_(f) __attribute__((cleanup(f)))

/* Gives away what p owns; p is NULL afterwards. */
#define take(p)                                                                                                        \
	__extension__({                                                                                                \
		__typeof__(p) _t = (p);                                                                                \
		(p) = NULL;                                                                                            \
		_t;                                                                                                    \
	})

static inline void freep(void *p)
{
	free(*(void **)p);
}

static inline void closep(const int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}

static inline void closedirp(DIR **d)
{
	if (*d)
		(void)closedir(*d);
}

static inline void fclosep(FILE **f)
{
	if (*f)
		(void)fclose(*f);
}

static inline int take_fd(int *fd)
{
	int f = *fd;
	*fd = -1;
	return f;
}
