/* The reader on recordings that are cut, damaged, from the future or nothing of the kind. */
#include "recording.h"
#include "store/frame.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/stat.h>

static const char path[] = "test_recording_damage.jm";

static int open_memory(const void *data, size_t len, struct jm_source **ret, struct jm_err *err)
{
	return jm_reader_new_memory(ret, data, len, "x.jm", err);
}

/* A short run with an end, a mark and a summary. Its bytes; ends[i]: length of the file behind tick i. */
static struct jm_buf small_recording(size_t ends[8], size_t *ret_n)
{
	struct scene s;
	struct jm_sink *sink;
	struct jm_err err = { 0 };
	struct stat st;
	(void)unlink(path);
	scene_begin(&s);
	struct jm_writer_opts opts = { path, &s.run, &s.subjects, 0 };
	ASSERT_OK(jm_writer_new(&sink, &opts, &err), &err);
	struct jm_subject *a = scene_start(&s, "a", 10, 0), *b = scene_start(&s, "b", 11, a->id);
	for (int i = 0; i < 5; i++) {
		jm_sample_put(&s.sample, a, JM_M_PROCESS_CPU, JM_ORIGIN_PID_CLOCK, 1000000 * i);
		if (i < 3)
			jm_sample_put(&s.sample, b, JM_M_PROCESS_RSS, JM_ORIGIN_PID_FILES, 4096 * i);
		if (i == 1)
			jm_event_set_text(&s.sample, jm_sample_event(&s.sample, JM_EVENT_MARK, s.at_ns, NULL), "m", 1);
		if (i == 3)
			jm_event_put(&s.sample, scene_end(&s, b, 0), JM_M_PROCESS_CPU, JM_ORIGIN_WAIT4, 77);
		if (i == 4)
			jm_sample_put(&s.sample, a, JM_M_PROCESS_USS, JM_ORIGIN_PID_FILES, 1 << 20);
		ASSERT_OK(sink->put(sink, &s.sample, &err), &err);
		assert_int_equal(stat(path, &st), 0);
		ends[i] = (size_t)st.st_size;
		scene_next(&s, 1000000000);
	}
	ASSERT_OK(sink->end(sink, "{}", &err), &err);
	sink->free(sink);
	scene_done(&s);
	*ret_n = 5;
	struct jm_buf file = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(fstat(fd, &st), 0);
	assert_true(jm_buf_reserve(&file, (size_t)st.st_size));
	assert_int_equal(read(fd, file.data, (size_t)st.st_size), st.st_size);
	file.len = (size_t)st.st_size;
	(void)close(fd);
	return file;
}

/* What comes out, whatever goes in: how many samples, and that they are a prefix of the whole run's. */
static int read_prefix(const void *data, size_t len, const char *whole, size_t *ret_samples,
                       struct jm_reader_end *ret_end, struct jm_err *err)
{
	struct jm_source *source;
	struct jm_buf text = { 0 };
	int r = open_memory(data, len, &source, err);
	if (r < 0)
		return r;
	*ret_end = dump_source(&text, source);
	if (text.len && strncmp(whole, text.data, text.len) != 0)
		fail_msg("not a prefix: '%.2000s'", text.data);
	size_t n = 0;
	for (const char *p = text.data; p && (p = strstr(p, "sample ")); p++)
		n++;
	*ret_samples = n;
	jm_buf_done(&text);
	return 0;
}

static struct jm_buf whole_text(const struct jm_buf *file)
{
	struct jm_source *source;
	struct jm_err err = { 0 };
	struct jm_buf text = { 0 };
	ASSERT_OK(open_memory(file->data, file->len, &source, &err), &err);
	struct jm_reader_end end = dump_source(&text, source);
	assert_true(end.complete);
	assert_null(end.reason);
	return text;
}

