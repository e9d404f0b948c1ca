/* A file that only grows: alone on it, what was written in part is cut off; where others write too, nothing ever is. */
#include "cm.h"
#include "store/append_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* What is in the file when another one has appended to it, and a write of ours has found no room for its second half. */
static const char *after_half_a_write(bool shared)
{
	static char text[64];
	static char path[] = "/tmp/jobmeter-append-XXXXXX";
	struct jm_append_file f;
	struct rlimit found, small;
	memcpy(path + sizeof path - 7, "XXXXXX", 6);
	int fd = mkstemp(path), other = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_true(fd >= 0 && other >= 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(fcntl(fd, F_SETFL, O_APPEND), 0);
	assert_int_equal(write(other, "before\n", 7), 7);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &found), 0);
	small = found;
	small.rlim_cur = 20;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(jm_append_take(&f, fd, shared), 0);
	assert_int_equal(write(other, "other\n", 6), 6);
	assert_int_equal(jm_append_write(&f, "0123456789\n", 11), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &found), 0);
	ssize_t n = pread(fd, text, sizeof text - 1, 0);
	assert_true(n >= 0);
	text[n] = '\0';
	jm_append_close(&f);
	(void)close(fd);
	(void)close(other);
	return text;
}

static void where_others_write_nothing_is_cut_off(void **state)
{
	(void)state;
	assert_string_equal(after_half_a_write(true), "before\nother\n0123456");
}

static void alone_half_a_write_is_none(void **state)
{
	(void)state;
	assert_string_equal(after_half_a_write(false), "before\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_others_write_nothing_is_cut_off),
		cmocka_unit_test(alone_half_a_write_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
