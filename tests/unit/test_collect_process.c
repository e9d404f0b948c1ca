#include "family.h"
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define NAMES "6.18-x86_64-names/"

static const char *fixture(char buf[512], const char *name)
{
	const char *folder = getenv("FIXTURES");
	assert_non_null(folder);
	assert_true(snprintf(buf, 512, "%s/%s", folder, name) < 512);
	return buf;
}

/* The same machine, later. */
static void move_to(struct family *f, const char *name)
{
	char path[512];
	jm_root_done(&f->m.root);
	assert_int_equal(jm_root_open(&f->m.root, fixture(path, name), NULL), 0);
}

static void hostile_names_and_arguments_come_through_as_bytes(void **state)
{
	static const char *const names[] = { "plain",
		                             "a b) S 1 (c",
		                             "((",
		                             "line\nbreak\n",
		                             "\xff\xfe\x80"
		                             "bad",
		                             "\xc3\xa4\xe2\x82\xac utf8" };
	static const char tail[] = "an argument with blanks\0\0new\nline\0\xff\xfe";
	struct family f;
	char path[512];
	family_init(&f, fixture(path, NAMES "t0"), 100);
	for (pid_t pid = 1001; pid <= 1006; pid++)
		family_add(&f, pid);
	family_tick(&f, true, 1);
	for (unsigned i = 0; i < 6; i++) {
		const struct jm_row *row = family_row(&f, (pid_t)(1001 + i));
		assert_int_equal(row->state, JM_ROW_FRESH);
		const struct jm_subject *s = row->subject;
		assert_string_equal(s->name, names[i]);
		assert_true(s->command_len > sizeof tail);
		assert_memory_equal(s->command + s->command_len - sizeof tail, tail, sizeof tail);
		assert_true(s->pid_namespace > 0);
	}
	family_done(&f);
}

static void figures_are_those_of_the_files_in_ns_and_bytes(void **state)
{
	struct family f;
	char path[512];
	family_init(&f, fixture(path, NAMES "t0"), 0);
	family_add(&f, 1001);
	family_tick(&f, true, 1);
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_READ_CHARS), 816);
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_PSS), NO_VALUE); /* the second sample has it */
	move_to(&f, NAMES "t1");
	family_tick(&f, true, 1);
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_READ_CHARS), 816 + 1 + 100 * (2 << 20));
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_READ_CALLS), 103);
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_THREADS), 1);
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_STATE), 'S');
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_HIGH_WATER), 4792 << 10);
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_SWAP), 0);
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_FDS), 3);
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_VOLUNTARY), 2);
	assert_true(family_value(&f, 1001, JM_M_PROCESS_RSS) >= 4 << 20);
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_ANON),
	                 family_value(&f, 1001, JM_M_PROCESS_RSS) - family_value(&f, 1001, JM_M_PROCESS_SHARED));
	assert_true(family_value(&f, 1001, JM_M_PROCESS_USS) >= 4 << 20);
	assert_true(family_value(&f, 1001, JM_M_PROCESS_PSS) >= family_value(&f, 1001, JM_M_PROCESS_USS));
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_DETAIL_AGE), (int64_t)jm_root_boot_ns(&f.m.root));
	family_done(&f);
}

static void pages_and_ticks_are_those_of_the_machine(void **state)
{
	struct family f;
	char path[512];
	family_init(&f, fixture(path, "6.18-aarch64-64k-processes/t0"), 10);
	family_add(&f, 1001);
	family_tick(&f, false, 1);
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_RSS), 43 * 65536);
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_CPU_USER), 1000000000);
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_CPU_SYSTEM), 500000000);
	assert_int_equal(family_value(&f, 1001, JM_M_PROCESS_CPU), 1500000000);
	family_done(&f);
}

