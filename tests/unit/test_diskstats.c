#include "cm.h"
#include "read/diskstats.h"
#include <errno.h>
#include <string.h>

static void each_device_is_an_item(void **state)
{
	const char text[] = " 254       0 vda 88455 26883 3026602 12309 14748 15177 2270136 5510 1 10196 18204 5318 54 "
			    "532256 323 1599 60\n"
			    "   8      17 cciss/c0d0p1 1 2 3 4 5 6 7 8 9 10 11\n";
	struct jm_span all = jm_span_over(text, strlen(text));
	struct jm_diskstats d;
	assert_int_equal(jm_diskstats_next(&all, &d), 1);
	assert_true(jm_span_equals(d.name, "vda"));
	assert_int_equal(d.major, 254);
	assert_int_equal(d.minor, 0);
	assert_int_equal(d.reads, 88455);
	assert_int_equal(d.read_sectors, 3026602);
	assert_int_equal(d.writes, 14748);
	assert_int_equal(d.write_sectors, 2270136);
	assert_int_equal(d.busy_ms, 10196);
	assert_int_equal(d.wait_ms, 18204);
	assert_int_equal(jm_diskstats_next(&all, &d), 1);
	assert_true(jm_span_equals(d.name, "cciss/c0d0p1"));
	assert_int_equal(d.minor, 17);
	assert_int_equal(jm_diskstats_next(&all, &d), 0);
}

static void a_broken_line_does_not_hide_the_next(void **state)
{
	/* seven columns: partitions of Linux 2.6.0 to 2.6.24 */
	const char text[] = "   8       1 sda1 1 2 3 4\n\n8 0 sda 1 2 3 4 5 6 7 8 9 10 11";
	struct jm_span all = jm_span_over(text, strlen(text));
	struct jm_diskstats d;
	assert_int_equal(jm_diskstats_next(&all, &d), -EBADMSG);
	assert_int_equal(jm_diskstats_next(&all, &d), -EBADMSG);
	assert_int_equal(jm_diskstats_next(&all, &d), 1);
	assert_int_equal(d.wait_ms, 11);
	assert_int_equal(jm_diskstats_next(&all, &d), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_device_is_an_item),
		cmocka_unit_test(a_broken_line_does_not_hide_the_next),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
