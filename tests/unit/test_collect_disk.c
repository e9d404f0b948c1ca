#include "collect/collectors.h"
#include "collect/disk_kind.h"
#include "machine.h"
#include <dirent.h>

static void count(struct machine *m, bool expected, const char *name)
{
	if (jm_disk_counts(&m->root, jm_span_over(name, strlen(name)), jm_span_over("", 0)) != expected)
		fail_msg("%s: expected %d", name, expected);
}

static void only_whole_devices_at_the_bottom_count(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	static const char *const there[] = { "vda",   "sda",   "nvme0n1", "cciss!c0d0", "dm-0",
		                             "md127", "loop0", "zram0",   "nvme0c0n1",  "new0" };
	for (size_t i = 0; i < sizeof there / sizeof *there; i++) {
		char path[64];
		(void)snprintf(path, sizeof path, "sys/block/%s/slaves", there[i]);
		machine_file(&m, path, "");
		(void)snprintf(path, sizeof path, "%s/sys/block/%s/slaves", m.folder, there[i]);
		assert_int_equal(unlink(path), 0);
	}
	machine_file(&m, "sys/block/new0/slaves/sda", "");
	machine_file(&m, "sys/block/nvme0c0n1/hidden", "1\n");
	machine_file(&m, "sys/block/nvme0n1/hidden", "0\n");
	count(&m, true, "vda");
	count(&m, true, "nvme0n1");
	count(&m, true, "cciss/c0d0");
	count(&m, false, "cciss/c0d0p1");
	count(&m, false, "vda1");
	count(&m, false, "dm-0");
	count(&m, false, "md127");
	count(&m, false, "loop0");
	count(&m, false, "zram0");
	count(&m, false, "nvme0c0n1");
	count(&m, false, "new0"); /* of a kind that nobody has heard of, but it lies on sda */
	machine_done(&m);
}

