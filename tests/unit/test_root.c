#include "base/cleanup.h"
#include "base/root.h"
#include "cm.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

static struct jm_root fixture(void)
{
	char path[4096];
	struct jm_root r;
	struct jm_err err;
	assert_true(snprintf(path, sizeof path, "%s/frozen-root", getenv("FIXTURES")) < (int)sizeof path);
	if (jm_root_open(&r, path, &err) < 0)
		fail_msg("%s", err.text);
	return r;
}

static struct jm_root here(void)
{
	struct jm_root r;
	assert_int_equal(jm_root_open(&r, NULL, NULL), 0);
	return r;
}

static void a_folder_with_a_machine_file_is_a_machine(void **state)
{
	struct jm_root r = fixture();
	assert_non_null(r.frozen);
	assert_false(r.native);
	assert_true(r.ns_per_tick == 4000000 && r.page_bytes == 65536);
	assert_true(jm_root_boot_ns(&r) == 5000000000 && jm_root_mono_ns(&r) == 5000000000);
	assert_true(jm_root_wall_ns(&r) == 1700000000000000000);
	assert_int_equal(jm_root_cpus(&r), 96);
	assert_int_equal(jm_root_allowed_cpus(&r), 4);
	struct jm_root_uname u;
	assert_int_equal(jm_root_uname(&r, &u), 0);
	assert_string_equal(u.kernel, "6.1.0-test");
	assert_string_equal(u.arch, "aarch64");
	assert_string_equal(u.hostname, "cold host");
	char id[40];
	assert_int_equal(jm_root_boot_id(&r, id), 0);
	assert_string_equal(id, "7cfb1a5e-0000-4000-8000-0123456789ab");
	struct jm_root_space space;
	assert_int_equal(jm_root_space(&r, "/data", &space), 0);
	assert_true(space.total_bytes == 655360 && space.free_bytes == 0);
	assert_int_equal(jm_root_space(&r, "/elsewhere", &space), -ENODATA);
	jm_root_done(&r);
}

static void a_frozen_machine_has_no_clocks_of_ours(void **state)
{
	struct jm_root r = fixture();
	uint64_t ns;
	assert_int_equal(jm_root_pid_cpu_ns(&r, getpid(), &ns), -EOPNOTSUPP);
	assert_true(jm_root_self_cpu_ns(&r) == 0);
	jm_root_done(&r);
}

static void files_are_read_below_the_folder(void **state)
{
	struct jm_root r = fixture();
	char text[64];
	assert_int_equal(jm_root_read(&r, "proc/loadavg", text, sizeof text), 26);
	assert_string_equal(text, "0.50 0.25 0.10 1/234 5678\n");
	assert_int_equal(jm_root_read(&r, "proc/empty", text, sizeof text), 0);
	assert_string_equal(text, "");
	assert_int_equal(jm_root_read(&r, "proc/uptime", text, sizeof text), -ENOENT);
	assert_int_equal(jm_root_readlink(&r, "proc/link", text, sizeof text), 15);
	assert_string_equal(text, "../proc/loadavg");
	assert_int_equal(jm_root_readlink(&r, "proc/loadavg", text, sizeof text), -EINVAL);
	jm_root_done(&r);
}

static void what_does_not_fit_is_refused_and_what_fits_exactly_is_not(void **state)
{
	struct jm_root r = fixture();
	char text[27];
	assert_int_equal(jm_root_read(&r, "proc/loadavg", text, 27), 26);
	assert_int_equal(jm_root_read(&r, "proc/loadavg", text, 26), -EFBIG);
	assert_int_equal(jm_root_readlink(&r, "proc/link", text, 16), 15);
	assert_int_equal(jm_root_readlink(&r, "proc/link", text, 15), -ENAMETOOLONG);
	struct jm_buf b = { 0 };
	assert_int_equal(jm_root_slurp(&r, "proc/long", &b, 10000), 10000);
	assert_int_equal(jm_root_slurp(&r, "proc/long", &b, 9999), -EFBIG);
	assert_int_equal(jm_root_slurp(&r, "proc/loadavg", &b, 10000), 26);
	assert_string_equal(b.data, "0.50 0.25 0.10 1/234 5678\n");
	jm_buf_done(&b);
	jm_root_done(&r);
}