static void a_zombie_that_nobody_waits_for_has_ended(void **state)
{
	struct family f;
	char path[512];
	family_init(&f, fixture(path, NAMES "t0"), 0);
	family_add(&f, 1007);
	family_tick(&f, false, 1);
	assert_non_null(family_row(&f, 1007));
	move_to(&f, NAMES "t1");
	family_tick(&f, false, 1);
	const struct jm_event *end = family_event(&f, JM_EVENT_END, 1007);
	assert_non_null(end);
	assert_null(family_row(&f, 1007));
	assert_int_equal(end->status, SIGKILL);
	const struct jm_point *faults = jm_sample_point(&f.m.sample, end->first, JM_M_PROCESS_MINOR_FAULTS);
	assert_int_equal(faults->value, 539);
	assert_int_equal(faults->origin, JM_ORIGIN_PID_EXIT);
	family_done(&f);
}

static const char stat_of_7[] = "7 (x) S 1 7 7 0 -1 0 1 2 3 4 150 50 0 0 20 0 1 0 %s 1000 25 0 0\n";

static void put_stat_of_7(struct family *f, const char *start)
{
	char text[128];
	assert_true(snprintf(text, sizeof text, stat_of_7, start) < (int)sizeof text);
	machine_file(&f->m, "proc/7/stat", text);
}

static void a_pid_that_was_reused_is_not_taken_for_the_old_process(void **state)
{
	struct family f;
	family_init(&f, NULL, 0);
	put_stat_of_7(&f, "100");
	family_add(&f, 7);
	family_tick(&f, false, 1);
	assert_int_equal(family_row(&f, 7)->state, JM_ROW_FRESH);
	put_stat_of_7(&f, "200");
	family_tick(&f, false, 1);
	assert_null(family_row(&f, 7));
	assert_false(jm_tree_has(f.tree, 7));
	family_tick(&f, false, 1); /* sources have had the time to say more */
	assert_non_null(family_event(&f, JM_EVENT_END, 7));
	family_done(&f);
}

static void what_cannot_be_read_is_absent_or_unreadable_never_zero(void **state)
{
	struct family f;
	family_init(&f, NULL, 0);
	put_stat_of_7(&f, "100"); /* and no statm, no io */
	family_add(&f, 7);
	family_tick(&f, true, 1);
	assert_int_equal(family_row(&f, 7)->state, JM_ROW_FRESH);
	assert_int_equal(family_value(&f, 7, JM_M_PROCESS_CPU_USER), 150 * (int64_t)f.m.root.ns_per_tick);
	assert_int_equal(family_value(&f, 7, JM_M_PROCESS_RSS), NO_VALUE);
	assert_int_equal(family_value(&f, 7, JM_M_PROCESS_READ_BYTES), NO_VALUE);
	assert_int_equal(family_value(&f, 7, JM_M_PROCESS_SWAP), NO_VALUE);
	assert_int_equal(family_value(&f, 7, JM_M_PROCESS_FDS), NO_VALUE);
	machine_file(&f.m, "proc/7/stat", "7 (x) S 1 7\n");
	family_tick(&f, true, 1);
	assert_int_equal(family_row(&f, 7)->state, JM_ROW_UNREADABLE);
	assert_int_equal(family_row(&f, 7)->error, EBADMSG);
	family_done(&f);
}

/* ---- the running machine ---- */

static pid_t child_at(int gate[2])
{
	assert_int_equal(pipe(gate), 0);
	pid_t pid = fork();
	if (pid > 0)
		return pid;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* also when a test fails */
	(void)close(gate[1]);
	for (char c; read(gate[0], &c, 1) == 1;)
		for (volatile unsigned i = 0; i < 10000000; i++)
			;
	_exit(0);
}

static void let_end(pid_t pid, int gate[2])
{
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	(void)close(gate[0]);
	(void)close(gate[1]);
}

/* Until the child has had all of its work done and sleeps again. */
static void wait_until_it_rests(const struct family *f, pid_t pid)
{
	uint64_t before, now = 0;
	do {
		before = now;
		(void)usleep(20000);
		assert_int_equal(jm_root_pid_cpu_ns(&f->m.root, pid, &now), 0);
	} while (now != before);
}