static void every_cut_gives_a_prefix_of_whole_ticks(void **state)
{
	(void)state;
	size_t ends[8], n, head = 0;
	struct jm_buf file = small_recording(ends, &n), whole = whole_text(&file);
	for (size_t len = 0; len < file.len; len++) {
		/* exactly as long as what is left, so that a sanitizer sees one byte too many */
		char *cut = malloc(len ? len : 1);
		struct jm_err err = { 0 };
		struct jm_reader_end end = { 0 };
		size_t samples = 0, expected = 0;
		memcpy(cut, file.data, len);
		int r = read_prefix(cut, len, whole.data, &samples, &end, &err);
		free(cut);
		if (r < 0) {
			assert_int_equal(r, -EBADMSG);
			assert_true(strlen(err.text) > 20);
			assert_true(len < ends[0]);
			head++;
			continue;
		}
		while (expected < n && ends[expected] <= len)
			expected++;
		assert_int_equal(samples, expected);
		assert_false(end.complete);
		uint64_t behind = expected ? len - ends[expected - 1] : 0;
		if (expected)
			assert_int_equal(end.lost_bytes, behind);
		assert_true((end.lost_bytes > 0) == (end.reason != NULL));
	}
	assert_true(head > JM_HEAD_LEN);
	jm_buf_done(&file);
	jm_buf_done(&whole);
}

static void every_flipped_bit_is_found_or_harmless(void **state)
{
	(void)state;
	size_t ends[8], n, refused = 0, found = 0, harmless = 0;
	struct jm_buf file = small_recording(ends, &n), whole = whole_text(&file);
	for (size_t bit = 0; bit < file.len * 8; bit++) {
		struct jm_err err = { 0 };
		struct jm_reader_end end = { 0 };
		size_t samples = 0;
		file.data[bit / 8] ^= (char)(1 << bit % 8);
		int r = read_prefix(file.data, file.len, whole.data, &samples, &end, &err);
		if (r < 0) {
			assert_true(r == -EBADMSG || r == -EPROTONOSUPPORT);
			refused++;
		} else if (end.reason) {
			assert_true(end.lost_bytes > 0);
			assert_true(samples <= n);
			found++;
		} else { /* the minor version says nothing that a reader must heed */
			assert_in_range(bit / 8, JM_MAGIC_LEN + 2, JM_HEAD_LEN - 1);
			assert_int_equal(samples, n);
			assert_true(end.complete);
			harmless++;
		}
		file.data[bit / 8] ^= (char)(1 << bit % 8);
	}
	assert_int_equal(harmless, 16);
	assert_true(refused > JM_HEAD_LEN * 8 - 16);
	assert_true(found > 1000);
	jm_buf_done(&file);
	jm_buf_done(&whole);
}

static void says(const void *data, size_t len, int error, const char *sentence)
{
	struct jm_source *source;
	struct jm_err err = { 0 };
	assert_int_equal(open_memory(data, len, &source, &err), error);
	assert_string_equal(err.text, sentence);
}

static void each_kind_of_wrong_file_has_its_sentence(void **state)
{
	(void)state;
	size_t ends[8], n;
	struct jm_err err = { 0 };
	struct jm_source *source;
	struct jm_buf file = small_recording(ends, &n);
	says("", 0, -EBADMSG, "x.jm: the file is empty, expected a jobmeter recording");
	says("time,elapsed\n1,2\n", 17, -EBADMSG, "x.jm: not a jobmeter recording");
	says("hello", 5, -EBADMSG, "x.jm: not a jobmeter recording");
	says(file.data, 5, -EBADMSG, "x.jm: cut short inside its first 12 bytes, nothing is left to read");
	says(file.data, 12, -EBADMSG, "x.jm: the file ends at byte 12, before anything of the run was written");
	says(file.data, 100, -EBADMSG, "x.jm: torn frame at byte 12, before anything of the run was written");
	file.data[8] = 2;
	says(file.data, file.len, -EPROTONOSUPPORT,
	     "x.jm: written in format 2.0, this jobmeter reads format 1; a newer jobmeter reads it");
	file.data[8] = 0;
	says(file.data, file.len, -EBADMSG, "x.jm: says format 0.0, which never existed");
	file.data[8] = 1;
	/* the magic after a transfer as text: CR LF became LF */
	says("\x8aJML\n\x1a\n\x01\0\0\0", 11, -EBADMSG, "x.jm: not a jobmeter recording");
	assert_int_equal(jm_reader_new(&source, "no/such.jm", &err), -ENOENT);
	assert_string_equal(err.text, "no/such.jm: No such file or directory");
	assert_int_equal(jm_reader_new(&source, ".", &err), -EBADMSG);
	assert_string_equal(err.text, ".: not a regular file, a recording is read from one only");
	jm_buf_done(&file);
}

