#include "cm.h"
#include "session/group.h"
#include <errno.h>
#include <string.h>

#define FIND(g, name, command) jm_groups_find(g, name, command, sizeof(command) - 1)

static int have_patterns(void **state)
{
	const char *const specs[] = { "x=y", NULL };
	struct jm_groups *g;
	int r = jm_groups_new(&g, specs, NULL);
	if (r == 0)
		jm_groups_free(g);
	static char yes;
	*state = r == -ENOSYS ? NULL : &yes;
	return 0;
}

static void the_first_pattern_that_matches_names_the_group(void **state)
{
	const char *const specs[] = { "loss=python .*loss", "python=^python", "odd=\xc3\xa4", "kernel=^kworker", NULL };
	struct jm_groups *g;
	if (!*state)
		skip();
	assert_int_equal(jm_groups_new(&g, specs, NULL), 0);
	assert_string_equal(FIND(g, "python", "python\0-m\0loss\0"), "loss");
	assert_string_equal(FIND(g, "python", "python\0-m\0other\0"), "python");
	assert_string_equal(FIND(g, "x", "\xff\xfe \xc3\xa4"), "odd");
	assert_string_equal(FIND(g, "kworker/0:1", ""), "kernel");
	assert_null(FIND(g, "ls", "ls\0-l\0"));
	assert_null(jm_groups_find(g, NULL, NULL, 0));
	assert_int_equal(jm_groups_given_up(g), 0);
	jm_groups_free(g);
}

static void a_pattern_that_takes_for_ever_is_given_up(void **state)
{
	const char *const specs[] = { "slow=^(a+)+$", "last=b$", NULL };
	struct jm_groups *g;
	if (!*state)
		skip();
	assert_int_equal(jm_groups_new(&g, specs, NULL), 0);
	assert_string_equal(FIND(g, "x", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"), "last");
	assert_int_equal(jm_groups_given_up(g), 1);
	assert_int_equal(jm_groups_given_up(g), 0);
	jm_groups_free(g);
}

static void a_wrong_group_is_a_sentence(void **state)
{
	static const char *const wrong[] = { "noregex", "=x", "name=", "a\nb=x", "name=[" };
	struct jm_groups *g;
	struct jm_err err;
	if (!*state)
		skip();
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const char *const specs[] = { "fine=x", wrong[i], NULL };
		assert_int_equal(jm_groups_new(&g, specs, &err), -EINVAL);
		assert_true(strlen(err.text) > 10);
	}
}

static void no_groups_are_fine(void **state)
{
	struct jm_groups *g;
	assert_int_equal(jm_groups_new(&g, NULL, NULL), 0);
	assert_null(FIND(g, "x", "x"));
	assert_null(jm_groups_free(g));
	assert_null(FIND((struct jm_groups *)NULL, "x", "x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_pattern_that_matches_names_the_group),
		cmocka_unit_test(a_pattern_that_takes_for_ever_is_given_up),
		cmocka_unit_test(a_wrong_group_is_a_sentence),
		cmocka_unit_test(no_groups_are_fine),
	};
	return cmocka_run_group_tests(tests, have_patterns, NULL);
}
