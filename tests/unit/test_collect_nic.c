#include "collect/collectors.h"
#include "machine.h"

#define HEAD          "Inter-|   Receive | Transmit\n face |bytes packets|bytes packets\n"
#define LINE(name, n) name ": " n " 2 3 4 0 0 0 0 " n " 6 7 8 0 0 0 0\n"

static void link_device(struct machine *m, const char *name)
{
	char path[128];
	(void)snprintf(path, sizeof path, "sys/class/net/%s/mtu", name);
	machine_file(m, path, "1500\n");
	(void)snprintf(path, sizeof path, "%s/sys/class/net/%s/device", m->folder, name);
	assert_int_equal(symlink("../../../virtio1", path), 0);
}

static void figures_are_counted_by_interface(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/net/dev", HEAD LINE("lo", "99") LINE("eth0", "1"));
	assert_int_equal(machine_open(&m, &jm_collector_nic, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_null(machine_row(&m, JM_SUBJECT_NIC, "lo"));
	assert_int_equal(machine_value_of(&m, "eth0", JM_M_NIC_RECEIVED), 1);
	assert_int_equal(machine_value_of(&m, "eth0", JM_M_NIC_SENT), 1);
	assert_int_equal(machine_value_of(&m, "eth0", JM_M_NIC_RECEIVED_PACKETS), 2);
	assert_int_equal(machine_value_of(&m, "eth0", JM_M_NIC_SENT_PACKETS), 6);
	assert_int_equal(machine_value_of(&m, "eth0", JM_M_NIC_RECEIVE_ERRORS), 7);
	assert_int_equal(machine_value_of(&m, "eth0", JM_M_NIC_SEND_ERRORS), 15);
	machine_done(&m);
}

static void where_there_is_hardware_only_hardware_counts(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	link_device(&m, "eth0");
	link_device(&m, "eth1");
	machine_file(&m, "sys/class/net/bond0/mtu", "1500\n");
	machine_file(&m, "proc/net/dev",
	             HEAD LINE("eth0", "1") LINE("eth1", "1") LINE("bond0", "2") LINE("veth1", "7") LINE("tun0", "1"));
	assert_int_equal(machine_open(&m, &jm_collector_nic, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(m.sample.n_rows, 2);
	assert_non_null(machine_row(&m, JM_SUBJECT_NIC, "eth0"));
	assert_non_null(machine_row(&m, JM_SUBJECT_NIC, "eth1"));
	machine_done(&m);
}

static void in_a_container_what_lies_on_others_does_not_count(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "sys/class/net/eth0/mtu", "1500\n");
	machine_file(&m, "sys/class/net/eth0.7/lower_eth0", "");
	machine_file(&m, "proc/net/dev", HEAD LINE("lo", "1") LINE("eth0", "5") LINE("eth0.7", "2"));
	assert_int_equal(machine_open(&m, &jm_collector_nic, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(m.sample.n_rows, 1);
	assert_int_equal(machine_value_of(&m, "eth0", JM_M_NIC_RECEIVED), 5);
	machine_done(&m);
}

static void interfaces_come_and_go(void **state)
{
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, "proc/net/dev", HEAD LINE("eth0", "5"));
	assert_int_equal(machine_open(&m, &jm_collector_nic, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	machine_file(&m, "proc/net/dev", HEAD LINE("eth0", "5") LINE("eth1", "1"));
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_row(&m, JM_SUBJECT_NIC, "eth0")->state, JM_ROW_UNCHANGED);
	assert_int_equal(machine_events(&m, JM_EVENT_START, "eth1"), 1);
	machine_file(&m, "proc/net/dev", HEAD LINE("eth1", "0"));
	assert_int_equal(machine_tick(&m, false), 0);
	assert_int_equal(machine_events(&m, JM_EVENT_END, "eth0"), 1);
	assert_int_equal(machine_events(&m, JM_EVENT_END, "eth1"), 1); /* its counters went back: another eth1 */
	assert_int_equal(machine_events(&m, JM_EVENT_START, "eth1"), 1);
	assert_int_equal(machine_value_of(&m, "eth1", JM_M_NIC_RECEIVED), 0);
	machine_done(&m);
}

static long long statistic(const char *name, const char *file)
{
	char path[256];
	long long v;
	(void)snprintf(path, sizeof path, "/sys/class/net/%s/statistics/%s", name, file);
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%lld", &v), 1);
	(void)fclose(f);
	return v;
}

static void the_running_machine_agrees_with_sysfs(void **state)
{
	struct machine m;
	machine_init(&m, "/");
	assert_int_equal(machine_open(&m, &jm_collector_nic, NULL), 0);
	assert_int_equal(machine_tick(&m, false), 0);
	size_t n = m.sample.n_rows;
	jm_collector_nic.close(m.state);
	long long before[64];
	char names[64][64];
	assert_true(n < 64);
	for (size_t i = 0; i < n; i++) {
		(void)snprintf(names[i], sizeof names[i], "%.63s", m.sample.rows[i].subject->name);
		before[i] = statistic(names[i], "rx_bytes");
	}
	assert_int_equal(machine_open(&m, &jm_collector_nic, NULL), 0); /* anew, so that every row has its points */
	assert_int_equal(machine_tick(&m, false), 0);
	for (size_t i = 0; i < n; i++)
		assert_in_range(machine_value_of(&m, names[i], JM_M_NIC_RECEIVED), before[i],
		                statistic(names[i], "rx_bytes"));
	machine_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_counted_by_interface),
		cmocka_unit_test(where_there_is_hardware_only_hardware_counts),
		cmocka_unit_test(in_a_container_what_lies_on_others_does_not_count),
		cmocka_unit_test(interfaces_come_and_go),
		cmocka_unit_test(the_running_machine_agrees_with_sysfs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