/* ---- hand-made files: frames as a later version, or an enemy, may write them ---- */

static void add_run(struct jm_buf *out)
{
	jm_head_add(out);
	size_t at = jm_frame_begin(out, JM_FRAME_RUN);
	jm_buf_add_text(
		out, "{\"schema\":\"jobmeter.run/1\",\"id\":\"i\",\"boot_ns\":1000000,\"wall_ns\":5000000,\"new\":[]}");
	jm_frame_end(out, at);
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
	jm_frame_end(out, at);
}

static void add_start(struct jm_buf *out, unsigned id, unsigned kind)
{
	size_t at = jm_frame_begin(out, JM_FRAME_SUBJECT_START);
	const uint64_t fields[] = { id, 0, kind, 0, 1000, 0,  1000,
		                    42, 0, 0,    0, 0,    99, 98 /* fields of a later minor version */ };
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		jm_buf_add_varint(out, fields[i]);
	jm_frame_end(out, at);
}

/* A key or tick frame out of given bytes behind time and flags. */
static void add_rows(struct jm_buf *out, unsigned type, const char *bytes, size_t len)
{
	size_t at = jm_frame_begin(out, type);
	jm_buf_add_zigzag(out, type == JM_FRAME_KEY ? 2000 : 1000);
	jm_buf_add_varint(out, 0);
	jm_buf_add(out, bytes, len);
	jm_frame_end(out, at);
}

/* head of a row of the subject that is expected, in a state */
#define HEAD(code) (char)(1 << 2 | (code))

static void what_is_unknown_is_kept_or_stepped_over(void **state)
{
	(void)state;
	struct jm_buf file = { 0 };
	struct jm_err err = { 0 };
	struct jm_source *source;
	const struct jm_sample *s;
	add_run(&file);
	size_t at = jm_frame_begin(&file, 200); /* a type of frame from the future */
	jm_buf_add_text(&file, "whatever");
	jm_frame_end(&file, at);
	add_column(&file, 0, "process.memory.quantum", "bytes", JM_SUBJECT_PROCESS, 4096);
	add_column(&file, 1, "process.memory.rss", "qubits", JM_SUBJECT_PROCESS, 1);  /* our name, not our unit */
	add_column(&file, 2, "process.memory.rss", "bytes", JM_SUBJECT_PROCESS, 512); /* another scale than ours */
	add_column(&file, 3, "wormhole.depth", "1", 200, 1);  /* a kind of subject from the future */
	add_column(&file, 4, "wormhole.depth", "ns", 200, 1); /* the same name is not the same figure */
	add_start(&file, 1, JM_SUBJECT_PROCESS);
	add_start(&file, 2, 200);
	const char rows[] = { HEAD(JM_CODE_FRESH_NEW), 7, 7, 2, 4, 6, HEAD(JM_CODE_FRESH_NEW), 3, 3, 8, 10, 0 };
	add_rows(&file, JM_FRAME_KEY, rows, sizeof rows);
	ASSERT_OK(open_memory(file.data, file.len, &source, &err), &err);
	assert_int_equal(source->n_foreign, 4); /* known before the first sample, for whoever makes a table */
	assert_string_equal(source->foreign[0].name, "process.memory.quantum");
	assert_string_equal(source->foreign[2].name, "wormhole.depth");
	assert_int_equal(source->foreign[2].subject, 200);
	assert_int_equal(source->next(source, &s, &err), 1);
	assert_int_equal(s->n_rows, 2);
	assert_int_equal(jm_sample_point(s, s->rows[0].first, JM_M_COUNT)->value, 4096);
	assert_int_equal(jm_sample_point(s, s->rows[0].first, JM_M_COUNT)->origin, JM_ORIGIN_UNKNOWN);
	assert_int_equal(jm_sample_point(s, s->rows[0].first, JM_M_COUNT + 1)->value, 2);
	assert_int_equal(jm_sample_point(s, s->rows[0].first, JM_M_PROCESS_RSS)->value, 3 * 512);
	assert_int_equal(jm_sample_point(s, s->rows[1].first, JM_M_COUNT + 2)->value, 4);
	assert_int_equal(jm_sample_point(s, s->rows[1].first, JM_M_COUNT + 3)->value, 5);
	assert_string_equal(jm_unit_name(source->foreign[3].unit), "ns");
	assert_int_equal(s->at_ns, 2000000);
	assert_int_equal(s->wall_ns, 6000000);
	assert_int_equal(source->next(source, &s, &err), 0);
	assert_null(jm_reader_end(source).reason);
	source->free(source);
	jm_buf_done(&file);
}

