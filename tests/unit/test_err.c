#include "base/err.h"
#include "cm.h"
#include <errno.h>
#include <string.h>

static void the_code_comes_back_and_the_sentence_is_kept(void **state)
{
	struct jm_err err = { 0 };
	assert_int_equal(jm_err_set(&err, -EBADMSG, "%s:%d: expected a number", "proc/stat", 3), -EBADMSG);
	assert_int_equal(err.code, -EBADMSG);
	assert_string_equal(err.text, "proc/stat:3: expected a number");
}

static void nobody_need_listen(void **state)
{
	assert_int_equal(jm_err_set(NULL, -ENOENT, "lost"), -ENOENT);
}

static void a_long_sentence_is_cut(void **state)
{
	char name[1000];
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	struct jm_err err;
	jm_err_set(&err, -EINVAL, "%s", name);
	assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void a_sentence_can_be_put_before_the_one_that_is_there(void **state)
{
	struct jm_err err;
	jm_err_set(&err, -ENOENT, "no such file");
	jm_err_set(&err, err.code, "run.jm: %s", err.text);
	assert_string_equal(err.text, "run.jm: no such file");
	assert_int_equal(err.code, -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_code_comes_back_and_the_sentence_is_kept),
		cmocka_unit_test(nobody_need_listen),
		cmocka_unit_test(a_long_sentence_is_cut),
		cmocka_unit_test(a_sentence_can_be_put_before_the_one_that_is_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
