#include "recording.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

static char *file_text(const char *path, size_t *ret_len)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	char *text = calloc(1, (size_t)st.st_size + 1);
	assert_non_null(text);
	assert_int_equal(read(fd, text, (size_t)st.st_size), st.st_size);
	(void)close(fd);
	*ret_len = (size_t)st.st_size;
	return text;
}

/* Three samples: a fresh and an unreadable process, then an unchanged one, then their ends. */
static void play(struct scene *s, struct jm_sink *const sinks[])
{
	struct jm_err err = { 0 };
	struct jm_subject *a = scene_start(s, "a,\"b\"\n\xff", 1234, 0);
	struct jm_subject *b = scene_start(s, "b", 1235, a->id);
	for (int tick = 0; tick < 3; tick++) {
		if (tick == 0) {
			jm_sample_put(&s->sample, a, JM_M_PROCESS_CPU, JM_ORIGIN_PID_CLOCK, 5000);
			jm_sample_put(&s->sample, a, JM_M_PROCESS_RSS, JM_ORIGIN_PID_FILES, 4096);
			jm_sample_unreadable(&s->sample, b, 13);
		} else if (tick == 1) {
			jm_sample_row(&s->sample, a);
			jm_sample_put(&s->sample, b, JM_M_PROCESS_CPU, JM_ORIGIN_PID_CLOCK, 7000);
			struct jm_event *e = jm_sample_event(&s->sample, JM_EVENT_MARK, s->at_ns, NULL);
			jm_event_set_text(&s->sample, e, "half <way>", 10);
			jm_event_set_values(&s->sample, e, "rows=1000000\0who=me\0odd", 24);
		} else {
			struct jm_event *e = scene_end(s, a, 9);
			jm_event_put(&s->sample, e, JM_M_PROCESS_CPU, JM_ORIGIN_WAIT4, 5001);
			scene_end(s, b, 3 << 8);
			s->sample.final = true;
		}
		for (size_t i = 0; sinks[i]; i++)
			ASSERT_OK(sinks[i]->put(sinks[i], &s->sample, &err), &err);
		scene_next(s, 1000000000);
	}
	for (size_t i = 0; sinks[i]; i++)
		ASSERT_OK(sinks[i]->end(sinks[i], "{\n\"x\":1}", &err), &err);
}

static void expect_begins(const char *text, const char *line)
{
	assert_non_null(text);
	if (!strstr(text, line))
		fail_msg("expected the line '%s' in '%.3000s'", line, text);
}

