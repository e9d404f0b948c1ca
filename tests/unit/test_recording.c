#include "recording.h"

static const char path[] = "test_recording.jm";

static struct jm_sink *writer(struct scene *s, unsigned flags)
{
	struct jm_sink *sink = NULL;
	struct jm_err err = { 0 };
	struct jm_writer_opts opts = { path, &s->run, &s->subjects, flags };
	ASSERT_OK(jm_writer_new(&sink, &opts, &err), &err);
	return sink;
}

static void put(struct scene *s, struct jm_sink *sink, struct jm_buf *live)
{
	struct jm_err err = { 0 };
	dump_sample(live, &s->sample);
	ASSERT_OK(sink->put(sink, &s->sample, &err), &err);
	assert_null(jm_writer_trouble(sink));
}

static struct jm_reader_end replay(struct jm_buf *out)
{
	struct jm_source *source;
	struct jm_err err = { 0 };
	ASSERT_OK(jm_reader_new(&source, path, &err), &err);
	return dump_source(out, source);
}

static void same(struct jm_buf *live, struct jm_buf *replayed)
{
	assert_false(live->failed);
	assert_false(replayed->failed);
	size_t i = 0; /* only the first line that differs is worth reading */
	while (i < live->len && live->data[i] == replayed->data[i])
		i++;
	if (live->len != replayed->len || i < live->len) {
		while (i > 0 && live->data[i - 1] != '\n')
			i--;
		fail_msg("expected '%.300s'\nfound '%.300s'", live->data + i, replayed->data + i);
	}
	jm_buf_done(live);
	jm_buf_done(replayed);
}

static void every_state_and_event_comes_back(void **state)
{
	(void)state;
	struct scene s;
	struct jm_buf live = { 0 }, replayed = { 0 };
	(void)unlink(path);
	scene_begin(&s);
	struct jm_sink *sink = writer(&s, 0);
	struct jm_subject *host = scene_subject(&s, JM_SUBJECT_HOST, "", 0, 0);
	struct jm_subject *job = scene_subject(&s, JM_SUBJECT_JOB, "job", 0, 0);
	struct jm_subject *a = scene_start(&s, "a\xff", 1234, job->id);
	struct jm_subject *b = scene_start(&s, "b", 1235, a->id);
	jm_sample_put(&s.sample, a, JM_M_PROCESS_CPU, JM_ORIGIN_PID_CLOCK, 123456789);
	jm_sample_put(&s.sample, a, JM_M_PROCESS_RSS, JM_ORIGIN_PID_FILES, 4096 * 7);
	jm_sample_unreadable(&s.sample, b, 13);
	jm_sample_put(&s.sample, host, JM_M_HOST_LOAD1, JM_ORIGIN_HOST_FILES, 1250);
	put(&s, sink, &live);

	scene_next(&s, 1000000000);
	jm_sample_row(&s.sample, a);
	jm_sample_put(&s.sample, b, JM_M_PROCESS_RSS, JM_ORIGIN_PID_FILES, INT64_MAX);
	jm_sample_put(&s.sample, b, JM_M_PROCESS_MINOR_FAULTS, JM_ORIGIN_PID_FILES, INT64_MIN);
	jm_sample_row(&s.sample, host);
	jm_sample_row(&s.sample, job);
	struct jm_event *e = jm_sample_event(&s.sample, JM_EVENT_MARK, s.at_ns + 1500, NULL);
	jm_event_set_text(&s.sample, e, "half\nway", 8);
	jm_event_set_values(&s.sample, e, "rows=10\0t=1.5", 14);
	e = jm_sample_event(&s.sample, JM_EVENT_PHASE_BEGIN, s.at_ns - 1000, a);
	jm_event_set_text(&s.sample, e, "p", 1);
	e = jm_sample_event(&s.sample, JM_EVENT_PHASE_END, s.at_ns, NULL);
	jm_event_set_text(&s.sample, e, "p", 1);
	e = jm_sample_event(&s.sample, JM_EVENT_OOM, s.at_ns, job);
	e = jm_sample_event(&s.sample, JM_EVENT_SIGNAL, s.at_ns, NULL);
	e->status = 15;
	e = jm_sample_event(&s.sample, JM_EVENT_GAP, s.at_ns, NULL);
	jm_event_set_text(&s.sample, e, "slept", 5);
	e = jm_sample_event(&s.sample, JM_EVENT_LOST, s.at_ns, NULL);
	e->status = 3;
	e = jm_sample_event(&s.sample, JM_EVENT_NOTE, s.at_ns, NULL);
	jm_event_set_text(&s.sample, e, "a sentence", 10);
	e = jm_sample_event(&s.sample, 200, s.at_ns, NULL); /* a kind from the future */
	put(&s, sink, &live);

	/* the clock steps, a process changes its program, a name becomes known late, columns come late */
	scene_next(&s, 999000);
	s.wall_ns -= 3600000000000;
	jm_sample_clear(&s.sample, s.at_ns, s.at_ns + (uint64_t)s.wall_ns);
	e = jm_sample_event(&s.sample, JM_EVENT_CLOCK_STEP, s.at_ns, NULL);
	jm_event_set_text(&s.sample, e, "1 2", 3);
	assert_int_equal(jm_subject_rename(a, "new", "x\0y", 4, "g"), 0);
	jm_sample_event(&s.sample, JM_EVENT_EXEC, s.at_ns, a);
	assert_int_equal(jm_subject_rename(b, "late", NULL, 0, NULL), 0);
	jm_sample_put(&s.sample, a, JM_M_PROCESS_CPU, JM_ORIGIN_PID_CLOCK, 123457789);
	jm_sample_put(&s.sample, a, JM_M_PROCESS_PSS, JM_ORIGIN_PID_FILES, 1 << 20);
	jm_sample_put(&s.sample, b, JM_M_PROCESS_MINOR_FAULTS, JM_ORIGIN_PID_FILES, INT64_MAX);
	put(&s, sink, &live);

	/* an end with exact figures; it had a row in the same sample */
	scene_next(&s, 1000000000);
	jm_sample_put(&s.sample, b, JM_M_PROCESS_RSS, JM_ORIGIN_PID_FILES, 0);
	jm_sample_row(&s.sample, a);
	e = scene_end(&s, b, 9);
	jm_event_put(&s.sample, e, JM_M_PROCESS_CPU, JM_ORIGIN_WAIT4, 987654321);
	jm_event_put(&s.sample, e, JM_M_PROCESS_RSS, JM_ORIGIN_PID_EXIT, 4097);
	uint32_t gone = b->id;
	put(&s, sink, &live);

	/* the pid comes back, the subject does not; a correction of the dead */
	scene_next(&s, 1000000000);
	struct jm_subject *c = scene_start(&s, "b", 1235, a->id);
	assert_int_not_equal(c->id, gone);
	s.sample.events[0].status = 1;
	jm_sample_put(&s.sample, c, JM_M_PROCESS_CPU, JM_ORIGIN_PID_CLOCK, 5);
	e = jm_sample_event(&s.sample, JM_EVENT_CORRECTION, s.at_ns, NULL);
	e->subject_id = gone;
	jm_event_put(&s.sample, e, JM_M_PROCESS_CPU, JM_ORIGIN_PERF_READ, 987654322);
	jm_sample_row(&s.sample, a);
	s.sample.final = true;
	put(&s, sink, &live);

	struct jm_err err = { 0 };
	ASSERT_OK(sink->end(sink, "{\"schema\":\"jobmeter.summary/1\"}", &err), &err);
	uint64_t bytes = jm_writer_bytes(sink);
	sink->free(sink);
	struct jm_reader_end end = replay(&replayed);
	assert_true(end.complete);
	assert_null(end.reason);
	assert_int_equal(end.lost_bytes, 0);
	assert_true(bytes > 0);
	same(&live, &replayed);
	scene_done(&s);
}

