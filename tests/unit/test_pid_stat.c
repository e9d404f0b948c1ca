#include "cm.h"
#include "read/pid_stat.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Linux 6.18: a zombie that was ended by SIGKILL */
static const char zombie[] = "4242 (sleep) Z 17 4242 16 34816 4242 4227084 82 11 1 2 150 50 7 8 20 0 1 0 193611 0 0 "
			     "18446744073709551615 0 0 0 "
			     "0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 9\n";

static int parse(const char *text, struct jm_pid_stat *ret)
{
	return jm_pid_stat_parse(text, strlen(text), ret);
}

static void every_field_is_in_its_place(void **state)
{
	struct jm_pid_stat s;
	assert_int_equal(parse("7 (cat) R 1 2 3 -1 -1 4 10 11 12 13 14 15 16 17 20 -5 18 0 19 20 21 22 1 1", &s), 0);
	assert_int_equal(s.pid, 7);
	assert_int_equal(s.state, 'R');
	assert_true(s.leaving); /* flags: 4 */
	assert_int_equal(s.ppid, 1);
	assert_int_equal(s.pgrp, 2);
	assert_int_equal(s.session, 3);
	assert_int_equal(s.minflt, 10);
	assert_int_equal(s.cminflt, 11);
	assert_int_equal(s.majflt, 12);
	assert_int_equal(s.cmajflt, 13);
	assert_int_equal(s.utime_ticks, 14);
	assert_int_equal(s.stime_ticks, 15);
	assert_int_equal(s.cutime_ticks, 16);
	assert_int_equal(s.cstime_ticks, 17);
	assert_int_equal(s.num_threads, 18);
	assert_int_equal(s.start_ticks, 19);
	assert_int_equal(s.vsize_bytes, 20);
	assert_int_equal(s.rss_pages, 21);
}

static void a_name_may_hold_blanks_brackets_newlines_and_bytes_that_are_no_text(void **state)
{
	static const char *const names[] = { "a b", "a) S 1 2 3 (b", "((",        "))",
		                             "",    "\n) Z\n",       "\xff\xfe)", ") R 9 9 9 9 9" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char text[256];
		(void)snprintf(text, sizeof text, "7 (%s) S 1 7 7 0 -1 0 1 2 3 4 150 50 0 0 20 0 1 0 100 1000 25",
		               names[i]);
		struct jm_pid_stat s;
		assert_int_equal(parse(text, &s), 0);
		assert_int_equal(s.comm_len, strlen(names[i]));
		assert_memory_equal(s.comm, names[i], s.comm_len);
		assert_int_equal(s.state, 'S');
		assert_int_equal(s.utime_ticks, 150);
		assert_int_equal(s.rss_pages, 25);
	}
}

static void a_line_that_is_cut_anywhere_before_rss_is_refused(void **state)
{
	size_t rss = (size_t)(strstr(zombie, " 18446744073709551615") - zombie);
	for (size_t n = 0; n < rss; n++) {
		struct jm_pid_stat s;
		if (zombie[n] >= '0' && zombie[n] <= '9' && n > rss - 2)
			break; /* the last digit of rss itself */
		assert_true(jm_pid_stat_parse(zombie, n, &s) < 0);
	}
	struct jm_pid_stat s;
	assert_int_equal(jm_pid_stat_parse(zombie, rss, &s), 0);
}

static void numbers_that_are_none_are_refused(void **state)
{
	struct jm_pid_stat s;
	assert_int_equal(parse("x (a) S 1 7 7 0 -1 0 1 2 3 4 150 50 0 0 20 0 1 0 100 1000 25", &s), -EBADMSG);
	assert_int_equal(parse("7 (a) S 1 7 7 0 -1 0 1 2 x 4 150 50 0 0 20 0 1 0 100 1000 25", &s), -EBADMSG);
	assert_int_equal(parse("7 (a) S 1 7 7 0 -1 0 1 2 3 4 99999999999999999999 50 0 0 20 0 1 0 1 1 1", &s), -ERANGE);
	assert_int_equal(parse("7 (a) S 4294967297 7 7 0 -1 0 1 2 3 4 150 50 0 0 20 0 1 0 100 1000 25", &s), -EBADMSG);
}

static void a_zombie_tells_how_it_ended(void **state)
{
	int status = -1;
	assert_int_equal(jm_pid_stat_exit_code(zombie, strlen(zombie), &status), 0);
	assert_int_equal(status, 9);
}

static void an_old_kernel_has_no_exit_code(void **state)
{
	int status = -1;
	const char *text = strstr(zombie, " 0 0 0 0 9\n");
	assert_int_equal(jm_pid_stat_exit_code(zombie, (size_t)(text - zombie), &status), -ENODATA);
	assert_int_equal(jm_pid_stat_exit_code("7 (a", 4, &status), -EBADMSG);
	assert_int_equal(status, -1);
}

static void a_thread_tells_how_long_it_waited_for_disks(void **state)
{
	/* Linux 6.18 with kernel.task_delayacct=1: a thread that wrote around the page cache */
	static const char text[] =
		"5860 (b) k) S 5858 5858 16 0 -1 1077936192 3 0 0 0 0 1 0 0 20 0 2 0 117862 76107776 376 "
		"18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 -1 1 0 0 12 0 0 0 0 0 0 0 0 0 0\n";
	uint64_t ticks = 0;
	assert_int_equal(jm_pid_stat_disk_wait(text, strlen(text), &ticks), 0);
	assert_int_equal(ticks, 12);
	assert_int_equal(jm_pid_stat_disk_wait(zombie, strlen(zombie), &ticks), 0);
	assert_int_equal(ticks, 0);
	assert_int_equal(jm_pid_stat_disk_wait(text, (size_t)(strstr(text, " 12 0") - text), &ticks), -ENODATA);
	assert_int_equal(jm_pid_stat_disk_wait("7 (a", 4, &ticks), -EBADMSG);
	assert_int_equal(ticks, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_in_its_place),
		cmocka_unit_test(a_name_may_hold_blanks_brackets_newlines_and_bytes_that_are_no_text),
		cmocka_unit_test(a_line_that_is_cut_anywhere_before_rss_is_refused),
		cmocka_unit_test(numbers_that_are_none_are_refused),
		cmocka_unit_test(a_zombie_tells_how_it_ended),
		cmocka_unit_test(an_old_kernel_has_no_exit_code),
		cmocka_unit_test(a_thread_tells_how_long_it_waited_for_disks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
