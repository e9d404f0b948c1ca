#include "cm.h"
#include "read/cgroup_place.h"
#include <string.h>

static struct jm_cgroup_place places[JM_CGROUP_PLACES_MAX];

static size_t find(const char *mountinfo, const char *pid_cgroup)
{
	return jm_cgroup_places(jm_span_over(mountinfo, strlen(mountinfo)),
	                        jm_span_over(pid_cgroup, strlen(pid_cgroup)), places);
}

static void version_2_has_one_group(void **state)
{
	assert_int_equal(
		find("31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n", "0::/user.slice/a.scope\n"),
		1);
	assert_true(places[0].v2);
	assert_string_equal(places[0].folder, "sys/fs/cgroup/user.slice/a.scope");
	assert_string_equal(places[0].name, "/user.slice/a.scope");
	assert_true(jm_cgroup_place_up(&places[0]));
	assert_string_equal(places[0].folder, "sys/fs/cgroup/user.slice");
	assert_string_equal(places[0].name, "/user.slice");
	assert_true(jm_cgroup_place_up(&places[0]));
	assert_string_equal(places[0].folder, "sys/fs/cgroup");
	assert_string_equal(places[0].name, "/");
	assert_false(jm_cgroup_place_up(&places[0]));
}

static void hybrid_has_version_2_first(void **state)
{
	assert_int_equal(find("32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
	                      "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
	                      "40 31 0:37 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,name=systemd\n"
	                      "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
	                      "9:name=systemd:/\n4:memory:/a/b\n2:cpu,cpuacct:/\n0::/\n"),
	                 3);
	assert_true(places[0].v2);
	assert_string_equal(places[0].folder, "sys/fs/cgroup/unified");
	assert_int_equal(places[1].controllers, JM_CGROUP_MEMORY);
	assert_string_equal(places[1].folder, "sys/fs/cgroup/memory/a/b");
	assert_int_equal(places[2].controllers, JM_CGROUP_CPU | JM_CGROUP_CPUACCT);
	assert_string_equal(places[2].folder, "sys/fs/cgroup/cpu,cpuacct");
}

static void a_container_sees_a_part_of_the_hierarchy(void **state)
{
	const char *mounted = "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n";
	assert_int_equal(find(mounted, "4:memory:/docker/abc\n"), 1);
	assert_string_equal(places[0].folder, "sys/fs/cgroup/memory");
	assert_int_equal(find(mounted, "4:memory:/docker/abc/job\n"), 1);
	assert_string_equal(places[0].folder, "sys/fs/cgroup/memory/job");
	assert_int_equal(find(mounted, "4:memory:/docker/abcd\n"), 0);
	assert_int_equal(find(mounted, "4:memory:/\n"), 0);
}

static void what_cannot_be_seen_has_no_place(void **state)
{
	assert_int_equal(find("31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "0::/../other\n"), 0);
	assert_int_equal(find("31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "0::/gone (deleted)\n"), 0);
	assert_int_equal(find("", "0::/a\n"), 0);
	assert_int_equal(find("31 23 0:28 / / rw - cgroup2 cgroup2 rw\n", "0::/a\n"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(version_2_has_one_group),
		cmocka_unit_test(hybrid_has_version_2_first),
		cmocka_unit_test(a_container_sees_a_part_of_the_hierarchy),
		cmocka_unit_test(what_cannot_be_seen_has_no_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