/* The frame behind a good start is nonsense with a good checksum: reading stops before it, and says so. */
static void stops_at(void (*add)(struct jm_buf *out))
{
	struct jm_buf file = { 0 };
	struct jm_err err = { 0 };
	struct jm_source *source;
	const struct jm_sample *s;
	char expected[64];
	add_run(&file);
	add_column(&file, 0, "process.memory.rss", "bytes", JM_SUBJECT_PROCESS, 1024);
	add_start(&file, 1, JM_SUBJECT_PROCESS);
	const char rows[] = { HEAD(JM_CODE_FRESH_NEW), 1, 1, 2, 0 };
	add_rows(&file, JM_FRAME_KEY, rows, sizeof rows);
	size_t good = file.len;
	add(&file);
	char *exact = malloc(file.len);
	memcpy(exact, file.data, file.len);
	ASSERT_OK(open_memory(exact, file.len, &source, &err), &err);
	assert_int_equal(source->next(source, &s, &err), 1);
	assert_int_equal(source->next(source, &s, &err), 0);
	struct jm_reader_end end = jm_reader_end(source);
	(void)snprintf(expected, sizeof expected, "bad payload at byte %zu", good);
	assert_string_equal(end.reason, expected);
	assert_int_equal(end.lost_bytes, file.len - good);
	assert_int_equal(end.last_ns, 2000000);
	source->free(source);
	free(exact);
	jm_buf_done(&file);
}

#define NONSENSE(name, ...)                                                                                            \
	static void name(struct jm_buf *out)                                                                           \
	{                                                                                                              \
		const char bytes[] = { __VA_ARGS__ };                                                                  \
		add_rows(out, JM_FRAME_TICK, bytes, sizeof bytes);                                                     \
	}
NONSENSE(unknown_subject, 5 << 2 | JM_CODE_UNREADABLE, 13, 0)
NONSENSE(same_subject_twice, HEAD(JM_CODE_UNREADABLE), 13, 2 << 2 | JM_CODE_UNREADABLE, 13, 0)
NONSENSE(more_unchanged_than_there_are, HEAD(JM_CODE_UNCHANGED), 1, 0)
NONSENSE(presence_of_what_is_no_column, HEAD(JM_CODE_FRESH_NEW), 2, 1, 2, 0)
NONSENSE(change_of_what_is_not_present, HEAD(JM_CODE_FRESH), 2, 2, 0)
NONSENSE(value_beyond_64_bits, HEAD(JM_CODE_FRESH), 1, -2, -1, -1, -1, -1, -1, -1, -1, -1, 1, 0)
NONSENSE(rows_without_end, HEAD(JM_CODE_UNREADABLE), 13)
NONSENSE(head_of_nothing, 1, 0)
NONSENSE(number_of_11_bytes, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1)

