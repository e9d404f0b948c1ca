#include "collect/collectors.h"
#include "collect/mount_kind.h"
#include "machine.h"
#include <errno.h>
#include <sys/statvfs.h>

static void choose(const char *mountinfo, const char *expected)
{
	struct jm_buf out = { 0 };
	assert_int_equal(jm_mounts_choose(jm_span_over(mountinfo, strlen(mountinfo)), &out), 0);
	for (size_t i = 0; i < out.len; i++)
		if (out.data[i] == '\0')
			out.data[i] = ';';
	assert_string_equal(out.data ? out.data : "", expected);
	jm_buf_done(&out);
}

static void storage_counts_and_memory_does_not(void **state)
{
	choose("22 27 0:21 / /proc rw - proc proc rw\n27 1 254:0 / / rw - ext4 /dev/vda rw\n25 27 0:23 / /dev/shm rw - "
	       "tmpfs tmpfs rw\n"
	       "40 27 8:1 / /data\\040one rw - xfs /dev/sda1 rw\n41 27 7:0 / /snap/x ro - squashfs /dev/loop0 ro\n",
	       "/;/data one;");
}

static void a_device_counts_once(void **state)
{
	/* a bind mount, a second mount of a part of it, and the same device listed before under a longer name */
	choose("30 27 254:0 /var/lib /srv/longer rw - ext4 /dev/root rw\n27 1 254:0 / / rw - ext4 /dev/vda rw\n"
	       "31 27 254:0 /home /home rw - ext4 /dev/vda rw\n",
	       "/;");
	/* sub-volumes of btrfs have one device; data sets of zfs one each, but the pool's room is shared */
	choose("1 0 0:30 /@ / rw - btrfs /dev/sdb rw\n2 1 0:30 /@home /home rw - btrfs /dev/sdb rw\n"
	       "3 1 0:41 / /tank/a rw - zfs tank/a rw\n4 1 0:42 / /tank rw - zfs tank rw\n5 1 0:43 / /other rw - zfs "
	       "other/x rw\n",
	       "/;/tank;/other;");
}

static void nothing_that_may_hang_is_asked(void **state)
{
	choose("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:50 / /net rw - nfs4 server:/x rw\n3 2 8:2 / /net/local rw - "
	       "ext4 /dev/sda2 rw\n"
	       "4 1 0:51 / /fuse rw - fuse.sshfs me@there: rw\n5 1 8:3 / /ntfs rw - fuseblk /dev/sda3 rw\n"
	       "6 1 0:52 / /share rw - cifs //server/share rw\n7 1 0:53 / /auto rw - autofs systemd-1 rw\n"
	       "8 1 8:4 / /network rw - ext4 /dev/sda4 rw\n",
	       "/;/network;");
}

static void what_is_mounted_over_is_not_seen(void **state)
{
	choose("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 8:2 / /mnt rw - ext4 /dev/sda2 rw\n3 2 8:3 / /mnt rw - xfs "
	       "/dev/sda3 rw\n",
	       "/;/mnt;");
	choose("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 8:2 / /mnt/deep rw - ext4 /dev/sda2 rw\n3 1 0:9 / /mnt rw - "
	       "tmpfs tmpfs rw\n",
	       "/;");
	/* seen elsewhere: there it is asked, although the name is longer */
	choose("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 8:2 / /m rw - ext4 /dev/sda2 rw\n3 2 0:9 / /m rw - tmpfs tmpfs "
	       "rw\n"
	       "4 1 8:2 / /elsewhere rw - ext4 /dev/sda2 rw\n",
	       "/;/elsewhere;");
}

static void the_root_of_a_container_is_an_overlay(void **state)
{
	choose("1 0 0:60 / / rw - overlay overlay rw,lowerdir=/a\n2 1 0:61 / /merged rw - overlay overlay rw\n", "/;");
}

static void a_broken_file_does_no_harm(void **state)
{
	/* each the parent of the other */
	choose("1 2 8:1 / /a rw - ext4 /dev/sda1 rw\n2 1 8:2 / /a rw - ext4 /dev/sda2 rw\n", "/a;/a;");
	choose("1 1 8:1 / / rw - ext4 /dev/sda1 rw\nx\n", "/;");
	choose("", "");
}

