#include "base/cleanup.h"
#include "collect/collectors.h"
#include "launch/own_cgroup.h"
#include "machine.h"
#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define V2_MOUNT "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
#define V1_MOUNTS                                                                                                      \
	"32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"                                  \
	"35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"                                            \
	"39 31 0:36 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"                                                \
	"38 31 0:35 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio\n"
#define G2 "sys/fs/cgroup/jobs/one/"
#define PSI(some, full)                                                                                                \
	"some avg10=0.00 avg60=0.00 avg300=0.00 total=" some "\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=" full "\n"

static void version_2(struct machine *m)
{
	machine_init(m, NULL);
	machine_file(m, "proc/self/mountinfo", V2_MOUNT);
	machine_file(m, "proc/self/cgroup", "0::/jobs/one\n");
	machine_file(m, G2 "cgroup.type", "domain\n");
	machine_file(m, G2 "cpu.stat",
	             "usage_usec 30\nuser_usec 20\nsystem_usec 10\nnr_periods 4\nnr_throttled 3\nthrottled_usec 2\n");
	machine_file(m, G2 "memory.current", "4096\n");
	machine_file(m, G2 "memory.peak", "8192\n");
	machine_file(m, G2 "memory.stat", "anon 1\nfile 2\nkernel 9\ninactive_file 3\n");
	machine_file(m, G2 "memory.swap.current", "5\n");
	machine_file(m, G2 "memory.events", "low 0\nhigh 0\nmax 6\noom 7\noom_kill 8\n");
	machine_file(m, G2 "memory.max", "1000\n");
	machine_file(m, G2 "cpu.max", "max 100000\n");
	machine_file(m, G2 "pids.current", "9\n");
	machine_file(m, G2 "io.stat",
	             "8:0 rbytes=100 wbytes=200 rios=1 wios=1 dbytes=0 dios=0\n253:0 rbytes=100 wbytes=200 rios=1\n");
	machine_file(m, G2 "cpu.pressure", PSI("11", "12"));
	machine_file(m, G2 "memory.pressure", PSI("13", "14"));
	machine_file(m, G2 "io.pressure", PSI("15", "16"));
	machine_file(m, "sys/fs/cgroup/jobs/memory.max", "max\n");
	machine_file(m, "sys/fs/cgroup/jobs/cpu.max", "max 100000\n");
	machine_file(m, "sys/dev/block/x", "");
	char path[128];
	(void)snprintf(path, sizeof path, "%s/sys/dev/block/253:0", m->folder); /* lies on 8:0: the same bytes again */
	assert_int_equal(symlink("../../devices/virtual/block/dm-0", path), 0);
}

struct expected {
	unsigned metric;
	int64_t value;
};
static void check(struct machine *m, const char *name, const struct expected *e, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (machine_value_of(m, name, e[i].metric) != e[i].value)
			fail_msg("%s is %lld, not %lld", jm_metrics[e[i].metric].name,
			         (long long)machine_value_of(m, name, e[i].metric), (long long)e[i].value);
}
#define CHECK(m, name, expected) check(m, name, expected, sizeof(expected) / sizeof *(expected))

static void version_2_says_everything(void **state)
{
	struct machine m;
	version_2(&m);
	assert_int_equal(machine_open(&m, &jm_collector_cgroup, NULL), 0);
	assert_int_equal(machine_tick(&m, true), 0);
	static const struct expected all[] = {
		{ JM_M_CGROUP_CPU, 30000 },
		{ JM_M_CGROUP_CPU_USER, 20000 },
		{ JM_M_CGROUP_CPU_SYSTEM, 10000 },
		{ JM_M_CGROUP_CPU_QUOTA, NO_VALUE },
		{ JM_M_CGROUP_CPU_PERIOD, NO_VALUE },
		{ JM_M_CGROUP_PERIODS, 4 },
		{ JM_M_CGROUP_THROTTLED_PERIODS, 3 },
		{ JM_M_CGROUP_THROTTLED, 2000 },
		{ JM_M_CGROUP_MEMORY, 4096 },
		{ JM_M_CGROUP_MEMORY_PEAK, 8192 },
		{ JM_M_CGROUP_MEMORY_LIMIT, 1000 },
		{ JM_M_CGROUP_ANON, 1 },
		{ JM_M_CGROUP_FILE, 2 },
		{ JM_M_CGROUP_INACTIVE_FILE, 3 },
		{ JM_M_CGROUP_SWAP, 5 },
		{ JM_M_CGROUP_OOM, 7 },
		{ JM_M_CGROUP_OOM_KILLS, 8 },
		{ JM_M_CGROUP_MEMORY_MAX_EVENTS, 6 },
		{ JM_M_CGROUP_PIDS, 9 },
		{ JM_M_CGROUP_READ, 100 },
		{ JM_M_CGROUP_WRITE, 200 },
		{ JM_M_CGROUP_PSI_CPU_SOME, 11000 },
		{ JM_M_CGROUP_PSI_CPU_FULL, 12000 },
		{ JM_M_CGROUP_PSI_MEMORY_SOME, 13000 },
		{ JM_M_CGROUP_PSI_MEMORY_FULL, 14000 },
		{ JM_M_CGROUP_PSI_IO_SOME, 15000 },
		{ JM_M_CGROUP_PSI_IO_FULL, 16000 },
	};
	CHECK(&m, "/jobs/one", all);
	assert_int_equal(machine_events(&m, JM_EVENT_START, "/jobs/one"), 1);
	const struct jm_row *row = machine_row(&m, JM_SUBJECT_CGROUP, "/jobs/one");
	JM_SAMPLE_POINTS (&m.sample, row, p)
		assert_int_equal(p->origin, JM_ORIGIN_CGROUP_V2);
	machine_done(&m);
}