/* What was written while the run went on is byte for byte what the recording of the run is exported to. */
static void live_and_later_exports_are_the_same(void **state)
{
	(void)state;
	struct scene s;
	struct jm_err err = { 0 };
	struct jm_sink *sinks[4] = { 0 };
	(void)unlink("test_export.jm");
	scene_begin(&s);
	struct jm_writer_opts opts = { "test_export.jm", &s.run, &s.subjects, 0 };
	ASSERT_OK(jm_writer_new(&sinks[0], &opts, &err), &err);
	for (size_t i = 0; jm_exporters[i]; i++) {
		char live[64];
		(void)snprintf(live, sizeof live, "test_export_live%s", jm_exporters[i]->suffix);
		(void)unlink(live);
		ASSERT_OK(jm_export_sink_new(&sinks[1 + i], jm_exporter_find(live), live, &s.run, 0, &err), &err);
	}
	play(&s, sinks);
	for (size_t i = 0; sinks[i]; i++)
		sinks[i]->free(sinks[i]);
	for (size_t i = 0; jm_exporters[i]; i++) {
		char live[64], later[64];
		struct jm_source *reader;
		size_t a_len, b_len;
		(void)snprintf(live, sizeof live, "test_export_live%s", jm_exporters[i]->suffix);
		(void)snprintf(later, sizeof later, "test_export_later%s", jm_exporters[i]->suffix);
		ASSERT_OK(jm_reader_new(&reader, "test_export.jm", &err), &err);
		ASSERT_OK(jm_export_recording(reader, jm_exporters[i], later, &err), &err);
		reader->free(reader);
		char *a = file_text(live, &a_len), *b = file_text(later, &b_len);
		assert_string_equal(a, b);
		free(a);
		free(b);
	}
	size_t len;
	char *csv = file_text("test_export_live.csv", &len);
	expect_begins(csv, "time,elapsed,kind,subject,parent,pid,name,group,state,process.cpu.total,");
	expect_begins(
		csv,
		"\n1700005000.000123,0.000000,process,1,,1234,\"a,\"\"b\"\"\xef\xbf\xbd\xef\xbf\xbd\",\"a,\"\"b\"\"\xef\xbf"
		"\xbd\xef\xbf\xbd\",fresh,5000,,,,,,,,,,4096,,");
	expect_begins(
		csv,
		"\n1700005001.000123,1.000000,process,1,,1234,\"a,\"\"b\"\"\xef\xbf\xbd\xef\xbf\xbd\",\"a,\"\"b\"\"\xef\xbf"
		"\xbd\xef\xbf\xbd\",unchanged,5000,,,,,,,,,,4096,,");
	expect_begins(csv, "\n1700005000.000123,0.000000,process,2,1,1235,b,b,unreadable,,,");
	free(csv);
	char *jsonl = file_text("test_export_live.jsonl", &len);
	expect_begins(jsonl,
	              "\n{\"type\":\"mark\",\"time\":1700005001.000123,\"elapsed\":1.000000,\"subject\":null,"
	              "\"text\":\"half \\u003cway>\",\"values\":{\"rows\":1000000,\"who\":\"me\",\"odd\":\"\"}}\n");
	expect_begins(jsonl, "\"state\":\"unreadable\",\"error\":\"EACCES\",\"values\":{\"process.cpu.total\":null,"
	                     "\"process.memory.rss\":null}}\n");
	expect_begins(jsonl, "\"state\":\"unchanged\",\"error\":null,\"values\":{\"process.cpu.total\":5000,"
	                     "\"process.memory.rss\":4096}}\n");
	expect_begins(jsonl, "\"status\":null,\"signal\":9,\"figures\":{\"process.cpu.total\":{\"value\":5001,"
	                     "\"source\":\"wait4\",\"exactness\":\"exact\"}}}\n");
	expect_begins(jsonl, "\"status\":3,\"signal\":null,\"figures\":{}}\n");
	expect_begins(jsonl, "\n{\"type\":\"summary\",\"summary\":{ \"x\":1}}\n");
	free(jsonl);
	scene_done(&s);
}

static void a_table_is_continued_behind_its_last_whole_line(void **state)
{
	(void)state;
	struct scene s;
	struct jm_err err = { 0 };
	struct jm_sink *sinks[2] = { 0 };
	static const char path[] = "test_export_append.csv";
	(void)unlink(path);
	for (int run = 0; run < 2; run++) {
		scene_begin(&s);
		ASSERT_OK(jm_export_sink_new(&sinks[0], jm_exporter_find(path), path, &s.run, run ? JM_WRITE_APPEND : 0,
		                             &err),
		          &err);
		play(&s, sinks);
		sinks[0]->free(sinks[0]);
		scene_done(&s);
		if (run == 0) { /* a torn tail */
			int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
			assert_int_equal(write(fd, "17000", 5), 5);
			(void)close(fd);
		}
	}
	size_t len, lines = 0, headers = 0;
	char *text = file_text(path, &len);
	for (char *p = text; (p = strchr(p, '\n')); p++) {
		lines++;
		assert_string_not_equal(p + 1, "17000");
	}
	for (char *p = text; (p = strstr(p, "time,elapsed")); p++)
		headers++;
	assert_int_equal(headers, 1);
	assert_int_equal(lines, 1 + 2 * 4);
	free(text);
	assert_int_equal(truncate(path, 30), 0); /* other columns: the first line is no longer ours */
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_int_equal(write(fd, "\n1,2\n", 5), 5);
	(void)close(fd);
	scene_begin(&s);
	assert_int_equal(jm_export_sink_new(&sinks[0], jm_exporter_find("csv"), path, &s.run, JM_WRITE_APPEND, &err),
	                 -74);
	assert_string_equal(err.text, "test_export_append.csv: its columns are others; nothing was appended");
	assert_int_equal(jm_export_sink_new(&sinks[0], jm_exporter_find("csv"), path, &s.run, 0, &err), -17);
	scene_done(&s);
}