#define ROOT_FS "27 1 254:0 / / rw - ext4 /dev/vda rw\n"
#define DATA_FS "28 27 8:1 / /data rw - ext4 /dev/sda1 rw\n"

static void figures_are_bytes_on_the_slow_clock(void **state)
{
	struct machine m;
	machine_init_frozen(&m, "hz 100\npage_bytes 4096\nstatvfs / 4096 1000 600 500\nstatvfs /data 1024 10 9 8\n");
	machine_file(&m, "proc/self/mountinfo", ROOT_FS);
	assert_int_equal(machine_open(&m, &jm_collector_filesystem, NULL), 0);
	assert_int_equal(machine_tick(&m, true), 0);
	assert_int_equal(machine_value_of(&m, "/", JM_M_FILESYSTEM_TOTAL), 4096000);
	assert_int_equal(machine_value_of(&m, "/", JM_M_FILESYSTEM_FREE), 600 * 4096);
	assert_int_equal(machine_value_of(&m, "/", JM_M_FILESYSTEM_AVAILABLE), 500 * 4096);

	machine_file(&m, "proc/self/mountinfo", ROOT_FS DATA_FS);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_row(&m, JM_SUBJECT_FILESYSTEM, "/")->state, JM_ROW_UNCHANGED);
	assert_null(machine_row(&m, JM_SUBJECT_FILESYSTEM, "/data"));
	assert_int_equal(machine_tick(&m, true), 0);
	assert_int_equal(machine_events(&m, JM_EVENT_START, "/data"), 1);
	assert_int_equal(machine_value_of(&m, "/data", JM_M_FILESYSTEM_TOTAL), 10240);

	machine_file(&m, "proc/self/mountinfo", ROOT_FS);
	assert_int_equal(machine_tick(&m, true), 0);
	assert_int_equal(machine_events(&m, JM_EVENT_END, "/data"), 1);
	machine_done(&m);
}

static void what_cannot_be_asked_is_unreadable(void **state)
{
	struct machine m;
	machine_init_frozen(&m, "hz 100\npage_bytes 4096\n");
	machine_file(&m, "proc/self/mountinfo", ROOT_FS);
	assert_int_equal(machine_open(&m, &jm_collector_filesystem, NULL), 0);
	assert_int_equal(machine_tick(&m, true), 0);
	assert_int_equal(machine_row(&m, JM_SUBJECT_FILESYSTEM, "/")->state, JM_ROW_UNREADABLE);
	assert_int_equal(machine_row(&m, JM_SUBJECT_FILESYSTEM, "/")->error, ENODATA);
	machine_done(&m);
}

static void a_folder_that_is_no_machine_is_refused(void **state)
{
	struct machine m;
	struct jm_err err;
	machine_init(&m, NULL);
	machine_file(&m, "proc/self/mountinfo", ROOT_FS);
	assert_int_equal(machine_open(&m, &jm_collector_filesystem, &err), -EOPNOTSUPP);
	machine_done(&m);
}

static void the_running_machine_agrees_with_statvfs(void **state)
{
	struct machine m;
	machine_init(&m, "/");
	assert_int_equal(machine_open(&m, &jm_collector_filesystem, NULL), 0);
	assert_int_equal(machine_tick(&m, true), 0);
	for (size_t i = 0; i < m.sample.n_rows; i++) {
		const struct jm_row *row = &m.sample.rows[i];
		struct statvfs v;
		assert_int_equal(statvfs(row->subject->name, &v), 0);
		/* the size does not move while we look; what is free does */
		assert_int_equal(jm_sample_point(&m.sample, row->first, JM_M_FILESYSTEM_TOTAL)->value,
		                 (int64_t)(v.f_blocks * v.f_frsize));
	}
	machine_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(storage_counts_and_memory_does_not),
		cmocka_unit_test(a_device_counts_once),
		cmocka_unit_test(nothing_that_may_hang_is_asked),
		cmocka_unit_test(what_is_mounted_over_is_not_seen),
		cmocka_unit_test(the_root_of_a_container_is_an_overlay),
		cmocka_unit_test(a_broken_file_does_no_harm),
		cmocka_unit_test(figures_are_bytes_on_the_slow_clock),
		cmocka_unit_test(what_cannot_be_asked_is_unreadable),
		cmocka_unit_test(a_folder_that_is_no_machine_is_refused),
		cmocka_unit_test(the_running_machine_agrees_with_statvfs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
