/* Once a job has settled, a whole run of jobmeter allocates nothing: collectors, tree, analysis, recording, loop. What
 * is allocated is counted between two returns of epoll_wait(2), where the loop waits; sanitizers have a malloc of their
 * own, and nothing is counted under them. */
#include <jobmeter.h>

#include "cm.h"
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WAITS_MAX = 4096 };
static unsigned long allocations, at_wait[WAITS_MAX];
static size_t waits;

__attribute__((visibility("default"))) int epoll_wait(int fd, struct epoll_event *events, int max, int timeout)
{
	if (waits < WAITS_MAX)
		at_wait[waits++] = allocations;
	return (int)syscall(SYS_epoll_pwait, fd, events, max, timeout, NULL, 0);
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTED 1
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}
void *calloc(size_t n, size_t size)
{
	allocations++;
	return __libc_calloc(n, size);
}
void *realloc(void *p, size_t size)
{
	allocations++;
	return __libc_realloc(p, size);
}
#endif

enum { TICK_MS = 10 };

/* Some sleep all the time, one runs all the time and writes. The slow clock comes round, dear figures are read again. */
static void between_start_and_end_of_a_run_nothing_is_allocated(void **state)
{
#ifndef COUNTED
	skip();
#else
	char script[] = "sleep 3 & sleep 3 & p=$!; while kill -0 $p 2>/dev/null; do :; done";
	char shell[] = "/bin/sh", command[] = "-c", *const job[] = { shell, command, script, NULL };
	static char path[] = "/tmp/steady-run-XXXXXX.jm";
	int fd = mkstemps(path, 3);
	assert_true(fd >= 0);
	(void)close(fd);
	const char *outputs[] = { path, NULL };
	jm_session *s;
	jm_end end;
	assert_int_equal(jm_session_new(&s, JM_SESSION_OPTS(.interval_ns = TICK_MS * 1000000ull, .outputs = outputs,
	                                                    .flags = JM_OVERWRITE)),
	                 0);
	int r = jm_run(s, job, &end);
	(void)unlink(path);
	assert_int_equal(r, 0);
	assert_int_equal(end.status, 0);
	assert_null(jm_session_warning(s, 0));
	/* a crowded machine gives fewer ticks: the first half and the last quarter of those that there were are left out */
	assert_true(waits > 40 && waits < WAITS_MAX);
	size_t from = waits / 2, to = waits - waits / 4;
	assert_true(at_wait[from] > 0);
	if (at_wait[to] != at_wait[from])
		fail_msg("%lu allocations in %zu ticks", at_wait[to] - at_wait[from], to - from);
	jm_session_free(s);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(between_start_and_end_of_a_run_nothing_is_allocated),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
