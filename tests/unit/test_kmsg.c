#include "cm.h"
#include "read/kmsg.h"
#include <errno.h>
#include <string.h>

static int parse(const char *text, struct jm_kmsg *ret)
{
	return jm_kmsg_parse(text, strlen(text), ret);
}

static void is(struct jm_span s, const char *text)
{
	assert_int_equal(jm_span_len(s), strlen(text));
	assert_memory_equal(s.p, text, strlen(text));
}

/* As Linux 6.18 said it. */
static void a_kill_for_the_limit_of_a_group_is_understood(void **state)
{
	struct jm_kmsg k;
	assert_int_equal(
		parse("4,532,12715842455,-;python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0\n", &k), 0);
	assert_int_equal(k.kind, JM_KMSG_BEGIN);
	assert_int_equal(k.at_us, 12715842455);
	assert_int_equal(parse("6,560,12715842779,-;memory: usage 65536kB, limit 65536kB, failcnt 0\n", &k), 0);
	assert_int_equal(k.kind, JM_KMSG_LIMIT);
	assert_int_equal(k.limit_bytes, 64 << 20);
	assert_int_equal(parse("6,609,1,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,"
	                       "oom_memcg=/a/b,task_memcg=/a/b/c,task=python3,pid=17900,uid=0\n",
	                       &k),
	                 0);
	assert_int_equal(k.kind, JM_KMSG_GROUP);
	is(k.group, "/a/b");
	assert_int_equal(
		parse("3,610,12715842941,-;Memory cgroup out of memory: Killed process 17900 (python3) total-vm:75160kB, "
	              "anon-rss:65280kB, file-rss:6640kB, shmem-rss:4kB, UID:0 pgtables:188kB oom_score_adj:0\n",
	              &k),
		0);
	assert_int_equal(k.kind, JM_KMSG_KILLED);
	assert_true(k.in_group);
	assert_int_equal(k.pid, 17900);
	is(k.comm, "python3");
	assert_int_equal(k.anon_bytes, 65280 << 10);
	assert_int_equal(k.file_bytes, 6640 << 10);
	assert_int_equal(k.shmem_bytes, 4 << 10);
}

static void the_machine_itself_may_be_full(void **state)
{
	struct jm_kmsg k;
	assert_int_equal(
		parse("6,9,1,-;oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,"
	              "task_memcg=/a,task=x,pid=1,uid=0\n",
	              &k),
		0);
	assert_int_equal(k.kind, JM_KMSG_GROUP);
	assert_int_equal(jm_span_len(k.group), 0);
	assert_int_equal(
		parse("3,9,1,-;Out of memory: Killed process 7 (x) total-vm:1kB, anon-rss:2kB, file-rss:3kB\n", &k), 0);
	assert_int_equal(k.kind, JM_KMSG_KILLED);
	assert_false(k.in_group);
	assert_int_equal(k.shmem_bytes, 0); /* before Linux 4.5 */
}

static void a_name_may_hold_what_stands_behind_it(void **state)
{
	struct jm_kmsg k;
	assert_int_equal(
		parse("3,9,1,-;Killed process 7 (a) total-vm:9kB) total-vm:1kB, anon-rss:2kB, file-rss:3kB\n", &k), 0);
	is(k.comm, "a) total-vm:9kB");
	assert_int_equal(k.anon_bytes, 2048);
}

/* Who may write into the log can say anything, but not as the kernel. */
static void what_a_program_has_written_is_nothing(void **state)
{
	struct jm_kmsg k;
	assert_int_equal(
		parse("12,9,1,-;Out of memory: Killed process 7 (x) total-vm:1kB, anon-rss:2kB, file-rss:3kB\n", &k),
		0);
	assert_int_equal(k.kind, JM_KMSG_OTHER);
}

static void what_is_no_record_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"\n",
		" SUBSYSTEM=acpi\n",
		"6,1,2",
		"x,1,2,-;memory: usage\n",
		"6,1,2,-;memory: usage 1\n",
		"3,9,1,-;Killed process 99999999999 (x) total-vm:1kB, anon-rss:2kB, file-rss:3kB\n",
		"3,9,1,-;Killed process 7 (x) total-vm:1kB, anon-rss:2\n",
		"3,9,1,-;Killed process 7 (x"
	};
	struct jm_kmsg k;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(parse(bad[i], &k), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kill_for_the_limit_of_a_group_is_understood),
		cmocka_unit_test(the_machine_itself_may_be_full),
		cmocka_unit_test(a_name_may_hold_what_stands_behind_it),
		cmocka_unit_test(what_a_program_has_written_is_nothing),
		cmocka_unit_test(what_is_no_record_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
