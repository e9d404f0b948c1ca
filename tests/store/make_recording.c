/* Recordings for the tests in Python: make_recording run SEED TICKS OUT.jm [append|cut]
 *                                     make_recording future OUT.jm
 *                                     make_recording export IN.jm OUT.(csv|jsonl) */
#include "store/frame.h"
#include "store/store.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 12 };

static uint32_t random_state;
static uint32_t below(uint32_t n)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % n;
}

static void check(int r, const struct jm_err *err)
{
	if (r >= 0)
		return;
	(void)fprintf(stderr, "make_recording: %s\n", err->text);
	exit(1);
}

static struct jm_subject *add(struct jm_subjects *all, unsigned kind, const char *name, uint64_t at_ns, pid_t pid)
{
	static const char command[] = "sh\0-c\0echo \"\xc3\xa9\" \xff <b>";
	struct jm_subject *s;
	struct jm_subject_facts f = { .kind = (uint8_t)kind, .name = name, .start_ns = at_ns, .pid = pid };
	if (pid) {
		f.command = command;
		f.command_len = sizeof command - below(5); /* the last argument may lack its NUL */
		f.pid_namespace = 4026531836;
		f.group = below(2) ? "a, \"group\"" : NULL;
	}
	check(jm_subjects_add(all, &f, &s), &(struct jm_err){ .text = "out of memory" });
	return s;
}

static void put_values(struct jm_sample *out, struct jm_subject *s)
{
	for (unsigned m = 0; m < JM_M_COUNT; m++)
		if (jm_metrics[m].subject == s->kind && below(3))
			jm_sample_put(out, s, m, below(30) ? JM_ORIGIN_PID_FILES : JM_ORIGIN_PID_EXIT,
			              (int64_t)below(1 << 20) * (below(2) ? 10000000 : below(1 << 20)));
}

static void put_events(struct jm_sample *out, struct jm_subject *some)
{
	static const unsigned kinds[] = {
		JM_EVENT_MARK, JM_EVENT_PHASE_BEGIN, JM_EVENT_PHASE_END,  JM_EVENT_OOM,  JM_EVENT_SIGNAL,
		JM_EVENT_GAP,  JM_EVENT_LOST,        JM_EVENT_CLOCK_STEP, JM_EVENT_NOTE, 200,
	};
	static const char values[] = "rows=1000000\0t=1.50\0e=1e3\0who=me\0odd";
	struct jm_event *e =
		jm_sample_event(out, kinds[below(10)], out->at_ns - below(1000000), below(2) ? some : NULL);
	e->status = (int32_t)below(20);
	jm_event_set_text(out, e, "text \xc3\xa9 \xff <b>\n", 13);
	if (e->kind >= JM_EVENT_MARK && e->kind <= JM_EVENT_PHASE_END)
		jm_event_set_values(out, e, values, sizeof values);
}

static void make_run(uint32_t seed, unsigned ticks, const char *path, unsigned flags, bool whole)
{
	static const char *const argv[] = { "make", "-j", "\"\xc3\xa9\" <c>" };
	static const char *const names[] = { "cc1", "a,b\n", "\xff\xfe", "gulmc", "" };
	struct jm_run run = {
		.id = "0f9d7b52-8f0e-4a9a-9a55-6a5b2f3c1d10",
		.version = "0.1.0",
		.host = "h",
		.root_pid = 100,
		.boot_ns = 5000000123456,
		.cpus = 4,
		.allowed_cpus = -1,
		.memory_bytes = -1,
		.wall_ns = 1700000000123456789,
		.tier = 'C',
		.wait = "root",
		.interval_ns = 1000000000,
	};
	struct jm_subjects all = { 0 };
	struct jm_sample s = { 0 };
	struct jm_err err = { 0 };
	struct jm_sink *sink;
	struct jm_subject *alive[SLOTS] = { 0 };
	uint64_t at_ns = run.boot_ns, offset = run.wall_ns - run.boot_ns;
	random_state = seed;
	(void)jm_run_set_command(&run, argv, 3);
	(void)jm_run_add_tag(&run, "k", "v\xff");
	(void)jm_run_add_missing(&run, "process.memory.pss", "EACCES");
	struct jm_writer_opts opts = { path, &run, &all, flags };
	check(jm_writer_new(&sink, &opts, &err), &err);
	struct jm_subject *host = add(&all, JM_SUBJECT_HOST, "", 0, 0);
	for (unsigned tick = 0; tick < ticks; tick++) {
		if (below(20) == 0)
			offset += below(2000000);
		jm_sample_clear(&s, at_ns, at_ns + offset);
		for (unsigned i = 0; i < SLOTS; i++) {
			if (!alive[i] && below(6) == 0) {
				alive[i] = add(&all, JM_SUBJECT_PROCESS, names[below(5)], at_ns - below(100000),
				               100 + (pid_t)below(50));
				if (below(4))
					jm_sample_event(&s, JM_EVENT_START, at_ns - below(100000), alive[i])->status =
						(int32_t)below(2);
			} else if (alive[i] && below(15) == 0) {
				struct jm_event *e = jm_sample_event(&s, JM_EVENT_END, at_ns, alive[i]);
				e->status = below(2) ? (int32_t)(below(3) << 8) : below(2) ? 9 : JM_STATUS_UNKNOWN;
				jm_event_put(&s, e, JM_M_PROCESS_CPU, JM_ORIGIN_WAIT4, below(1 << 30));
				if (below(2))
					jm_event_put(&s, e, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, below(1 << 30));
				alive[i]->ended = true;
				alive[i] = NULL;
			} else if (alive[i] && below(20) == 0) {
				check(jm_subject_rename(alive[i], "exec'd", "x\0y", 4, NULL), &err);
				jm_sample_event(&s, JM_EVENT_EXEC, at_ns, alive[i]);
			}
		}
		if (below(3) == 0)
			put_events(&s, alive[below(SLOTS)]);
		if (below(30) == 0) {
			struct jm_event *e = jm_sample_event(&s, JM_EVENT_CORRECTION, at_ns, NULL);
			e->subject_id = 2 + below(3);
			jm_event_put(&s, e, JM_M_PROCESS_CPU, JM_ORIGIN_PERF_READ, 12345);
		}
		for (unsigned i = 0; i < SLOTS; i++) {
			uint32_t what = below(8);
			if (!alive[i] || what == 0)
				continue;
			if (what < 4)
				jm_sample_row(&s, alive[i]);
			else if (what == 4)
				jm_sample_unreadable(&s, alive[i], below(2) ? 13 : 12345);
			else
				put_values(&s, alive[i]);
		}
		if (below(2))
			put_values(&s, host);
		else
			jm_sample_row(&s, host);
		s.final = whole && tick + 1 == ticks;
		check(sink->put(sink, &s, &err), &err);
		jm_subjects_sweep(&all);
		at_ns += 1000000000 + below(1000000);
	}
	if (whole)
		check(sink->end(sink, "{\"schema\": \"jobmeter.summary/1\",\n\"x\": [1, null]}", &err), &err);
	sink->free(sink);
	jm_sample_done(&s);
	jm_subjects_done(&all);
	jm_run_done(&run);
}

