#include "cm.h"
#include "read/cgroup.h"
#include <errno.h>
#include <string.h>

static int limit(const char *text, uint64_t *ret)
{
	return jm_cgroup_limit(text, strlen(text), ret);
}

static void no_limit_has_many_spellings(void **state)
{
	uint64_t v;
	assert_int_equal(limit("max\n", &v), -ENODATA);
	assert_int_equal(limit("-1\n", &v), -ENODATA);
	assert_int_equal(limit("9223372036854771712\n", &v), -ENODATA);  /* pages of 4 KiB */
	assert_int_equal(limit("9223372036854710272\n", &v), -ENODATA);  /* pages of 64 KiB */
	assert_int_equal(limit("18446744073709551615\n", &v), -ENODATA); /* before Linux 3.19 */
	assert_int_equal(limit("1073741824\n", &v), 0);
	assert_int_equal(v, 1 << 30);
	assert_int_equal(limit("0\n", &v), 0);
	assert_int_equal(v, 0);
	assert_int_equal(limit("", &v), -EBADMSG);
}

static void numbers_are_strict(void **state)
{
	uint64_t v;
	assert_int_equal(jm_cgroup_number("74521683428\n", 12, &v), 0);
	assert_int_equal(v, 74521683428);
	assert_int_equal(jm_cgroup_number("max", 3, &v), -EBADMSG);
	assert_int_equal(jm_cgroup_number("18446744073709551616", 20, &v), -ERANGE);
}

static void cpu_max_is_quota_and_period(void **state)
{
	uint64_t quota, period;
	assert_int_equal(jm_cgroup_cpu_max("50000 100000\n", 13, &quota, &period), 0);
	assert_int_equal(quota, 50000);
	assert_int_equal(period, 100000);
	assert_int_equal(jm_cgroup_cpu_max("max 100000\n", 11, &quota, &period), -ENODATA);
	assert_int_equal(jm_cgroup_cpu_max("50000\n", 6, &quota, &period), -EBADMSG);
	assert_int_equal(jm_cgroup_cpu_max("50000 0\n", 8, &quota, &period), -EBADMSG);
}

static void io_stat_is_a_line_a_device(void **state)
{
	const char text[] = "8:16 rbytes=1459200 wbytes=314773504 rios=192 wios=353 dbytes=0 dios=0\nbroken\n253:0 \n";
	struct jm_span all = jm_span_over(text, strlen(text));
	struct jm_cgroup_io io;
	assert_int_equal(jm_cgroup_io_next(&all, &io), 1);
	assert_int_equal(io.major, 8);
	assert_int_equal(io.minor, 16);
	assert_int_equal(io.read_bytes, 1459200);
	assert_int_equal(io.written_bytes, 314773504);
	assert_int_equal(jm_cgroup_io_next(&all, &io), -EBADMSG);
	assert_int_equal(jm_cgroup_io_next(&all, &io), 1);
	assert_int_equal(io.major, 253);
	assert_int_equal(io.read_bytes, 0);
	assert_int_equal(jm_cgroup_io_next(&all, &io), 0);
}

static void blkio_is_a_line_a_direction(void **state)
{
	const char text[] = "8:0 Read 4096\n8:0 Write 8192\n8:0 Sync 1\n8:0 Async 2\n8:0 Total 12288\nTotal 12288\n";
	struct jm_span all = jm_span_over(text, strlen(text));
	struct jm_cgroup_io io;
	assert_int_equal(jm_cgroup_blkio_next(&all, &io), 1);
	assert_int_equal(io.read_bytes, 4096);
	assert_int_equal(io.written_bytes, 0);
	assert_int_equal(jm_cgroup_blkio_next(&all, &io), 1);
	assert_int_equal(io.read_bytes, 0);
	assert_int_equal(io.written_bytes, 8192);
	assert_int_equal(jm_cgroup_blkio_next(&all, &io), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_limit_has_many_spellings), cmocka_unit_test(numbers_are_strict),
		cmocka_unit_test(cpu_max_is_quota_and_period), cmocka_unit_test(io_stat_is_a_line_a_device),
		cmocka_unit_test(blkio_is_a_line_a_direction),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
