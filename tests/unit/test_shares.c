/* The sum of PSS over processes that share pages: when it is true, and who has to be read again for that. */
#include "collect/detail.h"
#include "family.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { MIB = 1 << 20, KIB = 1 << 10 };

/* ---- a machine of files: pages are those of the running machine ---- */

struct pages {
	unsigned rss, file, pss, uss; /* MiB */
	unsigned faults;
};

static void put_process(struct family *f, pid_t pid, struct pages p)
{
	char path[64], text[512];
	unsigned long long page = f->m.root.page_bytes;
	(void)snprintf(path, sizeof path, "proc/%d/stat", (int)pid);
	(void)snprintf(text, sizeof text, "%d (x) S 1 7 7 0 -1 0 %u 0 0 0 1 0 0 0 20 0 1 0 100 1000000000 %llu 0 0\n",
	               (int)pid, p.faults, (unsigned long long)p.rss * MIB / page);
	machine_file(&f->m, path, text);
	(void)snprintf(path, sizeof path, "proc/%d/statm", (int)pid);
	(void)snprintf(text, sizeof text, "250000 %llu %llu 0 0 0 0\n", (unsigned long long)p.rss * MIB / page,
	               (unsigned long long)p.file * MIB / page);
	machine_file(&f->m, path, text);
	(void)snprintf(path, sizeof path, "proc/%d/smaps_rollup", (int)pid);
	(void)snprintf(
		text, sizeof text,
		"0-1 ---p 00000000 00:00 0 [rollup]\nRss: %u kB\nPss: %u kB\nPrivate_Clean: 0 kB\nPrivate_Dirty: %u "
		"kB\n",
		p.rss * KIB, p.pss * KIB, p.uss * KIB);
	machine_file(&f->m, path, text);
}

/* The row of the job; NO_VALUE: it claims nothing. */
static int64_t error_of(const struct family *f)
{
	const struct jm_sample *s = &f->m.sample;
	for (size_t i = 0; i < s->n_rows; i++) {
		const struct jm_point *p = s->rows[i].subject->kind == JM_SUBJECT_JOB
		                                   ? jm_sample_point(s, s->rows[i].first, JM_M_JOB_SHARES_ERROR)
		                                   : NULL;
		if (p)
			return p->value;
	}
	return NO_VALUE;
}

static void begin_alone(struct family *f)
{
	family_init(f, NULL, 0);
	put_process(f, 7, (struct pages){ 60, 59, 60, 60, 10 });
	family_add(f, 7);
	family_tick(f, true, 1);
	family_tick(f, true, 1);
	assert_int_equal(family_value(f, 7, JM_M_PROCESS_PSS), 60 * MIB);
	assert_int_equal(error_of(f), 0);
}

static void add_child(struct family *f, pid_t pid, struct pages p)
{
	put_process(f, pid, p);
	assert_int_equal(jm_tree_fork(f->tree, &f->m.sample, pid, 7, jm_root_boot_ns(&f->m.root)), 0);
}

static void who_rests_is_read_again_when_another_maps_its_pages(void **state)
{
	struct family f;
	begin_alone(&f);
	family_tick(&f, true, 1);
	assert_int_equal(family_value(&f, 7, JM_M_PROCESS_PSS), NO_VALUE); /* nothing has happened */
	assert_int_equal(error_of(&f), 0);
	put_process(&f, 7, (struct pages){ 60, 59, 31, 1, 10 });
	add_child(&f, 8, (struct pages){ 60, 59, 31, 1, 10 });
	family_tick(&f, true, 1);
	assert_int_equal(family_value(&f, 7, JM_M_PROCESS_PSS), 31 * MIB);
	assert_int_equal(family_value(&f, 8, JM_M_PROCESS_PSS), 31 * MIB);
	assert_int_equal(error_of(&f), 0);
	family_done(&f);
}

static void who_rests_is_read_again_when_a_sharer_has_ended(void **state)
{
	struct family f;
	begin_alone(&f);
	put_process(&f, 7, (struct pages){ 60, 59, 31, 1, 10 });
	add_child(&f, 8, (struct pages){ 60, 59, 31, 1, 10 });
	family_tick(&f, true, 1);
	put_process(&f, 7, (struct pages){ 60, 59, 60, 60, 10 });
	assert_int_equal(jm_tree_exit(f.tree, &f.m.sample, 8, jm_root_boot_ns(&f.m.root)), 0);
	family_tick(&f, false, 1);
	assert_true(error_of(&f) >= 29 * MIB || error_of(&f) == NO_VALUE); /* not yet, but it is known */
	family_tick(&f, true, 1);
	assert_int_equal(family_value(&f, 7, JM_M_PROCESS_PSS), 60 * MIB);
	assert_int_equal(error_of(&f), 0);
	family_done(&f);
}

