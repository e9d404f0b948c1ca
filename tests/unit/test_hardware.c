/* Hardware counters: kinds of cores, and what is read of the events, with pipes in the place of events. */
#include "collect/hardware.h"
#include "machine.h"
#include <errno.h>

#define SOURCES "sys/bus/event_source/devices/"

static void cores_of_one_kind_need_no_telling_apart(void **state)
{
	uint32_t kind[JM_HARDWARE_KINDS_MAX];
	struct machine m;
	machine_init(&m, NULL);
	assert_int_equal(jm_hardware_kinds(&m.root, kind), -ENOENT);
	machine_file(&m, SOURCES "cpu/type", "4\n");
	machine_file(&m, SOURCES "power/type", "20\n");
	machine_file(&m, SOURCES "power/cpumask", "0\n");
	assert_int_equal(jm_hardware_kinds(&m.root, kind), 0);
	machine_done(&m);
}

static void kinds_of_cores_are_those_with_a_list_of_them(void **state)
{
	uint32_t kind[JM_HARDWARE_KINDS_MAX];
	struct machine m;
	machine_init(&m, NULL);
	machine_file(&m, SOURCES "cpu_core/type", "4\n");
	machine_file(&m, SOURCES "cpu_core/cpus", "0-7\n");
	machine_file(&m, SOURCES "cpu_atom/type", "10\n");
	machine_file(&m, SOURCES "cpu_atom/cpus", "8-15\n");
	machine_file(&m, SOURCES "broken/type", "x\n");
	machine_file(&m, SOURCES "broken/cpus", "8-15\n");
	machine_file(&m, SOURCES "uncore_imc/type", "30\n");
	assert_int_equal(jm_hardware_kinds(&m.root, kind), 2);
	assert_int_equal(kind[0] + kind[1], 14);
	machine_done(&m);
}

/* The other ends of the pipes: what the kernel would say. */
static int says[JM_HARDWARE_KINDS_MAX][JM_HARDWARE_COUNT];

static void open_pipes(struct jm_hardware *h, size_t kinds)
{
	*h = (struct jm_hardware){ .kinds = kinds };
	for (size_t k = 0; k < kinds; k++)
		for (int i = 0; i < JM_HARDWARE_COUNT; i++) {
			int both[2];
			assert_int_equal(pipe2(both, O_CLOEXEC | O_NONBLOCK), 0);
			h->fd[k][i] = both[0];
			says[k][i] = both[1];
		}
}

static void close_pipes(struct jm_hardware *h)
{
	for (size_t k = 0; k < h->kinds; k++)
		for (int i = 0; i < JM_HARDWARE_COUNT; i++)
			(void)close(says[k][i]);
	jm_hardware_close(h);
	assert_int_equal(h->kinds, 0);
}

static void say(size_t kind, int event, uint64_t value, uint64_t enabled_ns, uint64_t running_ns)
{
	const uint64_t v[] = { value, enabled_ns, running_ns };
	assert_int_equal(write(says[kind][event], v, sizeof v), sizeof v);
}

static void a_group_is_read_as_one(void **state)
{
	struct jm_hardware h;
	struct jm_hardware_counts c;
	open_pipes(&h, 1);
	for (int i = 0; i < JM_HARDWARE_COUNT; i++)
		say(0, i, 1000 + (uint64_t)i, 500, 400);
	assert_int_equal(jm_hardware_read(&h, &c), 0);
	for (int i = 0; i < JM_HARDWARE_COUNT; i++) {
		assert_true(c.known[i]);
		assert_int_equal(c.value[i], 1000 + i);
	}
	assert_int_equal(c.enabled_ns, 500);
	assert_int_equal(c.running_ns, 400);
	close_pipes(&h);
}

static void what_the_cpu_cannot_count_is_not_known(void **state)
{
	struct jm_hardware h;
	struct jm_hardware_counts c;
	open_pipes(&h, 1);
	(void)close(h.fd[0][JM_HARDWARE_CACHE_MISSES]);
	h.fd[0][JM_HARDWARE_CACHE_MISSES] = -1;
	for (int i = 0; i < JM_HARDWARE_COUNT; i++)
		if (i != JM_HARDWARE_CACHE_MISSES)
			say(0, i, 7, 500, 500);
	assert_int_equal(jm_hardware_read(&h, &c), 0);
	assert_false(c.known[JM_HARDWARE_CACHE_MISSES]);
	assert_true(c.known[JM_HARDWARE_BRANCH_MISSES]);
	close_pipes(&h);
}

/* A task is there for both kinds of cores all the time and runs on one of them: together they have counted all of it. */
static void kinds_of_cores_add_up(void **state)
{
	struct jm_hardware h;
	struct jm_hardware_counts c;
	open_pipes(&h, 2);
	for (int i = 0; i < JM_HARDWARE_COUNT; i++) {
		say(0, i, 300, 1000, 600);
		say(1, i, 100, 1001, 400);
	}
	assert_int_equal(jm_hardware_read(&h, &c), 0);
	assert_int_equal(c.value[JM_HARDWARE_CYCLES], 400);
	assert_int_equal(c.enabled_ns, 1001);
	assert_int_equal(c.running_ns, 1000);
	close_pipes(&h);
}

static void an_event_that_cannot_be_read_is_an_error(void **state)
{
	struct jm_hardware h;
	struct jm_hardware_counts c;
	open_pipes(&h, 1);
	say(0, JM_HARDWARE_CYCLES, 1, 400, 500); /* it ran longer than it was there */
	assert_int_equal(jm_hardware_read(&h, &c), -EIO);
	assert_int_equal(jm_hardware_read(&h, &c), -EIO); /* it says nothing more */
	close_pipes(&h);
}

/* Where there are counters they open; where there are none the sentence says so and what would change it. */
static void the_running_machine_has_them_or_says_why_not(void **state)
{
	struct jm_hardware h = { .kinds = 0 };
	struct jm_err err = { 0 };
	struct machine m;
	machine_init(&m, "/");
	int r = jm_hardware_open(&h, &m.root, getpid(), &err);
	if (r < 0) {
		assert_true(strstr(err.text, "hardware counters") || strstr(err.text, "perf_event_open(2)"));
		assert_int_equal(h.kinds, 0);
	} else {
		struct jm_hardware_counts c;
		assert_int_equal(jm_hardware_read(&h, &c), 0);
		assert_true(c.known[JM_HARDWARE_CYCLES] && c.known[JM_HARDWARE_INSTRUCTIONS]);
		jm_hardware_close(&h);
	}
	machine_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cores_of_one_kind_need_no_telling_apart),
		cmocka_unit_test(kinds_of_cores_are_those_with_a_list_of_them),
		cmocka_unit_test(a_group_is_read_as_one),
		cmocka_unit_test(what_the_cpu_cannot_count_is_not_known),
		cmocka_unit_test(kinds_of_cores_add_up),
		cmocka_unit_test(an_event_that_cannot_be_read_is_an_error),
		cmocka_unit_test(the_running_machine_has_them_or_says_why_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
