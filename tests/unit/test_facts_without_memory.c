/* What is known of a run before its start, when there is no memory for looking for secrets: nothing is kept then. */
#include "cm.h"
#include "session/session.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define REFUSES 1
static size_t refused; /* this size is not to be had */
extern void *__libc_realloc(void *, size_t);
void *realloc(void *p, size_t size)
{
	return size == refused && refused ? NULL : __libc_realloc(p, size);
}
#endif

static void secrets_are_not_kept_unlooked_at(void **state)
{
	(void)state;
#ifndef REFUSES
	skip();
#else
	static char first[] = "tool", second[] = "--password=hunter2", tag[] = "token=hunter2";
	char *argv[] = { first, second, NULL };
	const char *const tags[] = { tag, NULL };
	for (int with_tag = 0; with_tag < 2; with_tag++) {
		jm_session *s;
		assert_int_equal(
			jm_session_new(&s, JM_SESSION_OPTS(.flags = JM_NO_RECORD, .tags = with_tag ? tags : NULL)), 0);
		assert_non_null(s->redact);
		if (with_tag)
			argv[1] = NULL; /* shorter than the tag, which needs more memory than there was */
		refused = with_tag ? sizeof tag : sizeof first + sizeof second;
		int r = jm_session_facts(s, argv);
		refused = 0;
		assert_int_equal(r, -ENOMEM);
		for (size_t i = 0; i < s->run.n_command; i++)
			assert_null(strstr(s->run.command[i], "hunter2"));
		assert_int_equal(s->run.n_tags, 0);
		jm_session_free(s);
	}
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(secrets_are_not_kept_unlooked_at),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