static void the_tightest_limit_above_holds_and_says_how_often(void **state)
{
	struct machine m;
	version_2(&m);
	machine_file(&m, G2 "cpu.max", "150000 100000\n");
	machine_file(&m, "sys/fs/cgroup/jobs/cpu.max", "10000 10000\n");
	machine_file(&m, "sys/fs/cgroup/jobs/cpu.stat",
	             "usage_usec 99\nnr_periods 50\nnr_throttled 40\nthrottled_usec 30\n");
	machine_file(&m, "sys/fs/cgroup/jobs/memory.max", "900\n");
	machine_file(&m, "sys/fs/cgroup/jobs/memory.events", "max 21\noom 20\noom_kill 19\n");
	assert_int_equal(machine_open(&m, &jm_collector_cgroup, NULL), 0);
	assert_int_equal(machine_tick(&m, true), 0);
	static const struct expected limits[] = {
		{ JM_M_CGROUP_CPU, 30000 },
		{ JM_M_CGROUP_CPU_QUOTA, 10000000 },
		{ JM_M_CGROUP_CPU_PERIOD, 10000000 },
		{ JM_M_CGROUP_PERIODS, 50 },
		{ JM_M_CGROUP_THROTTLED_PERIODS, 40 },
		{ JM_M_CGROUP_THROTTLED, 30000 },
		{ JM_M_CGROUP_MEMORY_LIMIT, 900 },
		{ JM_M_CGROUP_MEMORY_MAX_EVENTS, 21 },
		{ JM_M_CGROUP_OOM, 20 },
		{ JM_M_CGROUP_OOM_KILLS, 8 }, /* its own dead, wherever the limit was */
	};
	CHECK(&m, "/jobs/one", limits);

	/* limits are looked for on the slow clock, and hold until then */
	machine_file(&m, "sys/fs/cgroup/jobs/memory.max", "800\n");
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_value_of(&m, "/jobs/one", JM_M_CGROUP_MEMORY_LIMIT), 900);
	assert_int_equal(machine_tick(&m, true), 0);
	assert_int_equal(machine_value_of(&m, "/jobs/one", JM_M_CGROUP_MEMORY_LIMIT), 800);
	machine_done(&m);
}

static void kills_for_lack_of_memory_are_events(void **state)
{
	struct machine m;
	version_2(&m);
	assert_int_equal(machine_open(&m, &jm_collector_cgroup, NULL), 0);
	assert_int_equal(machine_tick(&m, true), 0);
	assert_int_equal(machine_events(&m, JM_EVENT_OOM, "/jobs/one"), 0); /* those 8 were before us */
	machine_file(&m, G2 "memory.events", "max 6\noom 9\noom_kill 10\n");
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_events(&m, JM_EVENT_OOM, "/jobs/one"), 1);
	assert_int_equal(m.sample.events[0].status, 2);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_events(&m, JM_EVENT_OOM, "/jobs/one"), 0);
	machine_done(&m);
}