static void who_did_not_run_is_unchanged_and_who_ran_is_fresh(void **state)
{
	struct family f;
	int gate[2];
	family_init(&f, "/", 10);
	pid_t pid = child_at(gate);
	family_add(&f, pid);
	wait_until_it_rests(&f, pid);
	family_tick(&f, false, 0);
	assert_int_equal(family_row(&f, pid)->state, JM_ROW_FRESH);
	int64_t used = family_value(&f, pid, JM_M_PROCESS_CPU);
	family_tick(&f, false, 0);
	assert_int_equal(family_row(&f, pid)->state, JM_ROW_UNCHANGED);
	assert_int_equal(write(gate[1], "x", 1), 1);
	uint64_t now;
	do
		assert_int_equal(jm_root_pid_cpu_ns(&f.m.root, pid, &now), 0);
	while (now < (uint64_t)used + 1000000);
	family_tick(&f, false, 0);
	assert_int_equal(family_row(&f, pid)->state, JM_ROW_FRESH);
	assert_true(family_value(&f, pid, JM_M_PROCESS_CPU) >= used + 1000000);
	let_end(pid, gate);
	family_done(&f);
}

/* Gives it work, until its clock has moved on. */
static void let_it_run(const struct family *f, pid_t pid, int gate)
{
	uint64_t before, now;
	assert_int_equal(jm_root_pid_cpu_ns(&f->m.root, pid, &before), 0);
	assert_int_equal(write(gate, "x", 1), 1);
	do
		assert_int_equal(jm_root_pid_cpu_ns(&f->m.root, pid, &now), 0);
	while (now < before + 1000000);
}

/* The next sample is a second later; before it the counter of the tree says cpu_ns. */
static unsigned state_when_counted(struct family *f, pid_t pid, uint64_t cpu_ns, bool slow)
{
	jm_tree_counted(f->tree, cpu_ns, f->m.sample.at_ns + 1000000000);
	family_tick(f, slow, 1);
	return family_row(f, pid)->state;
}

static void a_counter_that_stands_is_believed_until_a_clock_contradicts_it(void **state)
{
	struct family f;
	int gate[2];
	family_init(&f, "/", 10);
	((struct jm_collect_env *)f.m.state)->overhead_ppm = 0; /* no dear figure makes a row fresh */
	pid_t pid = child_at(gate);
	family_add(&f, pid);
	wait_until_it_rests(&f, pid);
	assert_int_equal(state_when_counted(&f, pid, 7, false), JM_ROW_FRESH);
	let_it_run(&f, pid, gate[1]);
	assert_int_equal(state_when_counted(&f, pid, 7, false), JM_ROW_UNCHANGED); /* nobody was asked */
	assert_int_equal(state_when_counted(&f, pid, 7, true), JM_ROW_FRESH);      /* the slow sample asks everybody */
	let_it_run(&f, pid, gate[1]);
	wait_until_it_rests(&f, pid);
	assert_int_equal(state_when_counted(&f, pid, 8, false), JM_ROW_FRESH); /* that explains it: believed again */
	let_it_run(&f, pid, gate[1]);
	wait_until_it_rests(&f, pid);
	assert_int_equal(state_when_counted(&f, pid, 8, false), JM_ROW_UNCHANGED);
	assert_int_equal(state_when_counted(&f, pid, 8, true), JM_ROW_FRESH);
	let_it_run(&f, pid, gate[1]);
	assert_int_equal(state_when_counted(&f, pid, 8, false), JM_ROW_FRESH); /* it cannot explain that: given up */
	let_end(pid, gate);
	family_done(&f);
}