static void string_beyond_its_frame(struct jm_buf *out)
{
	size_t at = jm_frame_begin(out, JM_FRAME_STRING);
	jm_buf_add_varint(out, 1);
	jm_buf_add_varint(out, UINT64_MAX);
	jm_frame_end(out, at);
}

static void column_number_out_of_order(struct jm_buf *out)
{
	add_column(out, 2, "x", "1", 3, 1);
}

static void column_that_means_something_else(struct jm_buf *out)
{
	add_column(out, 0, "process.memory.pss", "bytes", JM_SUBJECT_PROCESS, 1024);
}

static void scale_of_zero(struct jm_buf *out)
{
	add_column(out, 1, "x", "1", 3, 0);
}

static void start_of_subject_0(struct jm_buf *out)
{
	add_start(out, 0, JM_SUBJECT_PROCESS);
}

static void subject_that_becomes_another_kind(struct jm_buf *out)
{
	add_start(out, 1, JM_SUBJECT_HOST);
}

static void mark_with_values_that_do_not_end(struct jm_buf *out)
{
	const char bytes[] = { 1, 0, 0, 0, 0, 3, 'a', '=', '1' };
	size_t at = jm_frame_begin(out, JM_FRAME_MARK);
	jm_buf_add(out, bytes, sizeof bytes);
	jm_frame_end(out, at);
}

static void end_with_a_column_that_is_none(struct jm_buf *out)
{
	const char bytes[] = { 1, 1, 0, 1, 9, 1 };
	size_t at = jm_frame_begin(out, JM_FRAME_SUBJECT_END);
	jm_buf_add(out, bytes, sizeof bytes);
	jm_frame_end(out, at);
}

