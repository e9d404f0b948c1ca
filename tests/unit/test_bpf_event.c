#include "cm.h"
#include "read/bpf_event.h"
#include <errno.h>
#include <string.h>

static struct jm_bpf_head head(uint8_t kind)
{
	return (struct jm_bpf_head){ .kind = kind, .pid = 100, .tid = 100, .parent = 7, .start_ns = 5000 };
}

static void a_fork_names_child_and_parent(void **state)
{
	struct jm_bpf_fork x = { head(JM_BPF_FORK) };
	struct jm_bpf_event e;
	assert_int_equal(jm_bpf_event_parse(&x, sizeof x, &e), 0);
	assert_int_equal(e.kind, JM_BPF_FORK);
	assert_int_equal(e.pid, 100);
	assert_int_equal(e.tid, 100);
	assert_int_equal(e.parent, 7);
	assert_int_equal(e.start_ns, 5000);
}

static int parse_exec(const char *args, size_t len, size_t said, uint8_t flags, struct jm_bpf_event *ret)
{
	static char data[256];
	struct jm_bpf_exec x = { .head = head(JM_BPF_EXEC), .time_ns = 6000 };
	x.head.args = (uint16_t)said;
	x.head.flags = flags;
	memset(x.comm, 'x', sizeof x.comm); /* the kernel ends it; who does not is cut */
	memcpy(data, &x, sizeof x);
	memcpy(data + sizeof x, args, len);
	return jm_bpf_event_parse(data, sizeof x + len, ret);
}

static void an_exec_has_name_and_arguments(void **state)
{
	struct jm_bpf_event e;
	assert_int_equal(parse_exec("cc\0-c\0", 6, 6, 0, &e), 0);
	assert_int_equal(e.time_ns, 6000);
	assert_string_equal(e.comm, "xxxxxxxxxxxxxxxx");
	assert_int_equal(e.args_len, 6);
	assert_memory_equal(e.args, "cc\0-c\0", 6);
	assert_false(e.cut);
	assert_int_equal(parse_exec("", 0, 0, 0, &e), 0);
	assert_int_equal(e.args_len, 0);
}

/* A secret of which half is told would not be known as one. */
static void of_cut_arguments_the_whole_ones_stay(void **state)
{
	struct jm_bpf_event e;
	assert_int_equal(parse_exec("cc\0-c\0--pass", 12, 12, JM_BPF_CUT, &e), 0);
	assert_true(e.cut);
	assert_int_equal(e.args_len, 6);
	assert_int_equal(parse_exec("abcdef", 6, 6, JM_BPF_CUT, &e), 0);
	assert_int_equal(e.args_len, 0);
	assert_int_equal(parse_exec("cc", 3, 4, 0, &e), -EBADMSG); /* fewer bytes than said */
}

static void the_last_thread_tells_of_the_process(void **state)
{
	struct jm_bpf_last x = {
		.head = head(JM_BPF_LAST),
		.time_ns = 9000,
		.figures = { .cpu_ns = 1, .user_ns = 2, .rchar = 3, .cancelled_write_bytes = 4, .run_wait_ns = 5 },
		.high_water_pages = 11,
		.max_rss_pages = 12,
		.child_user_ns = 13,
		.child_system_ns = 14,
		.status = 0x10003 << 8,
		.comm = "tool",
	};
	struct jm_bpf_event e;
	assert_int_equal(jm_bpf_event_parse(&x, sizeof x, &e), 0);
	assert_int_equal(e.kind, JM_BPF_LAST);
	assert_int_equal(e.figures.cpu_ns, 1);
	assert_int_equal(e.figures.rchar, 3);
	assert_int_equal(e.figures.cancelled_write_bytes, 4);
	assert_int_equal(e.figures.run_wait_ns, 5);
	assert_int_equal(e.high_water_pages, 11);
	assert_int_equal(e.max_rss_pages, 12);
	assert_int_equal(e.child_user_ns, 13);
	assert_int_equal(e.child_system_ns, 14);
	assert_int_equal(e.status, 3 << 8);
	assert_string_equal(e.comm, "tool");
	assert_int_equal(jm_bpf_event_parse(&x, sizeof x - 1, &e), -EBADMSG);
}