static void private_memory_of_one_leaves_the_others_alone(void **state)
{
	struct family f;
	family_init(&f, NULL, 0);
	put_process(&f, 7, (struct pages){ 60, 1, 59, 58, 10 });
	family_add(&f, 7);
	add_child(&f, 8, (struct pages){ 2, 1, 1, 0, 10 });
	family_tick(&f, true, 1);
	family_tick(&f, true, 1);
	assert_int_equal(error_of(&f), 0);
	put_process(&f, 8, (struct pages){ 50, 1, 49, 48, 12000 });
	family_tick(&f, true, 1);
	assert_int_equal(family_value(&f, 8, JM_M_PROCESS_PSS), 49 * MIB);
	assert_int_equal(family_value(&f, 7, JM_M_PROCESS_PSS), NO_VALUE);
	assert_in_range(error_of(&f), 0, 2 * MIB);
	family_done(&f);
}

/* A child is there from the begin, but can be read later only: it has not come since the others were read. */
static void a_first_reading_does_not_shake_who_was_read_when_it_was_there(void **state)
{
	struct family f;
	char path[128];
	family_init(&f, NULL, 0);
	put_process(&f, 7, (struct pages){ 10, 9, 6, 1, 10 });
	family_add(&f, 7);
	add_child(&f, 8, (struct pages){ 40, 39, 36, 31, 10 });
	(void)snprintf(path, sizeof path, "%s/proc/8/smaps_rollup", f.m.folder);
	assert_int_equal(unlink(path), 0);
	family_tick(&f, true, 1);
	family_tick(&f, true, 1);
	assert_int_equal(family_value(&f, 7, JM_M_PROCESS_PSS), 6 * MIB);
	assert_int_equal(family_value(&f, 8, JM_M_PROCESS_PSS), NO_VALUE);
	assert_int_equal(error_of(&f), NO_VALUE);
	put_process(&f, 8, (struct pages){ 40, 39, 36, 31, 10 });
	family_tick(&f, true, 1);
	assert_int_equal(family_value(&f, 7, JM_M_PROCESS_PSS), NO_VALUE);
	assert_int_equal(family_value(&f, 8, JM_M_PROCESS_PSS), 36 * MIB);
	assert_int_equal(error_of(&f), 0);
	family_done(&f);
}

/* The same size, but other pages: its faults tell. */
static void pages_that_were_replaced_are_read_again(void **state)
{
	struct family f;
	begin_alone(&f);
	put_process(&f, 7, (struct pages){ 60, 59, 20, 5, 10 + 55 * 256 });
	family_tick(&f, false, 1);
	assert_true(error_of(&f) >= 55 * MIB || error_of(&f) == NO_VALUE);
	family_tick(&f, true, 1);
	assert_int_equal(family_value(&f, 7, JM_M_PROCESS_PSS), 20 * MIB);
	assert_int_equal(error_of(&f), 0);
	family_done(&f);
}

static void where_all_together_are_too_dear_nothing_is_claimed(void **state)
{
	struct family f;
	family_init(&f, NULL, 0);
	((struct jm_collect_env *)f.m.state)->overhead_ppm = 100; /* saves up 1 ms at most */
	put_process(&f, 7, (struct pages){ 60, 59, 30, 0, 10 });  /* about 0.7 ms, so it is thought */
	family_add(&f, 7);
	add_child(&f, 8, (struct pages){ 60, 59, 30, 0, 10 });
	for (int i = 0; i < 4; i++) {
		family_tick(&f, true, 1);
		assert_true(error_of(&f) == NO_VALUE || error_of(&f) > 30 * MIB);
	}
	assert_true(f.m.run.n_missing >= 1);
	assert_non_null(strstr(f.m.run.missing[0].reason, "--overhead"));
	family_done(&f);
}

/* ---- the running machine ---- */

enum { SHARED = 32 * MIB, SHARERS = 3 };