static void nonsense_with_a_good_checksum_is_found(void **state)
{
	(void)state;
	void (*const all[])(struct jm_buf *) = {
		unknown_subject,
		same_subject_twice,
		more_unchanged_than_there_are,
		presence_of_what_is_no_column,
		change_of_what_is_not_present,
		value_beyond_64_bits,
		rows_without_end,
		head_of_nothing,
		number_of_11_bytes,
		string_beyond_its_frame,
		column_number_out_of_order,
		column_that_means_something_else,
		scale_of_zero,
		start_of_subject_0,
		subject_that_becomes_another_kind,
		mark_with_values_that_do_not_end,
		end_with_a_column_that_is_none,
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		stops_at(all[i]);
}

/* Memory is bounded: what waits for its sample ... */
static void events_without_end_are_not_gathered_for_ever(void **state)
{
	(void)state;
	enum { FRAMES = 6, LEN = 15 << 20 };
	struct jm_buf file = { 0 };
	struct jm_err err = { 0 };
	struct jm_source *source;
	const struct jm_sample *s;
	char *text = calloc(1, LEN), expected[64];
	size_t refused = 0;
	memset(text, 'x', LEN);
	add_run(&file);
	for (size_t i = 0; i < FRAMES; i++) {
		size_t at = jm_frame_begin(&file, JM_FRAME_EVENT);
		const uint64_t fields[] = { 1, JM_EVENT_NOTE, 0, 0 };
		for (size_t k = 0; k < 4; k++)
			jm_buf_add_varint(&file, fields[k]);
		jm_frame_add_bytes(&file, text, LEN);
		jm_frame_add_bytes(&file, "", 0);
		jm_buf_add_varint(&file, 0);
		jm_frame_end(&file, at);
		if (i * LEN < (64 << 20))
			refused = file.len;
	}
	ASSERT_OK(open_memory(file.data, file.len, &source, &err), &err);
	assert_int_equal(source->next(source, &s, &err), 0);
	(void)snprintf(expected, sizeof expected, "more events than a sample may have at byte %zu", refused);
	assert_string_equal(jm_reader_end(source).reason, expected);
	assert_true(jm_reader_end(source).lost_bytes > FRAMES * LEN);
	source->free(source);
	jm_buf_done(&file);
	free(text);
}

static void add_many(struct jm_buf *out, unsigned from, unsigned n, unsigned kind, size_t columns, bool key)
{
	for (unsigned i = from; i < from + n; i++)
		add_start(out, i, kind);
	size_t at = jm_frame_begin(out, key ? JM_FRAME_KEY : JM_FRAME_TICK);
	jm_buf_add_zigzag(out, key ? 2000 : 1000);
	jm_buf_add_varint(out, 0);
	for (unsigned i = 0; i < n; i++) {
		jm_buf_add_varint(out, (uint64_t)((i ? 0 : (from - 1) * 2) + 1) << 2 | JM_CODE_FRESH_NEW);
		for (size_t b = 0; b < columns / 8; b++)
			jm_buf_add_byte(out, 0); /* none is present */
	}
	jm_buf_add_varint(out, 0);
	jm_frame_end(out, at);
	for (unsigned i = from; i < from + n; i++) {
		at = jm_frame_begin(out, JM_FRAME_SUBJECT_END);
		const uint64_t fields[] = { i, 1, 0, 0 };
		for (size_t k = 0; k < 4; k++)
			jm_buf_add_varint(out, fields[k]);
		jm_frame_end(out, at);
	}
}

/* ... and what is remembered of the living: the dead leave nothing to those who need less. */
static void room_for_a_thousand_columns_goes_with_whom_it_was_for(void **state)
{
	(void)state;
	enum { COLUMNS = 2048, SUBJECTS = 1000 };
	struct jm_buf file = { 0 };
	struct jm_err err = { 0 };
	struct jm_source *source;
	const struct jm_sample *s;
	char name[32];
	add_run(&file);
	for (unsigned i = 0; i < COLUMNS; i++) {
		(void)snprintf(name, sizeof name, "m%u", i);
		add_column(&file, i, name, "1", 200, 1);
	}
	add_many(&file, 1, SUBJECTS, 200, COLUMNS, true);
	add_many(&file, SUBJECTS + 1, SUBJECTS, 201, 0, false);
	add_many(&file, 2 * SUBJECTS + 1, SUBJECTS, 201, 0, false);
	ASSERT_OK(open_memory(file.data, file.len, &source, &err), &err);
	assert_int_equal(source->next(source, &s, &err), 1);
	assert_int_equal(s->n_rows, SUBJECTS);
	size_t large = mallinfo2().uordblks;
	for (int i = 0; i < 2; i++) { /* the second ones live in the places of the first */
		assert_int_equal(source->next(source, &s, &err), 1);
		assert_int_equal(s->n_rows, SUBJECTS);
	}
	size_t small = mallinfo2().uordblks;
	if (large) /* a sanitizer's allocator does not tell */
		assert_true(small + COLUMNS * sizeof(int64_t) * SUBJECTS / 2 < large);
	assert_int_equal(source->next(source, &s, &err), 0);
	source->free(source);
	jm_buf_done(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cut_gives_a_prefix_of_whole_ticks),
		cmocka_unit_test(every_flipped_bit_is_found_or_harmless),
		cmocka_unit_test(each_kind_of_wrong_file_has_its_sentence),
		cmocka_unit_test(what_is_unknown_is_kept_or_stepped_over),
		cmocka_unit_test(nonsense_with_a_good_checksum_is_found),
		cmocka_unit_test(events_without_end_are_not_gathered_for_ever),
		cmocka_unit_test(room_for_a_thousand_columns_goes_with_whom_it_was_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