static uint32_t random_state = 1;
static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % n;
}

/* Processes come and go, change or do not, through several key frames. */
static void a_long_run_is_replayed_as_it_was(void **state)
{
	(void)state;
	struct scene s;
	struct jm_buf live = { 0 }, replayed = { 0 };
	(void)unlink(path);
	scene_begin(&s);
	struct jm_sink *sink = writer(&s, 0);
	struct jm_subject *alive[40] = { 0 };
	pid_t pid = 100;
	for (int tick = 0; tick < 800; tick++) {
		for (int i = 0; i < 40; i++) {
			if (!alive[i] && random_below(20) == 0) {
				alive[i] = random_below(2) ? scene_start(&s, "p", pid, 0)
				                           : scene_subject(&s, JM_SUBJECT_PROCESS, "q", pid, 0);
				pid++;
			}
		}
		for (int k = 0; k < 40; k++) {
			struct jm_subject *p = alive[tick % 3 ? k : 39 - k];
			if (!p || random_below(50) == 0)
				continue; /* alive, and nobody looked */
			uint32_t what = random_below(10);
			if (what < 5)
				jm_sample_row(&s.sample, p);
			else if (what == 5)
				jm_sample_unreadable(&s.sample, p, 13);
			else
				for (unsigned m = 0; m < JM_M_PROCESS_DETAIL_AGE; m++)
					if (random_below(3))
						jm_sample_put(&s.sample, p, m,
						              random_below(40) ? JM_ORIGIN_PID_FILES
						                               : JM_ORIGIN_PID_EXIT,
						              (int64_t)random_below(1 << 24) * random_below(1 << 24));
		}
		put(&s, sink, &live);
		scene_next(&s, 1000000000 + random_below(1000000));
		for (int i = 0; i < 40; i++)
			if (alive[i] && random_below(60) == 0) {
				scene_end(&s, alive[i], 0);
				alive[i] = NULL;
			}
	}
	sink->free(sink);
	struct jm_reader_end end = replay(&replayed);
	assert_false(end.complete);
	assert_null(end.reason);
	same(&live, &replayed);
	scene_done(&s);
	assert_int_equal(unlink(path), 0);
}

static void the_facts_of_the_run_come_back(void **state)
{
	(void)state;
	struct scene s;
	struct jm_buf first = { 0 }, second = { 0 };
	struct jm_run run;
	struct jm_err err = { 0 };
	scene_begin(&s);
	jm_run_write_json(&s.run, &first);
	ASSERT_OK(jm_run_read_json(&run, first.data, first.len, &err), &err);
	jm_run_write_json(&run, &second);
	assert_string_equal(first.data, second.data);
	assert_int_equal(run.n_command, 3);
	assert_string_equal(run.command[2], s.run.command[2]);
	assert_int_equal(run.n_tags, 2);
	assert_int_equal(run.allowed_cpus, -1);
	assert_int_equal(run.cpus, 8);
	jm_run_done(&run);
	assert_int_equal(jm_run_read_json(&run, "{\"cpus\":-1}", 11, &err), -74);
	assert_int_equal(jm_run_read_json(&run, "{\"cpus\":2147483648}", 19, &err), -74);
	assert_string_equal(err.text, "run frame: key 'cpus': expected a whole number that is not negative");
	jm_buf_done(&first);
	jm_buf_done(&second);
	scene_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_state_and_event_comes_back),
		cmocka_unit_test(a_long_run_is_replayed_as_it_was),
		cmocka_unit_test(the_facts_of_the_run_come_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