static void exits_and_frees_tell_of_a_thread(void **state)
{
	struct jm_bpf_exit x = { .head = head(JM_BPF_EXIT), .time_ns = 9000, .figures = { .cpu_ns = 77 } };
	struct jm_bpf_free f = { .head = head(JM_BPF_FREE), .figures = { .cpu_ns = 78 } };
	struct jm_bpf_event e;
	x.head.tid = 101;
	assert_int_equal(jm_bpf_event_parse(&x, sizeof x, &e), 0);
	assert_int_equal(e.tid, 101);
	assert_int_equal(e.figures.cpu_ns, 77);
	f.head.flags = JM_BPF_EXIT_TOLD;
	assert_int_equal(jm_bpf_event_parse(&f, sizeof f, &e), 0);
	assert_true(e.exit_told);
	assert_int_equal(e.figures.cpu_ns, 78);
	struct jm_bpf_free_time t = { .head = head(JM_BPF_FREE_TIME), .cpu_ns = 79, .run_wait_ns = 80 };
	assert_int_equal(jm_bpf_event_parse(&t, sizeof t, &e), 0);
	assert_int_equal(e.kind, JM_BPF_FREE);
	assert_int_equal(e.figures.cpu_ns, 79);
	assert_int_equal(e.figures.run_wait_ns, 80);
	assert_int_equal(e.figures.minor, 0);
	assert_false(e.no_chars || e.no_storage || e.no_run_wait);
	t.head.flags = JM_BPF_NO_STORAGE | JM_BPF_NO_RUN_WAIT;
	assert_int_equal(jm_bpf_event_parse(&t, sizeof t, &e), 0);
	assert_true(e.no_storage && e.no_run_wait && !e.no_chars && !e.exit_told);
	f.head.flags = 0;
	assert_int_equal(jm_bpf_event_parse(&f, sizeof f, &e), 0);
	assert_false(e.exit_told);
}

static void what_grew_backwards_is_nothing(void **state)
{
	struct jm_bpf_free f = { .head = head(JM_BPF_FREE), .figures = { .cpu_ns = 5, .wchar = (uint64_t)-3 } };
	struct jm_bpf_event e;
	assert_int_equal(jm_bpf_event_parse(&f, sizeof f, &e), 0);
	assert_int_equal(e.figures.cpu_ns, 5);
	assert_int_equal(e.figures.wchar, 0);
}

static void what_is_hidden_says_so(void **state)
{
	struct jm_bpf_last x = { .head = head(JM_BPF_LAST), .time_ns = 9000, .figures = { .cpu_ns = 1 }, .comm = "su" };
	struct jm_bpf_event e;
	assert_int_equal(jm_bpf_event_parse(&x, sizeof x, &e), 0);
	assert_false(e.hidden);
	x.head.flags = JM_BPF_HIDDEN;
	assert_int_equal(jm_bpf_event_parse(&x, sizeof x, &e), 0);
	assert_true(e.hidden);
	assert_int_equal(parse_exec("", 0, 0, JM_BPF_CUT | JM_BPF_HIDDEN, &e), 0);
	assert_true(e.hidden && e.cut);
}

static void nonsense_is_refused(void **state)
{
	struct jm_bpf_event e;
	struct jm_bpf_fork good = { head(JM_BPF_FORK) }, bad[] = { good, good, good, good, good, good };
	bad[0].head.kind = 0;
	bad[1].head.kind = JM_BPF_FREE_TIME + 1;
	bad[2].head.pid = 0; /* in no pid namespace of ours */
	bad[3].head.tid = 1u << 31;
	bad[4].head.start_ns = 0;
	bad[5].head.start_ns = UINT64_MAX;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(jm_bpf_event_parse(&bad[i], sizeof bad[i], &e), -EBADMSG);
	for (size_t len = 0; len < sizeof good; len++)
		assert_int_equal(jm_bpf_event_parse(&good, len, &e), -EBADMSG);
	struct jm_bpf_exit late = { .head = head(JM_BPF_EXIT), .time_ns = UINT64_MAX };
	assert_int_equal(jm_bpf_event_parse(&late, sizeof late, &e), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fork_names_child_and_parent),
		cmocka_unit_test(an_exec_has_name_and_arguments),
		cmocka_unit_test(of_cut_arguments_the_whole_ones_stay),
		cmocka_unit_test(the_last_thread_tells_of_the_process),
		cmocka_unit_test(exits_and_frees_tell_of_a_thread),
		cmocka_unit_test(what_grew_backwards_is_nothing),
		cmocka_unit_test(what_is_hidden_says_so),
		cmocka_unit_test(nonsense_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
