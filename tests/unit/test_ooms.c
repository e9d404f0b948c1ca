/* Who was killed for lack of memory. */
#include "story.h"
#include <signal.h>

static void kills_counted(struct story *s, int64_t ms, int32_t n)
{
	struct jm_event *e =
		jm_sample_event(&s->sample, JM_EVENT_OOM, (uint64_t)((STORY_BOOT_MS + ms) * MS), s->cgroup);
	assert_non_null(e);
	e->status = n;
}

static void kill_named(struct story *s, int64_t ms, struct jm_subject *p, const char *values, size_t len)
{
	struct jm_event *e = jm_sample_event(&s->sample, JM_EVENT_OOM, (uint64_t)((STORY_BOOT_MS + ms) * MS), p);
	assert_non_null(e);
	e->status = 1;
	assert_int_equal(jm_event_set_text(&s->sample, e, p->name, strlen(p->name)), 0);
	assert_int_equal(jm_event_set_values(&s->sample, e, values, len), 0);
}

static void begin(struct story *s)
{
	story_begin(s);
	s->run.own_cgroup = true;
	s->cgroup = story_subject(s, JM_SUBJECT_CGROUP, "/job");
	story_at(s, 0);
	story_put_from(s, s->cgroup, JM_M_CGROUP_MEMORY_LIMIT, JM_ORIGIN_CGROUP_V2, 100 * MIB);
	story_put_from(s, s->cgroup, JM_M_CGROUP_OOM_KILLS, JM_ORIGIN_CGROUP_V2, 0);
}

static const struct jm_report_finding *finding(const struct jm_report *r)
{
	for (size_t i = 0; i < r->n_findings; i++)
		if (strcmp(r->findings[i].id, "memory.oom_kills") == 0)
			return &r->findings[i];
	return NULL;
}

static void the_kernel_names_the_victim(void **state)
{
	static const char values[] = "pid=102\0rss_bytes=94371840\0limit_bytes=104857600\0cgroup=/job";
	struct story s = { 0 };
	begin(&s);
	struct jm_subject *root = story_start(&s, 0, "root", NULL), *big = story_start(&s, 0, "big", root);
	story_at(&s, 1000);
	story_put(&s, root, JM_M_PROCESS_RSS, MIB);
	story_put(&s, big, JM_M_PROCESS_RSS, 50 * MIB);
	story_at(&s, 2000);
	kill_named(&s, 1500, big, values, sizeof values);
	kills_counted(&s, 2000, 1);
	story_put_from(&s, s.cgroup, JM_M_CGROUP_OOM_KILLS, JM_ORIGIN_CGROUP_V2, 1);
	story_finish(&s, 1600, big, SIGKILL);
	story_finish(&s, 1700, root, 137 << 8);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.oom_kills.value, 1);
	assert_int_equal(r->memory.n_victims, 1);
	const struct jm_report_victim *v = &r->memory.victims[0];
	assert_string_equal(v->name, "big");
	assert_int_equal(v->pid, 102);
	assert_int_equal(v->at_ns, 1500 * MS);
	assert_int_equal(v->rss_bytes.value, 90 * MIB);
	assert_int_equal(v->rss_bytes.exactness, JM_EXACT);
	assert_int_equal(v->limit_bytes.value, 100 * MIB);
	assert_string_equal(v->cgroup, "/job");
	assert_true(v->sure);
	assert_string_equal(finding(r)->text,
	                    "The kernel killed big (90 MiB) for lack of memory: the limit is 100 MiB.");
	story_done(&s);
}

/* Nobody may read the log: who ended by that signal at that moment was it. Another one was killed long before. */
static void without_the_log_the_signal_tells(void **state)
{
	struct story s = { 0 };
	begin(&s);
	struct jm_subject *root = story_start(&s, 0, "root", NULL), *big = story_start(&s, 0, "big", root),
			  *other = story_start(&s, 0, "other", root);
	story_at(&s, 1000);
	story_put(&s, root, JM_M_PROCESS_RSS, MIB);
	story_put(&s, big, JM_M_PROCESS_RSS, 50 * MIB);
	story_finish(&s, 500, other, SIGKILL);
	story_at(&s, 2000);
	story_still(&s, root);
	story_still(&s, big);
	story_at(&s, 3000);
	story_still(&s, root);
	kills_counted(&s, 3000, 1);
	story_finish(&s, 2600, big, SIGKILL);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.n_victims, 1);
	const struct jm_report_victim *v = &r->memory.victims[0];
	assert_string_equal(v->name, "big");
	assert_true(v->sure);
	assert_int_equal(v->rss_bytes.value, 50 * MIB);
	assert_int_equal(v->rss_bytes.exactness, JM_BOUNDED);
	assert_int_equal(v->limit_bytes.value, 100 * MIB);
	assert_null(v->cgroup);
	story_done(&s);
}

