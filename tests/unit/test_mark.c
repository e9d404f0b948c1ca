/* read/mark: what reaches the job's socket. */
#include "cm.h"
#include "read/mark.h"
#include <errno.h>
#include <string.h>

static int parse(const char *bytes, size_t len)
{
	struct jm_mark_text m;
	return jm_mark_parse(bytes, len, &m);
}
#define PARSE(literal) parse(literal, sizeof(literal)) /* with its NUL */

static void what_is_built_is_parsed(void **state)
{
	struct jm_buf b = { 0 };
	const char *values[] = { "rows=1000000", "loss=-1.5e-3", NULL };
	assert_int_equal(jm_mark_build(&b, '(', "load \xff exposure", values), 0);
	struct jm_mark_text m;
	assert_int_equal(jm_mark_parse(b.data, b.len, &m), 0);
	assert_int_equal(m.kind, '(');
	assert_int_equal(m.label_len, strlen("load \xff exposure"));
	assert_int_equal(m.n_values, 2);
	assert_string_equal(m.values, "rows=1000000");
	assert_string_equal(m.values + 13, "loss=-1.5e-3");
	jm_buf_done(&b);
}

static void strangers_are_refused(void **state)
{
	assert_int_equal(PARSE("hello"), -EBADMSG);
	assert_int_equal(PARSE(""), -EBADMSG);
	assert_int_equal(PARSE("jm1"), -EBADMSG);
	assert_int_equal(PARSE("jm1?label"), -EBADMSG);
	assert_int_equal(parse("jm1.label", 9), -EBADMSG); /* no NUL at its end */
	assert_int_equal(PARSE("jm1."), -EINVAL);
	assert_int_equal(PARSE("jm1.a\0rows"), -EINVAL);
	assert_int_equal(PARSE("jm1.a\0=5"), -EINVAL);
	assert_int_equal(PARSE("jm1.a\0x=nan"), -EINVAL);
	assert_int_equal(PARSE("jm1.a\0x=1e"), -EINVAL);
	assert_int_equal(PARSE("jm1.a\0x=1 "), -EINVAL);
	assert_int_equal(PARSE("jm1.a\0x=."), -EINVAL);
	assert_int_equal(PARSE("jm1.a\0x=1"), 0);
	assert_int_equal(PARSE("jm1<make (pid 5)"), 0);
	assert_int_equal(PARSE("jm1>make (pid 5)"), 0);
}

static void limits_hold(void **state)
{
	struct jm_buf b = { 0 };
	char label[JM_MARK_LABEL_MAX + 2];
	memset(label, 'x', sizeof label);
	label[JM_MARK_LABEL_MAX] = '\0';
	assert_int_equal(jm_mark_build(&b, '.', label, NULL), 0);
	label[JM_MARK_LABEL_MAX] = 'x';
	label[JM_MARK_LABEL_MAX + 1] = '\0';
	assert_int_equal(jm_mark_build(&b, '.', label, NULL), -EINVAL);
	const char *values[JM_MARK_VALUES_MAX + 2] = { 0 };
	for (int i = 0; i <= JM_MARK_VALUES_MAX; i++)
		values[i] = "k=1";
	assert_int_equal(jm_mark_build(&b, '.', "a", values), -E2BIG);
	jm_buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_built_is_parsed),
		cmocka_unit_test(strangers_are_refused),
		cmocka_unit_test(limits_hold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