/* A full disk, by a limit on the size of files: nothing is torn, and nothing is missing once there is space again. */
static void what_does_not_fit_waits(void **state)
{
	(void)state;
	struct scene s;
	struct jm_err err = { 0 };
	struct jm_sink *sink;
	struct rlimit limit;
	static const char file[] = "test_export_full.csv";
	(void)unlink(file);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	rlim_t before = limit.rlim_cur;
	limit.rlim_cur = 20000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	scene_begin(&s);
	ASSERT_OK(jm_export_sink_new(&sink, jm_exporter_find(file), file, &s.run, 0, &err), &err);
	struct jm_subject *a = scene_start(&s, "a", 1234, 0);
	for (int tick = 0; tick < 200; tick++) {
		jm_sample_put(&s.sample, a, JM_M_PROCESS_CPU, JM_ORIGIN_PID_CLOCK, tick);
		if (tick == 150) {
			size_t len;
			char *text = file_text(file, &len);
			assert_true(len > 0 && len <= 20000 && text[len - 1] == '\n');
			free(text);
			assert_string_equal(jm_export_sink_trouble(sink),
			                    "test_export_full.csv: File too large; measuring goes on");
			limit.rlim_cur = before;
			assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		}
		ASSERT_OK(sink->put(sink, &s.sample, &err), &err);
		scene_next(&s, 1000000000);
	}
	ASSERT_OK(sink->end(sink, NULL, &err), &err);
	sink->free(sink);
	size_t len, n = 0;
	char *text = file_text(file, &len);
	for (char *p = text; (p = strchr(p, '\n')); p++)
		n++;
	assert_int_equal(n, 1 + 200);
	free(text);
	scene_done(&s);
}

static void an_export_does_not_replace_a_recording(void **state)
{
	(void)state;
	struct scene s;
	struct jm_err err = { 0 };
	struct jm_sink *sinks[2] = { 0 };
	struct jm_source *reader;
	(void)unlink("test_export.jm");
	scene_begin(&s);
	struct jm_writer_opts opts = { "test_export.jm", &s.run, &s.subjects, 0 };
	ASSERT_OK(jm_writer_new(&sinks[0], &opts, &err), &err);
	play(&s, sinks);
	sinks[0]->free(sinks[0]);
	ASSERT_OK(jm_reader_new(&reader, "test_export.jm", &err), &err);
	assert_int_equal(jm_export_recording(reader, jm_exporter_find("csv"), "test_export.jm", &err), -17);
	reader->free(reader);
	scene_done(&s);
}

static void exporters_are_found_by_name_and_by_suffix(void **state)
{
	(void)state;
	assert_string_equal(jm_exporter_find("a/b.csv")->name, "csv");
	assert_string_equal(jm_exporter_find("jsonl")->name, "jsonl");
	assert_null(jm_exporter_find(".csv"));
	assert_null(jm_exporter_find("a.jm"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(live_and_later_exports_are_the_same),
		cmocka_unit_test(a_table_is_continued_behind_its_last_whole_line),
		cmocka_unit_test(what_does_not_fit_waits),
		cmocka_unit_test(an_export_does_not_replace_a_recording),
		cmocka_unit_test(exporters_are_found_by_name_and_by_suffix),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