static void of_several_it_was_probably_the_largest(void **state)
{
	struct story s = { 0 };
	begin(&s);
	struct jm_subject *a = story_start(&s, 0, "small", NULL), *b = story_start(&s, 0, "large", a);
	story_at(&s, 1000);
	story_put(&s, a, JM_M_PROCESS_RSS, MIB);
	story_put(&s, b, JM_M_PROCESS_RSS, 50 * MIB);
	story_at(&s, 2000);
	kills_counted(&s, 2000, 1);
	story_finish(&s, 1600, a, SIGKILL);
	story_finish(&s, 1600, b, SIGKILL);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.oom_kills.value, 1);
	assert_int_equal(r->memory.n_victims, 1);
	assert_string_equal(r->memory.victims[0].name, "large");
	assert_false(r->memory.victims[0].sure);
	assert_non_null(strstr(finding(r)->text, "probably"));
	story_done(&s);
}

/* Its parent has waited for it and tells nobody how it ended; that one was large is known from wait4(2). */
static void who_ended_at_that_moment_was_it_probably(void **state)
{
	struct story s = { 0 };
	begin(&s);
	struct jm_subject *sh = story_start(&s, 0, "sh", NULL), *big = story_start(&s, 100, "big", sh);
	story_at(&s, 1000);
	story_put(&s, sh, JM_M_PROCESS_RSS, MIB);
	story_put(&s, big, JM_M_PROCESS_RSS, 2 * MIB);
	story_at(&s, 2000);
	kills_counted(&s, 2000, 1);
	story_finish(&s, 1600, big, JM_STATUS_UNKNOWN);
	story_finish(&s, 1700, sh, 0);
	story_put_from(&s, s.job, JM_M_JOB_REAPED_MAX_RSS, JM_ORIGIN_WAIT4, 90 * MIB);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.n_victims, 1);
	assert_string_equal(r->memory.victims[0].name, "big");
	assert_false(r->memory.victims[0].sure);
	assert_int_equal(r->memory.victims[0].rss_bytes.value, 90 * MIB);
	story_done(&s);
}

static void a_kill_in_a_shared_group_may_be_of_others(void **state)
{
	struct story s = { 0 };
	begin(&s);
	s.run.own_cgroup = false;
	struct jm_subject *a = story_start(&s, 0, "a", NULL);
	story_at(&s, 1000);
	story_put(&s, a, JM_M_PROCESS_RSS, MIB);
	kills_counted(&s, 1000, 1);
	story_put_from(&s, s.cgroup, JM_M_CGROUP_OOM_KILLS, JM_ORIGIN_CGROUP_V2, 1);
	story_at(&s, 2000);
	story_finish(&s, 1600, a, 0);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.oom_kills.value, 1);
	assert_int_equal(r->memory.n_victims, 0);
	assert_non_null(strstr(finding(r)->text, "none that was seen of the job"));
	story_done(&s);
}

/* A recording may say anything. */
static void values_that_are_none_are_not_known(void **state)
{
	static const char values[] = "pid=\0rss_bytes=-5\0limit_bytes=99999999999999999999\0cgroup";
	struct story s = { 0 };
	begin(&s);
	struct jm_subject *a = story_start(&s, 0, "a", NULL);
	story_at(&s, 1000);
	for (int i = 0; i < 100; i++)
		kill_named(&s, 900, a, values, sizeof values - 1);
	story_finish(&s, 950, a, SIGKILL);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->memory.oom_kills.value, 100);
	assert_int_equal(r->memory.n_victims, 32);
	assert_false(r->memory.victims[0].rss_bytes.known);
	assert_false(r->memory.victims[0].limit_bytes.known);
	assert_null(r->memory.victims[0].cgroup);
	story_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_names_the_victim),
		cmocka_unit_test(without_the_log_the_signal_tells),
		cmocka_unit_test(of_several_it_was_probably_the_largest),
		cmocka_unit_test(who_ended_at_that_moment_was_it_probably),
		cmocka_unit_test(a_kill_in_a_shared_group_may_be_of_others),
		cmocka_unit_test(values_that_are_none_are_not_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
