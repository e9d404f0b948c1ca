#include "collect/collectors.h"
#include "machine.h"
#include <errno.h>

static void figures_are_bytes(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(
		&m, "proc/meminfo",
		"MemTotal: 100 kB\nMemFree: 1 kB\nMemAvailable: 2 kB\nBuffers: 3 kB\nCached: 4 kB\nSwapTotal: 5 kB\n"
		"SwapFree: 6 kB\nDirty: 7 kB\nWriteback: 8 kB\nAnonPages: 9 kB\nMapped: 10 kB\nShmem: 11 kB\nSlab: 12 "
		"kB\n"
		"SReclaimable: 13 kB\nPageTables: 14 kB\nCommitted_AS: 15 kB\nHugePages_Total: 4\nHugePages_Free: 3\n"
		"Hugepagesize: 16 kB\n");
	machine_file(&m, "proc/vmstat", "pswpin 2\npswpout 3\npgfault 4\npgmajfault 5\noom_kill 6\n");
	assert_int_equal(machine_open(&m, &jm_collector_memory, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	const int64_t page = (int64_t)m.root.page_bytes;
	const struct {
		unsigned metric;
		int64_t value;
	} expected[] = {
		{ JM_M_HOST_MEM_TOTAL, 102400 },
		{ JM_M_HOST_MEM_FREE, 1024 },
		{ JM_M_HOST_MEM_AVAILABLE, 2048 },
		{ JM_M_HOST_MEM_BUFFERS, 3072 },
		{ JM_M_HOST_MEM_CACHED, 4096 },
		{ JM_M_HOST_SWAP_TOTAL, 5120 },
		{ JM_M_HOST_SWAP_FREE, 6144 },
		{ JM_M_HOST_MEM_DIRTY, 7168 },
		{ JM_M_HOST_MEM_WRITEBACK, 8192 },
		{ JM_M_HOST_MEM_ANON, 9216 },
		{ JM_M_HOST_MEM_MAPPED, 10240 },
		{ JM_M_HOST_MEM_SHMEM, 11264 },
		{ JM_M_HOST_MEM_SLAB, 12288 },
		{ JM_M_HOST_MEM_RECLAIMABLE, 13312 },
		{ JM_M_HOST_MEM_PAGE_TABLES, 14336 },
		{ JM_M_HOST_MEM_COMMITTED, 15360 },
		{ JM_M_HOST_MEM_HUGE_TOTAL, 65536 },
		{ JM_M_HOST_MEM_HUGE_FREE, 49152 },
		{ JM_M_HOST_SWAP_IN, 2 * page },
		{ JM_M_HOST_SWAP_OUT, 3 * page },
		{ JM_M_HOST_FAULTS, 4 },
		{ JM_M_HOST_MAJOR_FAULTS, 5 },
		{ JM_M_HOST_OOM_KILLS, 6 },
	};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		if (machine_value(&m, expected[i].metric) != expected[i].value)
			fail_msg("%s is %lld", jm_metrics[expected[i].metric].name,
			         (long long)machine_value(&m, expected[i].metric));
	assert_int_equal(m.sample.n_points, sizeof expected / sizeof *expected);
	machine_done(&m);
}

static void vmstat_may_be_missing(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/meminfo", "MemTotal: 100 kB\n");
	assert_int_equal(machine_open(&m, &jm_collector_memory, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_value(&m, JM_M_HOST_MEM_TOTAL), 102400);
	assert_int_equal(m.sample.n_points, 1);
	machine_done(&m);
}

static void a_value_beyond_a_point_is_not_put(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/meminfo", "MemTotal: 100 kB\nMemFree: 9007199254740992 kB\n"); /* 2^63 bytes */
	assert_int_equal(machine_open(&m, &jm_collector_memory, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_value(&m, JM_M_HOST_MEM_FREE), NO_VALUE);
	machine_done(&m);
}

static long long faults(void)
{
	char key[64];
	long long value, found = -1;
	FILE *f = fopen("/proc/vmstat", "re");
	assert_non_null(f);
	while (fscanf(f, "%63s %lld", key, &value) == 2)
		if (strcmp(key, "pgfault") == 0)
			found = value;
	(void)fclose(f);
	return found;
}

static void the_running_machine_agrees_with_its_file(void **state)
{
	struct machine m;
	machine_init(&m, "/");
	assert_int_equal(machine_open(&m, &jm_collector_memory, NULL), 0);
	long long before = faults();
	assert_int_equal(machine_tick(&m, false), 0);
	assert_in_range(machine_value(&m, JM_M_HOST_FAULTS), before, faults());
	assert_int_equal(machine_value(&m, JM_M_HOST_MEM_TOTAL) % 1024, 0);
	/* sysinfo(2) rounds nothing on a machine of ours and counts the same pages */
	assert_int_equal(machine_value(&m, JM_M_HOST_MEM_TOTAL), sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE));
	machine_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_bytes),
		cmocka_unit_test(vmstat_may_be_missing),
		cmocka_unit_test(a_value_beyond_a_point_is_not_put),
		cmocka_unit_test(the_running_machine_agrees_with_its_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