static void put_text(const char *folder, const char *name, const char *text)
{
	char path[128];
	(void)snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* Fields 3 to 24: faults are the tenth, pages the last. */
static void put_stat_text(const char *folder, unsigned cpu, unsigned faults, unsigned pages)
{
	char text[256];
	(void)snprintf(text, sizeof text, "9 (x) S 1 9 9 0 -1 0 %u 0 0 0 %u 0 0 0 20 0 1 0 5 4096000 %u 0 0\n", faults,
	               cpu, pages);
	put_text(folder, "proc/9/stat", text);
}

static void statm_is_read_when_stat_says_that_something_happened(void **state)
{
	char folder[] = "/tmp/jm-statm-XXXXXX", path[128];
	static const char *const files[] = { "proc/9/stat", "proc/9/statm", "proc/9", "proc" };
	assert_non_null(mkdtemp(folder));
	for (size_t i = 4; i-- > 2;) {
		(void)snprintf(path, sizeof path, "%s/%s", folder, files[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	put_stat_text(folder, 1, 10, 100);
	put_text(folder, "proc/9/statm", "1000 110 50 0 0 0 0\n");
	struct family f;
	family_init(&f, folder, 0);
	int64_t page = (int64_t)f.m.root.page_bytes;
	family_add(&f, 9);
	family_tick(&f, false, 1);
	assert_int_equal(family_value(&f, 9, JM_M_PROCESS_RSS), 110 * page);
	put_text(folder, "proc/9/statm", "1000 120 50 0 0 0 0\n");
	put_stat_text(folder, 2, 10, 100);
	family_tick(&f, false, 0);
	assert_int_equal(family_value(&f, 9, JM_M_PROCESS_RSS), 110 * page); /* said again, not read */
	assert_int_equal(family_value(&f, 9, JM_M_PROCESS_ANON), 60 * page);
	put_stat_text(folder, 3, 11, 100); /* a fault */
	family_tick(&f, false, 0);
	assert_int_equal(family_value(&f, 9, JM_M_PROCESS_RSS), 120 * page);
	put_text(folder, "proc/9/statm", "1000 130 50 0 0 0 0\n");
	family_tick(&f, false, 1); /* a second later */
	assert_int_equal(family_value(&f, 9, JM_M_PROCESS_RSS), 130 * page);
	put_text(folder, "proc/9/statm", "1000 90 50 0 0 0 0\n");
	put_stat_text(folder, 4, 11, 70); /* pages were taken away */
	family_tick(&f, false, 0);
	assert_int_equal(family_value(&f, 9, JM_M_PROCESS_RSS), 90 * page);
	family_done(&f);
	for (size_t i = 0; i < 4; i++) {
		(void)snprintf(path, sizeof path, "%s/%s", folder, files[i]);
		assert_int_equal(remove(path), 0);
	}
	assert_int_equal(rmdir(folder), 0);
}

static void memory_of_a_sleeper_is_looked_at_now_and_then(void **state)
{
	struct family f;
	int gate[2];
	family_init(&f, "/", 10);
	pid_t pid = child_at(gate);
	family_add(&f, pid);
	wait_until_it_rests(&f, pid);
	unsigned fresh = 0;
	for (int i = 0; i < 120; i++) {
		family_tick(&f, false, 1);
		fresh += family_row(&f, pid)->state == JM_ROW_FRESH;
	}
	/* at first, then every 20 to 35 s */
	assert_in_range(fresh, 4, 7);
	let_end(pid, gate);
	family_done(&f);
}

static void dear_figures_of_a_sleeper_are_read_once(void **state)
{
	struct family f;
	int gate[2];
	family_init(&f, "/", 10);
	pid_t pid = child_at(gate);
	family_add(&f, pid);
	wait_until_it_rests(&f, pid);
	unsigned pss = 0, high_water = 0;
	for (int i = 0; i < 60; i++) {
		family_tick(&f, true, 1);
		pss += family_value(&f, pid, JM_M_PROCESS_PSS) > 0;
		high_water += family_value(&f, pid, JM_M_PROCESS_HIGH_WATER) > 0;
	}
	/* once more when something else has changed its memory: the machine may reclaim a page */
	assert_in_range(pss, 1, 3);
	assert_in_range(high_water, 1, 3);
	let_end(pid, gate);
	family_done(&f);
}

static void without_a_budget_nothing_dear_is_read(void **state)
{
	for (unsigned ppm = 0; ppm <= 10000; ppm += 10000) {
		struct family f;
		int gate[2];
		family_init(&f, "/", 10);
		((struct jm_collect_env *)f.m.state)->overhead_ppm = ppm; /* its first member */
		pid_t pid = child_at(gate);
		family_add(&f, pid);
		int64_t pss = NO_VALUE, high_water = NO_VALUE;
		for (int i = 0; i < 4; i++) {
			family_tick(&f, true, 1);
			if (family_value(&f, pid, JM_M_PROCESS_PSS) > 0)
				pss = family_value(&f, pid, JM_M_PROCESS_PSS);
			if (family_value(&f, pid, JM_M_PROCESS_HIGH_WATER) > 0)
				high_water = family_value(&f, pid, JM_M_PROCESS_HIGH_WATER);
		}
		assert_int_equal(pss > 0, ppm > 0);
		assert_int_equal(high_water > 0, ppm > 0);
		let_end(pid, gate);
		family_done(&f);
	}
}

static void descriptors_stay_within_their_budget_and_go_to_who_runs(void **state)
{
	enum { N = 5, BUDGET = 7 };
	struct family f;
	int gate[N][2];
	pid_t pids[N];
	family_init(&f, "/", BUDGET);
	for (int i = 0; i < N; i++) {
		pids[i] = child_at(gate[i]);
		family_add(&f, pids[i]);
	}
	for (int i = 0; i < N; i++)
		wait_until_it_rests(&f, pids[i]);
	for (int t = 0; t < 4; t++) {
		family_tick(&f, true, 1);
		assert_true(f.tree->kept <= BUDGET);
	}
	assert_int_equal(write(gate[N - 1][1], "x", 1), 1); /* the last one, which had none */
	wait_until_it_rests(&f, pids[N - 1]);
	family_tick(&f, false, 1);
	assert_int_equal(family_row(&f, pids[N - 1])->state, JM_ROW_FRESH);
	assert_true(family_value(&f, pids[N - 1], JM_M_PROCESS_RSS) > 0);
	assert_true(jm_tree_find(f.tree, pids[N - 1])->fd[JM_FILE_STAT] >= 0);
	assert_true(f.tree->kept <= BUDGET);
	for (int i = 0; i < N; i++)
		let_end(pids[i], gate[i]);
	family_tick(&f, false, 1);
	family_tick(&f, false, 1);
	for (int i = 0; i < N; i++)
		assert_non_null(family_event(&f, JM_EVENT_END, pids[i]));
	assert_int_equal(f.tree->kept, 0);
	family_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_names_and_arguments_come_through_as_bytes),
		cmocka_unit_test(figures_are_those_of_the_files_in_ns_and_bytes),
		cmocka_unit_test(pages_and_ticks_are_those_of_the_machine),
		cmocka_unit_test(a_zombie_that_nobody_waits_for_has_ended),
		cmocka_unit_test(a_pid_that_was_reused_is_not_taken_for_the_old_process),
		cmocka_unit_test(what_cannot_be_read_is_absent_or_unreadable_never_zero),
		cmocka_unit_test(who_did_not_run_is_unchanged_and_who_ran_is_fresh),
		cmocka_unit_test(a_counter_that_stands_is_believed_until_a_clock_contradicts_it),
		cmocka_unit_test(statm_is_read_when_stat_says_that_something_happened),
		cmocka_unit_test(memory_of_a_sleeper_is_looked_at_now_and_then),
		cmocka_unit_test(dear_figures_of_a_sleeper_are_read_once),
		cmocka_unit_test(without_a_budget_nothing_dear_is_read),
		cmocka_unit_test(descriptors_stay_within_their_budget_and_go_to_who_runs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