static void a_kept_descriptor_is_read_from_its_beginning_each_time(void **state)
{
	struct jm_root r = fixture();
	_cleanup_(closep) int fd = jm_root_openat(&r, "proc/loadavg", O_RDONLY);
	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	char text[64];
	for (int i = 0; i < 3; i++) {
		assert_int_equal(jm_fd_read(fd, text, sizeof text), 26);
		assert_int_equal(jm_fd_read_once(fd, text, sizeof text), 26);
		assert_string_equal(text, "0.50 0.25 0.10 1/234 5678\n");
	}
	assert_int_equal(jm_fd_read_once(fd, text, 27), -EFBIG);
	jm_root_done(&r);
}

static void a_folder_without_a_machine_file_is_this_machine_seen_through_it(void **state)
{
	char path[] = "/tmp/jm-root-XXXXXX";
	assert_non_null(mkdtemp(path));
	struct jm_root r, live = here();
	int e = jm_root_open(&r, path, NULL);
	(void)rmdir(path);
	assert_int_equal(e, 0);
	assert_null(r.frozen);
	assert_false(r.native);
	assert_true(r.page_bytes == live.page_bytes && r.ns_per_tick == live.ns_per_tick);
	assert_true(jm_root_boot_ns(&r) > 0);
	struct jm_root_space space;
	assert_int_equal(jm_root_space(&r, "/", &space), -EOPNOTSUPP);
	char id[40];
	assert_int_equal(jm_root_boot_id(&r, id), -ENOENT);
	jm_root_done(&r);
	jm_root_done(&live);
}

static void a_missing_folder_is_named(void **state)
{
	struct jm_root r;
	struct jm_err err;
	assert_int_equal(jm_root_open(&r, "/nowhere/at/all", &err), -ENOENT);
	assert_string_equal(err.text, "/nowhere/at/all: No such file or directory");
}

static void the_running_machine_counts_and_tells_time(void **state)
{
	struct jm_root r = here();
	assert_true(r.native);
	assert_int_equal(r.page_bytes, sysconf(_SC_PAGESIZE));
	assert_true(jm_root_cpus(&r) >= 1);
	assert_in_range(jm_root_allowed_cpus(&r), 1, 1 << 20);
	uint64_t t0 = jm_root_mono_ns(&r), b0 = jm_root_boot_ns(&r);
	assert_true(jm_root_mono_ns(&r) >= t0 && jm_root_boot_ns(&r) >= b0);
	assert_true(jm_root_wall_ns(&r) > 1600000000000000000);
	struct jm_root_uname u;
	assert_int_equal(jm_root_uname(&r, &u), 0);
	assert_true(u.kernel[0] && u.arch[0]);
	jm_root_done(&r);
}

static void cpu_time_of_a_process_grows_while_it_works(void **state)
{
	struct jm_root r = here();
	uint64_t before, after;
	assert_int_equal(jm_root_pid_cpu_ns(&r, getpid(), &before), 0);
	do
		assert_int_equal(jm_root_pid_cpu_ns(&r, getpid(), &after), 0);
	while (after <= before); /* ends: looking at the clock is work */
	assert_true(jm_root_self_cpu_ns(&r) >= after);
	jm_root_done(&r);
}

static void a_process_that_is_gone_is_esrch(void **state)
{
	struct jm_root r = here();
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	uint64_t ns;
	assert_int_equal(jm_root_pid_cpu_ns(&r, pid, &ns), -ESRCH);
	jm_root_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_folder_with_a_machine_file_is_a_machine),
		cmocka_unit_test(a_frozen_machine_has_no_clocks_of_ours),
		cmocka_unit_test(files_are_read_below_the_folder),
		cmocka_unit_test(what_does_not_fit_is_refused_and_what_fits_exactly_is_not),
		cmocka_unit_test(a_kept_descriptor_is_read_from_its_beginning_each_time),
		cmocka_unit_test(a_folder_without_a_machine_file_is_this_machine_seen_through_it),
		cmocka_unit_test(a_missing_folder_is_named),
		cmocka_unit_test(the_running_machine_counts_and_tells_time),
		cmocka_unit_test(cpu_time_of_a_process_grows_while_it_works),
		cmocka_unit_test(a_process_that_is_gone_is_esrch),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
