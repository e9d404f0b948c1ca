/* Every collector of the machine on every fixture, at both moments, against figures that were reviewed:
 * tests/unit/golden/machine-*.txt. */
#include "collect/collectors.h"
#include "golden.h"
#include "machine.h"

static const struct jm_collector *const collectors[] = {
	&jm_collector_cgroup, &jm_collector_cpu, &jm_collector_memory,    &jm_collector_load,       &jm_collector_psi,
	&jm_collector_disk,   &jm_collector_nic, &jm_collector_processes, &jm_collector_filesystem,
};

static void say_events(const struct machine *m, struct jm_buf *out)
{
	for (size_t i = 0; i < m->sample.n_events; i++) {
		const struct jm_event *e = &m->sample.events[i];
		jm_buf_addf(out, "event %s %s %s %d\n", e->kind == JM_EVENT_START ? "START" : "other",
		            jm_subject_kind_name(e->subject->kind), e->subject->name, e->status);
	}
}

static void say_rows(const struct machine *m, struct jm_buf *out)
{
	for (size_t i = 0; i < m->sample.n_rows; i++) {
		const struct jm_row *row = &m->sample.rows[i];
		if (row->state == JM_ROW_UNREADABLE)
			jm_buf_addf(out, "%s: errno %d\n", row->subject->name, row->error);
		JM_SAMPLE_POINTS (&m->sample, row, p)
			jm_buf_addf(out, "%s: %s %lld (%s)\n", row->subject->name, jm_metrics[p->metric].name,
			            (long long)p->value, jm_origins[p->origin].name);
	}
}

static void check(const char *fixture, const char *moment, pid_t pid)
{
	char path[4096], golden[256];
	const char *fixtures = getenv("FIXTURES");
	struct machine m = { 0 };
	struct jm_buf out = { 0 };
	(void)snprintf(path, sizeof path, "%s/%s/%s", fixtures ? fixtures : "tests/fixtures", fixture, moment);
	machine_init(&m, path);
	m.run.root_pid = pid;
	for (size_t i = 0; i < sizeof collectors / sizeof *collectors; i++) {
		struct jm_err err;
		jm_buf_addf(&out, "# %s\n", collectors[i]->name);
		if (machine_open(&m, collectors[i], &err) < 0) {
			jm_buf_addf(&out, "not here: %s\n", err.text);
			continue;
		}
		assert_int_equal(machine_tick(&m, true), 0);
		say_events(&m, &out);
		say_rows(&m, &out);
		collectors[i]->close(m.state);
		m.state = NULL;
	}
	(void)snprintf(golden, sizeof golden, "machine-%s-%s.txt", fixture, moment);
	assert_golden(golden, &out);
	jm_buf_done(&out);
	machine_done(&m);
}

static void both(const char *fixture, pid_t pid)
{
	check(fixture, "t0", pid);
	check(fixture, "t1", pid);
}

static void a_hybrid_machine_with_a_group_for_the_job(void **state)
{
	both("6.18-x86_64-hybrid", 20748);
}

static void version_1_with_limits(void **state)
{
	both("6.18-x86_64-cgroup-v1", 21035);
}

static void version_2_alone(void **state)
{
	both("6.1-x86_64-cgroup-v2", 111);
}

static void pages_of_64_kib(void **state)
{
	both("6.8-aarch64-64k-pages", 0);
}

static void a_kernel_without_pressure_figures(void **state)
{
	both("4.12-x86_64-no-psi", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hybrid_machine_with_a_group_for_the_job),
		cmocka_unit_test(version_1_with_limits),
		cmocka_unit_test(version_2_alone),
		cmocka_unit_test(pages_of_64_kib),
		cmocka_unit_test(a_kernel_without_pressure_figures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