struct sharer {
	pid_t pid;
	int order[2], done[2];
};

/* Maps no page of the memory until it is told to, and says when it has. */
static void raise_sharer(struct sharer *s, const volatile char *memory)
{
	assert_int_equal(pipe(s->order), 0);
	assert_int_equal(pipe(s->done), 0);
	s->pid = fork();
	if (s->pid > 0)
		return;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)close(s->order[1]); /* and where the test was gone before: its end is the end of the orders */
	for (char c; read(s->order[0], &c, 1) == 1;) {
		for (size_t i = 0; i < SHARED; i += 4096)
			c = memory[i];
		if (write(s->done[1], "", 1) != 1)
			break;
	}
	_exit(0);
}

static void let_map(const struct sharer *s)
{
	char c;
	assert_int_equal(write(s->order[1], "", 1), 1);
	assert_int_equal(read(s->done[0], &c, 1), 1);
}

static void let_go(struct sharer *s)
{
	(void)kill(s->pid, SIGKILL);
	(void)waitpid(s->pid, NULL, 0);
	for (int i = 0; i < 2; i++) {
		(void)close(s->order[i]);
		(void)close(s->done[i]);
	}
}

struct newest {
	int64_t pss[SHARERS];
};

/* Samples until the sum is true: a busy machine makes passes dear, and they wait for their money. */
static int64_t true_sum(struct family *f, const struct sharer s[SHARERS], struct newest *n, int first)
{
	int64_t error, sum;
	for (int tries = 0; tries < 30; tries++) {
		family_tick(f, true, 1);
		sum = 0;
		for (int i = first; i < SHARERS; i++) {
			int64_t now = family_value(f, s[i].pid, JM_M_PROCESS_PSS);
			n->pss[i] = now == NO_VALUE ? n->pss[i] : now;
			sum += n->pss[i];
		}
		error = error_of(f);
		if (error != NO_VALUE && error <= sum / 64 + MIB)
			return sum;
	}
	fail_msg("no true sum in 30 samples; newest %lld", (long long)sum);
	return -1;
}

/* One after the other comes to map the same pages, and one after the other ends. At each moment their sum is what is
 * there; summed as they were read first it would have been 1 + 1/2 + 1/3 of it. */
static void sharers_that_come_and_go_sum_to_what_is_there(void **state)
{
	/* 1/64 + 1 MiB is the tolerance; each has up to 1.5 MiB of its own and of what it shares with this test */
	enum { OFF = SHARED / 64 + MIB + SHARERS * 3 * MIB / 2 };
	struct family f;
	struct sharer s[SHARERS];
	struct newest n = { { 0 } };
	char *memory = mmap(NULL, SHARED, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	for (int i = 0; i < SHARERS; i++)
		raise_sharer(&s[i], memory);
	family_init(&f, "/", 10);
	((struct jm_collect_env *)f.m.state)->overhead_ppm = 500000;
	for (int i = 0; i < SHARERS; i++)
		family_add(&f, s[i].pid);
	int64_t before = true_sum(&f, s, &n, 0);
	assert_in_range(before, 1, OFF);
	for (int i = 0; i < SHARERS; i++) {
		let_map(&s[i]);
		int64_t sum = true_sum(&f, s, &n, 0);
		assert_in_range(sum, SHARED, SHARED + OFF);
		for (int k = 0; k <= i; k++)
			assert_in_range(n.pss[k], SHARED / (i + 1), SHARED / (i + 1) + OFF);
	}
	for (int i = 0; i < SHARERS; i++) {
		let_go(&s[i]);
		if (i + 1 < SHARERS)
			assert_in_range(true_sum(&f, s, &n, i + 1), SHARED, SHARED + OFF);
	}
	family_done(&f);
	(void)munmap(memory, SHARED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_rests_is_read_again_when_another_maps_its_pages),
		cmocka_unit_test(who_rests_is_read_again_when_a_sharer_has_ended),
		cmocka_unit_test(private_memory_of_one_leaves_the_others_alone),
		cmocka_unit_test(a_first_reading_does_not_shake_who_was_read_when_it_was_there),
		cmocka_unit_test(pages_that_were_replaced_are_read_again),
		cmocka_unit_test(where_all_together_are_too_dear_nothing_is_claimed),
		cmocka_unit_test(sharers_that_come_and_go_sum_to_what_is_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