static void add_name(struct jm_buf *out, const char *name)
{
	jm_frame_add_bytes(out, name, strlen(name));
}

static void add_column(struct jm_buf *out, unsigned id, const char *name, const char *unit, unsigned kind,
                       unsigned scale)
{
	size_t at = jm_frame_begin(out, JM_FRAME_SCHEMA);
	jm_buf_add_varint(out, 0);
	jm_buf_add_varint(out, 1);
	jm_buf_add_varint(out, id);
	add_name(out, name);
	add_name(out, unit);
	add_name(out, "gauge");
	jm_buf_add_varint(out, kind);
	jm_buf_add_varint(out, scale);
	add_name(out, "a source of tomorrow");
	add_name(out, "exact");
	jm_buf_add_text(out, "a field of tomorrow");
	jm_frame_end(out, at);
}

/* What a later minor version may write. */
static void make_future(const char *path)
{
	struct jm_buf out = { 0 };
	jm_head_add(&out);
	out.data[10] = 7; /* minor */
	size_t at = jm_frame_begin(&out, JM_FRAME_RUN);
	jm_buf_add_text(&out, "{\"schema\":\"jobmeter.run/1\",\"boot_ns\":1000000,\"wall_ns\":5000000,\"new\":[{}]}");
	jm_frame_end(&out, at);
	at = jm_frame_begin(&out, 200);
	jm_buf_add_text(&out, "a frame of tomorrow");
	jm_frame_end(&out, at);
	add_column(&out, 0, "process.memory.quantum", "qubits", JM_SUBJECT_PROCESS, 4096);
	add_column(&out, 1, "process.memory.rss", "bytes", JM_SUBJECT_PROCESS, 512);
	add_column(&out, 2, "wormhole.depth", "1", 200, 1);
	static const uint64_t starts[2][14] = { { 1, 0, JM_SUBJECT_PROCESS, 0, 1000, 0, 1000, 42, 0, 0, 0, 0, 99, 98 },
		                                { 2, 0, 200, 1, 1000, 0, 1000, 0, 0, 0, 0, 0, 99, 98 } };
	for (int i = 0; i < 2; i++) {
		at = jm_frame_begin(&out, JM_FRAME_SUBJECT_START);
		for (int k = 0; k < 14; k++)
			jm_buf_add_varint(&out, starts[i][k]);
		jm_frame_end(&out, at);
	}
	static const char row_bytes[] = {
		1 << 2 | JM_CODE_FRESH_NEW, 3, 3, 2, 4, 1 << 2 | JM_CODE_FRESH_NEW, 1, 1, 8, 0
	};
	at = jm_frame_begin(&out, JM_FRAME_KEY);
	jm_buf_add_zigzag(&out, 2000);
	jm_buf_add_varint(&out, 1 << 6); /* a flag of tomorrow */
	jm_buf_add(&out, row_bytes, sizeof row_bytes);
	jm_buf_add_text(&out, "a field of tomorrow");
	jm_frame_end(&out, at);
	FILE *f = fopen(path, "wbe");
	if (!f || fwrite(out.data, 1, out.len, f) != out.len || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
	jm_buf_done(&out);
}

static int export(const char *from, const char *to)
{
	struct jm_source *reader;
	struct jm_err err = { 0 };
	int r = jm_reader_new(&reader, from, &err);
	if (r < 0) {
		(void)fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	check(jm_export_recording(reader, jm_exporter_find(to), to, &err), &err);
	struct jm_reader_end end = jm_reader_end(reader);
	(void)printf("%s|%" PRIu64 "|%d\n", end.reason ? end.reason : "", end.lost_bytes, end.complete);
	reader->free(reader);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc >= 5 && strcmp(argv[1], "run") == 0) {
		bool append = argc > 5 && strcmp(argv[5], "append") == 0, cut = argc > 5 && strcmp(argv[5], "cut") == 0;
		make_run((uint32_t)atoi(argv[2]), (unsigned)atoi(argv[3]), argv[4], append ? JM_WRITE_APPEND : 0, !cut);
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "future") == 0)
		return make_future(argv[2]), 0;
	if (argc == 4 && strcmp(argv[1], "export") == 0)
		return export(argv[2], argv[3]);
	(void)fprintf(stderr, "usage: see the first lines of make_recording.c\n");
	return 2;
}
