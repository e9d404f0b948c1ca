#include "cm.h"
#include "read/mountinfo.h"
#include <errno.h>
#include <string.h>

static int first(const char *text, struct jm_mountinfo *m)
{
	struct jm_span all = jm_span_over(text, strlen(text));
	return jm_mountinfo_next(&all, m);
}

static void a_line_is_a_mount(void **state)
{
	struct jm_mountinfo m;
	assert_int_equal(
		first("36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 shared:7 - ext3 /dev/root rw,errors=continue\n", &m),
		1);
	assert_int_equal(m.id, 36);
	assert_int_equal(m.parent, 35);
	assert_int_equal(m.major, 98);
	assert_int_equal(m.minor, 0);
	assert_true(jm_span_equals(m.root, "/mnt1"));
	assert_true(jm_span_equals(m.mount_point, "/mnt2"));
	assert_true(jm_span_equals(m.type, "ext3"));
	assert_true(jm_span_equals(m.source, "/dev/root"));
	assert_true(jm_span_equals(m.super_options, "rw,errors=continue"));
}

static void optional_fields_may_be_missing(void **state)
{
	struct jm_mountinfo m;
	assert_int_equal(first("32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n", &m), 1);
	assert_true(jm_span_equals(m.type, "cgroup"));
	assert_true(jm_mountinfo_option(m.super_options, "cpu"));
	assert_false(jm_mountinfo_option(m.super_options, "cpuacct"));
	assert_false(jm_mountinfo_option(m.super_options, "c"));
}

static void a_source_may_be_empty(void **state)
{
	struct jm_mountinfo m;
	assert_int_equal(first("28 27 0:25 / /a ro - tmpfs  ro,size=4k\n", &m), 1);
	assert_int_equal(jm_span_len(m.source), 0);
	assert_true(jm_span_equals(m.super_options, "ro,size=4k"));
}

static void escapes_are_decoded(void **state)
{
	struct jm_mountinfo m;
	char text[64];
	assert_int_equal(first("1 2 3:4 / /a\\040b\\011\\134040\\043\\0 rw - ext4 /dev/x rw", &m), 1);
	assert_int_equal(jm_mountinfo_text(m.mount_point, text, sizeof text), strlen("/a b\t\\040#\\0"));
	assert_string_equal(text, "/a b\t\\040#\\0");
	assert_int_equal(jm_mountinfo_text(m.mount_point, text, 5), -ENAMETOOLONG);
	assert_int_equal(jm_mountinfo_text(m.root, text, 1), -ENAMETOOLONG);
	assert_int_equal(jm_mountinfo_text(m.root, text, 2), 1);
}

static void a_broken_line_does_not_hide_the_next(void **state)
{
	const char text[] = "1 2 3\n\n1 2 x:y / / rw - a b c\n1 2 3:4 / / rw shared:1\n1 2 3:4 / / rw - ext4\n"
			    "1 2 3:4 / / rw - ext4 /dev/x rw\n";
	struct jm_span all = jm_span_over(text, strlen(text));
	struct jm_mountinfo m;
	for (int i = 0; i < 5; i++)
		assert_int_equal(jm_mountinfo_next(&all, &m), -EBADMSG);
	assert_int_equal(jm_mountinfo_next(&all, &m), 1);
	assert_int_equal(jm_mountinfo_next(&all, &m), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_a_mount),
		cmocka_unit_test(optional_fields_may_be_missing),
		cmocka_unit_test(a_source_may_be_empty),
		cmocka_unit_test(escapes_are_decoded),
		cmocka_unit_test(a_broken_line_does_not_hide_the_next),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