static void without_sys_names_decide(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/diskstats",
	             "8 0 sda 1 1 1 1 1 1 1 1 1 1 1\n8 1 sda1 1 1 1 1 1 1 1 1 1 1 1\n8 16 sdaa 1 1 1 1 1 1 1 1 1 1 1\n"
	             "259 0 nvme0n1 1 1 1 1 1 1 1 1 1 1 1\n259 1 nvme0n1p1 1 1 1 1 1 1 1 1 1 1 1\n"
	             "259 2 nvme0n12 1 1 1 1 1 1 1 1 1 1 1\n");
	assert_int_equal(machine_open(&m, &jm_collector_disk, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_non_null(machine_row(&m, JM_SUBJECT_DISK, "sda"));
	assert_null(machine_row(&m, JM_SUBJECT_DISK, "sda1"));
	assert_non_null(machine_row(&m, JM_SUBJECT_DISK, "sdaa"));
	assert_non_null(machine_row(&m, JM_SUBJECT_DISK, "nvme0n1"));
	assert_null(machine_row(&m, JM_SUBJECT_DISK, "nvme0n1p1"));
	assert_non_null(machine_row(&m, JM_SUBJECT_DISK, "nvme0n12"));
	machine_done(&m);
}

static void figures_have_their_units(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/diskstats", " 254 0 vda 10 20 30 40 50 60 70 80 90 100 110 1 2 3 4 5 6\n");
	assert_int_equal(machine_open(&m, &jm_collector_disk, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_value_of(&m, "vda", JM_M_DISK_READ), 30 * 512);
	assert_int_equal(machine_value_of(&m, "vda", JM_M_DISK_WRITE), 70 * 512);
	assert_int_equal(machine_value_of(&m, "vda", JM_M_DISK_READ_CALLS), 10);
	assert_int_equal(machine_value_of(&m, "vda", JM_M_DISK_WRITE_CALLS), 50);
	assert_int_equal(machine_value_of(&m, "vda", JM_M_DISK_BUSY), 100000000);
	assert_int_equal(machine_value_of(&m, "vda", JM_M_DISK_WAIT), 110000000);
	assert_int_equal(machine_events(&m, JM_EVENT_START, "vda"), 1);
	assert_int_equal(m.sample.events[0].status, 1); /* it was there before */

	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_row(&m, JM_SUBJECT_DISK, "vda")->state, JM_ROW_UNCHANGED);
	assert_int_equal(m.sample.n_points, 0);
	assert_int_equal(m.sample.n_events, 0);
	machine_done(&m);
}

#define LINE(name, n) "8 0 " name " " n " 0 " n " 0 " n " 0 " n " 0 0 " n " " n "\n"

static void disks_come_and_go(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/diskstats", LINE("sda", "5") LINE("sdb", "5"));
	assert_int_equal(machine_open(&m, &jm_collector_disk, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(m.sample.n_events, 2);

	machine_file(&m, "proc/diskstats", LINE("sdc", "7") LINE("sdb", "6"));
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_events(&m, JM_EVENT_END, "sda"), 1);
	assert_int_equal(machine_events(&m, JM_EVENT_START, "sdc"), 1);
	assert_int_equal(m.sample.n_events, 2);
	assert_null(machine_row(&m, JM_SUBJECT_DISK, "sda"));
	assert_int_equal(machine_value_of(&m, "sdc", JM_M_DISK_READ_CALLS), 7);
	for (size_t i = 0; i < 2; i++)
		if (m.sample.events[i].kind == JM_EVENT_START)
			assert_int_equal(m.sample.events[i].status, 0); /* it came while we looked */
	machine_done(&m);
}

static void another_disk_of_the_same_name_is_another_subject(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/diskstats", LINE("sda", "50"));
	assert_int_equal(machine_open(&m, &jm_collector_disk, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	uint32_t id = machine_row(&m, JM_SUBJECT_DISK, "sda")->subject->id;
	machine_file(&m, "proc/diskstats", LINE("sda", "3"));
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_events(&m, JM_EVENT_END, "sda"), 1);
	assert_int_equal(machine_events(&m, JM_EVENT_START, "sda"), 1);
	struct jm_row *row = machine_row(&m, JM_SUBJECT_DISK, "sda");
	assert_int_not_equal(row->subject->id, id);
	assert_int_equal(jm_sample_point(&m.sample, row->first, JM_M_DISK_BUSY)->value, 3000000);
	machine_done(&m);
}

static void busy_time_goes_on_where_the_kernel_starts_again(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/diskstats", "8 0 sda 9 0 9 0 9 0 9 0 0 4294967295 4294967000\n");
	assert_int_equal(machine_open(&m, &jm_collector_disk, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	machine_file(&m, "proc/diskstats", "8 0 sda 9 0 9 0 9 0 9 0 0 9 4294967100\n");
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_value_of(&m, "sda", JM_M_DISK_BUSY), (4294967296 + 9) * 1000000);
	assert_int_equal(machine_value_of(&m, "sda", JM_M_DISK_WAIT), 4294967100 * 1000000);
	machine_file(&m, "proc/diskstats", "8 0 sda 9 0 9 0 9 0 9 0 0 10 1\n");
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_value_of(&m, "sda", JM_M_DISK_BUSY), (4294967296 + 10) * 1000000);
	assert_int_equal(machine_value_of(&m, "sda", JM_M_DISK_WAIT), (4294967296 + 1) * 1000000);
	assert_int_equal(m.sample.n_events, 0);
	machine_done(&m);
}

static long long sectors_of(const char *name)
{
	char path[128];
	long long reads, sectors;
	(void)snprintf(path, sizeof path, "/sys/block/%.64s/stat", name);
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%lld %*d %lld", &reads, &sectors), 2);
	(void)fclose(f);
	return sectors;
}

/* sysfs counts the same sectors on a path of its own in the kernel */
static void the_running_machine_agrees_with_sysfs(void **state)
{
	struct machine m;
	struct {
		char name[64];
		long long before;
	} disks[64];
	size_t n = 0;
	DIR *d = opendir("/sys/block");
	if (!d)
		skip();
	machine_init(&m, "/");
	for (struct dirent *e; n < 64 && (e = readdir(d));)
		if (e->d_name[0] != '.' &&
		    jm_disk_counts(&m.root, jm_span_over(e->d_name, strlen(e->d_name)), jm_span_over("", 0))) {
			assert_true(snprintf(disks[n].name, sizeof disks[n].name, "%s", e->d_name) <
			            (int)sizeof disks[n].name);
			disks[n].before = sectors_of(e->d_name);
			n++;
		}
	(void)closedir(d);
	assert_int_equal(machine_open(&m, &jm_collector_disk, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(m.sample.n_rows, n);
	for (size_t i = 0; i < n; i++)
		assert_in_range(machine_value_of(&m, disks[i].name, JM_M_DISK_READ), disks[i].before * 512,
		                sectors_of(disks[i].name) * 512);
	machine_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_whole_devices_at_the_bottom_count),
		cmocka_unit_test(without_sys_names_decide),
		cmocka_unit_test(figures_have_their_units),
		cmocka_unit_test(disks_come_and_go),
		cmocka_unit_test(another_disk_of_the_same_name_is_another_subject),
		cmocka_unit_test(busy_time_goes_on_where_the_kernel_starts_again),
		cmocka_unit_test(the_running_machine_agrees_with_sysfs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
