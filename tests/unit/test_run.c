#include "cm.h"
#include "model/run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void texts_are_copied(void **state)
{
	struct jm_run r = { 0 };
	char key[] = "team", value[] = "blue";
	assert_int_equal(jm_run_add_tag(&r, key, value), 0);
	memset(key, 'x', 4);
	memset(value, 'x', 4);
	assert_string_equal(r.tags[0].key, "team");
	assert_string_equal(r.tags[0].value, "blue");
	jm_run_done(&r);
	assert_null(r.tags);
	assert_int_equal(r.n_tags, 0);
}

static void many_tags_keep_their_order(void **state)
{
	struct jm_run r = { 0 };
	for (int i = 0; i < 100; i++) {
		char key[16];
		(void)snprintf(key, sizeof key, "k%d", i);
		assert_int_equal(jm_run_add_tag(&r, key, "v"), 0);
	}
	assert_int_equal(r.n_tags, 100);
	for (int i = 0; i < 100; i++) {
		char key[16];
		(void)snprintf(key, sizeof key, "k%d", i);
		assert_string_equal(r.tags[i].key, key);
	}
	jm_run_done(&r);
}

static void what_is_missing_has_a_reason(void **state)
{
	struct jm_run r = { 0 };
	assert_int_equal(jm_run_add_missing(&r, "psi", "this kernel has no PSI"), 0);
	assert_int_equal(jm_run_add_missing(&r, "cgroup", "not delegated"), 0);
	assert_int_equal(r.n_missing, 2);
	assert_string_equal(r.missing[0].metric, "psi");
	assert_string_equal(r.missing[1].reason, "not delegated");
	jm_run_done(&r);
}

static void a_command_keeps_empty_and_odd_arguments(void **state)
{
	struct jm_run r = { 0 };
	const char *const argv[] = { "prog", "", "a b", "\xff" };
	assert_int_equal(jm_run_set_command(&r, argv, 4), 0);
	assert_int_equal(r.n_command, 4);
	for (int i = 0; i < 4; i++) {
		assert_string_equal(r.command[i], argv[i]);
		assert_ptr_not_equal(r.command[i], argv[i]);
	}
	assert_null(r.command[4]);
	jm_run_done(&r);
}

static void no_command_is_fine(void **state)
{
	struct jm_run r = { 0 };
	assert_int_equal(jm_run_set_command(&r, NULL, 0), 0);
	assert_int_equal(r.n_command, 0);
	jm_run_done(&r);
}

static void of_an_endless_command_the_beginning_is_kept(void **state)
{
	struct jm_run r = { 0 };
	const char *argv[40] = { "prog" };
	char *large = calloc(1, 100001);
	memset(large, '\x01', 100000);
	for (int i = 1; i < 40; i++)
		argv[i] = large;
	assert_int_equal(jm_run_set_command(&r, argv, 40), 0);
	assert_int_equal(r.n_command, 1 + JM_RUN_COMMAND_MAX / 100001 + 1);
	assert_string_equal(r.command[r.n_command - 2], large);
	assert_string_equal(r.command[r.n_command - 1], "…");
	assert_null(r.command[r.n_command]);
	jm_run_done(&r);
	free(large);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_copied),
		cmocka_unit_test(many_tags_keep_their_order),
		cmocka_unit_test(what_is_missing_has_a_reason),
		cmocka_unit_test(a_command_keeps_empty_and_odd_arguments),
		cmocka_unit_test(of_an_endless_command_the_beginning_is_kept),
		cmocka_unit_test(no_command_is_fine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
