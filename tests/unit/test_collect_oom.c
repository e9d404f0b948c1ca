#include "collect/collectors.h"
#include "collect/put.h"
#include "job_machine.h"
#include <errno.h>

static const char story[] =
	"4,1,100,-;x invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n"
	"6,2,101,-;memory: usage 65536kB, limit 65536kB, failcnt 9\n"
	"6,3,102,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/job,task_memcg=/job/a,task=x,pid=100,uid=0\n"
	"3,4,103,-;Memory cgroup out of memory: Killed process 100 (x) total-vm:75160kB, anon-rss:1024kB, file-rss:4kB, shmem-rss:0kB, UID:0\n"
	"3,5,104,-;Memory cgroup out of memory: Killed process 200 (other job) total-vm:1kB, anon-rss:1kB, file-rss:4kB, shmem-rss:0kB, UID:0\n";

/* What the memory collector puts, and then the collector itself. */
static int tick(struct machine *m, int64_t kills)
{
	jm_subjects_sweep(&m->subjects);
	jm_sample_clear(&m->sample, m->sample.at_ns + 1000000000, 1);
	if (kills >= 0)
		assert_int_equal(
			jm_put(&m->sample, m->env.host, JM_M_HOST_OOM_KILLS, JM_ORIGIN_HOST_FILES, (uint64_t)kills), 0);
	struct jm_tick t = { .out = &m->sample, .at_ns = m->sample.at_ns };
	return m->collector->collect(m->state, &t);
}

static void has_value(const struct machine *m, const struct jm_event *e, const char *text)
{
	const char *values = jm_event_values(&m->sample, e);
	for (size_t i = 0; i < e->values_len; i += strlen(values + i) + 1)
		if (strcmp(values + i, text) == 0)
			return;
	fail_msg("no value %s", text);
}

static void add_to_log(struct machine *m, const char *text)
{
	char path[128];
	(void)snprintf(path, sizeof path, "%s/dev/kmsg", m->folder);
	FILE *f = fopen(path, "ae");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void the_victim_is_an_event_with_its_size_and_the_limit(void **state)
{
	struct machine m;
	job_machine_init(&m);
	machine_file(&m, "dev/kmsg", story); /* that was before us */
	assert_int_equal(machine_open(&m, &jm_collector_oom, NULL), 0);
	assert_int_equal(tick(&m, 7), 0);
	add_to_log(&m, story);
	assert_int_equal(tick(&m, 7), 0); /* nobody was killed: it is not read */
	assert_int_equal(m.sample.n_events, 0);
	assert_int_equal(tick(&m, 9), 0);
	assert_int_equal(m.sample.n_events, 1); /* the other one is not of the job */
	const struct jm_event *e = &m.sample.events[0];
	assert_int_equal(e->kind, JM_EVENT_OOM);
	assert_int_equal(e->subject->pid, 100);
	assert_int_equal(e->text_len, 1);
	assert_memory_equal(jm_event_text(&m.sample, e), "x", 1);
	has_value(&m, e, "pid=100");
	has_value(&m, e, "rss_bytes=1052672");
	has_value(&m, e, "limit_bytes=67108864");
	has_value(&m, e, "cgroup=/job");
	assert_int_equal(tick(&m, 10), 0); /* of another job, whose story has not been written */
	assert_int_equal(m.sample.n_events, 0);
	job_machine_done(&m);
}

static void a_story_of_the_whole_machine_has_no_limit(void **state)
{
	struct machine m;
	job_machine_init(&m);
	machine_file(&m, "dev/kmsg", story);
	assert_int_equal(machine_open(&m, &jm_collector_oom, NULL), 0);
	assert_int_equal(tick(&m, 7), 0);
	add_to_log(
		&m,
		"6,2,101,-;memory: usage 65536kB, limit 65536kB, failcnt 9\n"
		"4,1,100,-;y invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n"
		"3,4,103,-;Out of memory: Killed process 100 (x) total-vm:75160kB, anon-rss:1024kB, file-rss:4kB, shmem-rss:0kB, UID:0\n");
	assert_int_equal(tick(&m, 8), 0);
	assert_int_equal(m.sample.n_events, 1);
	const char *values = jm_event_values(&m.sample, &m.sample.events[0]);
	assert_null(memmem(values, m.sample.events[0].values_len, "limit", 5));
	job_machine_done(&m);
}

static void a_log_that_cannot_be_read_says_what_is_done_instead(void **state)
{
	struct machine m;
	struct jm_err err;
	job_machine_init(&m);
	assert_int_equal(machine_open(&m, &jm_collector_oom, &err), -ENOENT);
	assert_non_null(strstr(err.text, "by its signal"));
	machine_file(&m, "dev/kmsg", "");
	assert_int_equal(machine_open(&m, &jm_collector_oom, &err), 0);
	assert_int_equal(tick(&m, -1), -ENODATA); /* a kernel that counts no kills */
	job_machine_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_victim_is_an_event_with_its_size_and_the_limit),
		cmocka_unit_test(a_story_of_the_whole_machine_has_no_limit),
		cmocka_unit_test(a_log_that_cannot_be_read_says_what_is_done_instead),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