static void version_1_says_it_in_its_own_units(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/self/mountinfo", V1_MOUNTS);
	machine_file(&m, "proc/4711/cgroup", "6:blkio:/j\n4:memory:/a/j\n3:pids:/j\n2:cpu,cpuacct:/j\n");
	machine_file(&m, "proc/self/cgroup", "6:blkio:/j\n4:memory:/a/j\n3:pids:/j\n2:cpu,cpuacct:/j\n");
	machine_file(&m, "sys/fs/cgroup/cpu,cpuacct/j/cpuacct.usage", "74521683428\n");
	machine_file(&m, "sys/fs/cgroup/cpu,cpuacct/j/cpuacct.stat", "user 44\nsystem 30\n");
	machine_file(&m, "sys/fs/cgroup/cpu,cpuacct/j/cpu.stat", "nr_periods 5\nnr_throttled 4\nthrottled_time 3\n");
	machine_file(&m, "sys/fs/cgroup/cpu,cpuacct/j/cpu.cfs_quota_us", "50000\n");
	machine_file(&m, "sys/fs/cgroup/cpu,cpuacct/j/cpu.cfs_period_us", "100000\n");
	machine_file(&m, "sys/fs/cgroup/memory/a/j/memory.usage_in_bytes", "10\n");
	machine_file(&m, "sys/fs/cgroup/memory/a/j/memory.max_usage_in_bytes", "20\n");
	machine_file(&m, "sys/fs/cgroup/memory/a/j/memory.limit_in_bytes", "9223372036854771712\n");
	machine_file(&m, "sys/fs/cgroup/memory/a/j/memory.failcnt", "1\n");
	machine_file(&m, "sys/fs/cgroup/memory/a/memory.limit_in_bytes", "4000\n");
	machine_file(&m, "sys/fs/cgroup/memory/a/memory.failcnt", "77\n");
	machine_file(&m, "sys/fs/cgroup/memory/a/j/memory.oom_control",
	             "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
	machine_file(
		&m, "sys/fs/cgroup/memory/a/j/memory.stat",
		"cache 1\nrss 1\nhierarchical_memory_limit 3000\ntotal_cache 6\ntotal_rss 5\ntotal_swap 7\ntotal_inactive_file 8\n");
	machine_file(&m, "sys/fs/cgroup/pids/j/pids.current", "3\n");
	machine_file(&m, "sys/fs/cgroup/blkio/j/blkio.throttle.io_service_bytes",
	             "8:0 Read 1\n8:0 Write 2\n8:0 Total 3\nTotal 3\n");
	machine_file(&m, "sys/fs/cgroup/blkio/j/blkio.throttle.io_service_bytes_recursive",
	             "8:0 Read 100\n8:0 Write 200\n8:0 Total 300\n8:16 Read 11\nTotal 311\n");
	m.run.root_pid = 4711;
	assert_int_equal(machine_open(&m, &jm_collector_cgroup, NULL), 0);
	assert_int_equal(machine_tick(&m, true), 0);
	const int64_t tick = (int64_t)m.root.ns_per_tick;
	const struct expected all[] = {
		{ JM_M_CGROUP_CPU, 74521683428 },
		{ JM_M_CGROUP_CPU_USER, 44 * tick },
		{ JM_M_CGROUP_CPU_SYSTEM, 30 * tick },
		{ JM_M_CGROUP_CPU_QUOTA, 50000000 },
		{ JM_M_CGROUP_CPU_PERIOD, 100000000 },
		{ JM_M_CGROUP_PERIODS, 5 },
		{ JM_M_CGROUP_THROTTLED_PERIODS, 4 },
		{ JM_M_CGROUP_THROTTLED, 3 },
		{ JM_M_CGROUP_MEMORY, 10 },
		{ JM_M_CGROUP_MEMORY_PEAK, 20 },
		{ JM_M_CGROUP_MEMORY_LIMIT, 3000 }, /* of a group above that cannot be seen */
		{ JM_M_CGROUP_MEMORY_MAX_EVENTS, 1 },
		{ JM_M_CGROUP_ANON, 5 },
		{ JM_M_CGROUP_FILE, 6 },
		{ JM_M_CGROUP_SWAP, 7 },
		{ JM_M_CGROUP_INACTIVE_FILE, 8 },
		{ JM_M_CGROUP_OOM_KILLS, 2 },
		{ JM_M_CGROUP_OOM, NO_VALUE },
		{ JM_M_CGROUP_PIDS, 3 },
		{ JM_M_CGROUP_READ, 111 },
		{ JM_M_CGROUP_WRITE, 200 },
	};
	CHECK(&m, "/a/j", all);
	machine_done(&m);
}

static void figures_of_groups_that_the_job_shares_are_left_out_when_it_has_its_own(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/self/mountinfo",
	             "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
	             "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
	machine_file(&m, "proc/self/cgroup", "4:memory:/s\n0::/s\n");
	machine_file(&m, "proc/4711/cgroup", "4:memory:/s\n0::/s/jobmeter-9\n");
	machine_file(&m, "sys/fs/cgroup/unified/s/jobmeter-9/cgroup.type", "domain\n");
	machine_file(&m, "sys/fs/cgroup/unified/s/jobmeter-9/cpu.stat", "usage_usec 1\n");
	machine_file(&m, "sys/fs/cgroup/memory/s/memory.usage_in_bytes", "10\n");
	machine_file(&m, "sys/fs/cgroup/memory/s/memory.limit_in_bytes", "100\n");
	m.run.root_pid = 4711;
	assert_int_equal(machine_open(&m, &jm_collector_cgroup, NULL), 0);
	assert_int_equal(machine_tick(&m, true), 0);
	static const struct expected some[] = {
		{ JM_M_CGROUP_CPU, 1000 },
		{ JM_M_CGROUP_MEMORY, NO_VALUE },
		{ JM_M_CGROUP_MEMORY_LIMIT, 100 }, /* but its limit holds for the job */
	};
	CHECK(&m, "/s/jobmeter-9", some);
	machine_done(&m);
}

static void the_root_group_is_no_group_of_a_job(void **state)
{
	struct machine m;
	struct jm_err err;
	machine_init(&m, NULL);
	machine_file(&m, "proc/self/mountinfo", V2_MOUNT);
	machine_file(&m, "proc/self/cgroup", "0::/\n");
	machine_file(&m, "sys/fs/cgroup/cpu.stat", "usage_usec 1\n");
	assert_int_equal(machine_open(&m, &jm_collector_cgroup, &err), -ENODATA);
	assert_non_null(strstr(err.text, "root control group"));
	machine_done(&m);
}

/* Burns CPU in a group of its own, and ends; the group must know as much as wait4(2). */
static void the_running_machine_agrees_with_rusage(void **state)
{
	struct machine m;
	struct jm_own_cgroup *own;
	struct jm_err err;
	struct rusage usage;
	int gate[2], status;
	machine_init(&m, "/");
	int r = jm_own_cgroup_make(&m.root, &own, &err);
	if (r < 0) {
		print_message("# skipped: %s\n", err.text);
		machine_done(&m);
		skip();
	}
	assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (pid == 0) {
		char c;
		(void)close(gate[1]);
		if (read(gate[0], &c, 1) < 0)
			_exit(1);
		for (volatile unsigned i = 0; i < 100000000; i++)
			;
		_exit(0);
	}
	(void)close(gate[0]);
	/* the product has its job born there; this process is there already */
	char text[16];
	_cleanup_(closep) int procs = openat(jm_own_cgroup_folder(own), "cgroup.procs", O_WRONLY | O_CLOEXEC);
	int len = snprintf(text, sizeof text, "%d", (int)pid);
	assert_int_equal(write(procs, text, (size_t)len), len);
	assert_true(jm_own_cgroup_holds(own, pid));
	m.run.root_pid = pid;
	assert_int_equal(machine_open(&m, &jm_collector_cgroup, NULL), 0);
	(void)close(gate[1]);
	assert_int_equal(wait4(pid, &status, 0, &usage), pid);
	assert_int_equal(status, 0);
	assert_int_equal(machine_tick(&m, true), 0);
	int64_t seen = NO_VALUE;
	for (size_t i = 0; i < m.sample.n_rows; i++) {
		const struct jm_point *p = jm_sample_point(&m.sample, m.sample.rows[i].first, JM_M_CGROUP_CPU);
		if (p)
			seen = p->value;
	}
	int64_t used = ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000 +
	               ((int64_t)usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
	/* rusage has what it used before it entered and lacks its last moments; both are far below a millisecond,
	 * the group's and rusage's roundings below two microseconds */
	assert_in_range(seen, used - 1000000, used + 1000000);
	assert_int_equal(jm_own_cgroup_remove(own, NULL), 0);
	assert_int_equal(machine_tick(&m, true), 0); /* it is gone, and that is an event */
	assert_int_equal(m.sample.n_events, 1);
	assert_int_equal(m.sample.events[0].kind, JM_EVENT_END);
	assert_int_equal(machine_tick(&m, true), -ENODATA);
	machine_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(version_2_says_everything),
		cmocka_unit_test(the_tightest_limit_above_holds_and_says_how_often),
		cmocka_unit_test(kills_for_lack_of_memory_are_events),
		cmocka_unit_test(version_1_says_it_in_its_own_units),
		cmocka_unit_test(figures_of_groups_that_the_job_shares_are_left_out_when_it_has_its_own),
		cmocka_unit_test(the_root_group_is_no_group_of_a_job),
		cmocka_unit_test(the_running_machine_agrees_with_rusage),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
