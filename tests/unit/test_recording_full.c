/* The writer when the world is against it: full, deleted, cut, locked, read-only, somebody else's. */
#include "recording.h"
#include "store/append_file.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const char path[] = "test_recording_full.jm";

static struct jm_sink *writer(struct scene *s, unsigned flags)
{
	struct jm_sink *sink = NULL;
	struct jm_err err = { 0 };
	struct jm_writer_opts opts = { path, &s->run, &s->subjects, flags };
	ASSERT_OK(jm_writer_new(&sink, &opts, &err), &err);
	return sink;
}

static int refused(struct scene *s, const char *file, unsigned flags, struct jm_err *err)
{
	struct jm_sink *sink = NULL;
	struct jm_writer_opts opts = { file, &s->run, &s->subjects, flags };
	int r = jm_writer_new(&sink, &opts, err);
	assert_null(sink);
	return r;
}

static void put(struct scene *s, struct jm_sink *sink, struct jm_buf *live)
{
	struct jm_err err = { 0 };
	if (live)
		dump_sample(live, &s->sample);
	ASSERT_OK(sink->put(sink, &s->sample, &err), &err);
	scene_next(s, 1000000000);
}

static off_t size_of(const char *file)
{
	struct stat st;
	assert_int_equal(stat(file, &st), 0);
	return st.st_size;
}

static struct jm_reader_end replay(struct jm_buf *out)
{
	struct jm_source *source;
	struct jm_err err = { 0 };
	ASSERT_OK(jm_reader_new(&source, path, &err), &err);
	return dump_source(out, source);
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;
	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

/* Every line of live that begins so is also in replayed, in the same order. */
static void in_order(const char *live, const char *replayed, const char *begin)
{
	const char *at = replayed;
	for (const char *line = live; (line = strstr(line, begin)); line++) {
		char *one = strndup(line, strcspn(line, "\n"));
		at = strstr(at, one);
		if (!at)
			fail_msg("expected '%s' in '%.4000s'", one, replayed);
		free(one);
	}
}

static void limit_file_size(rlim_t bytes)
{
	struct rlimit limit;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* One tick of two processes that always change, and one that comes and goes. */
static void tick(struct scene *s, struct jm_sink *sink, struct jm_buf *live, struct jm_subject *two[2], int64_t i)
{
	struct jm_subject *passing = scene_start(s, "passing", 2000, two[0]->id);
	jm_sample_put(&s->sample, passing, JM_M_PROCESS_RSS, JM_ORIGIN_PID_FILES, i * 4096);
	for (int k = 0; k < 2; k++) {
		if (i % 7 != 6)
			jm_sample_put(&s->sample, two[k], JM_M_PROCESS_CPU, JM_ORIGIN_PID_CLOCK, i * 1000000);
		else
			jm_sample_row(&s->sample, two[k]);
	}
	struct jm_event *e = scene_end(s, passing, 0);
	jm_event_put(&s->sample, e, JM_M_PROCESS_CPU, JM_ORIGIN_WAIT4, i);
	put(s, sink, live);
}

/* Stand-in for a full disk: EFBIG takes the same path as ENOSPC. SIGXFSZ, which would end us, is not even ignored. */
static void what_a_limit_stops_goes_on_when_it_is_lifted(void **state)
{
	(void)state;
	struct scene s;
	struct jm_buf before = { 0 }, during = { 0 }, after = { 0 }, replayed = { 0 };
	(void)unlink(path);
	assert_ptr_equal(signal(SIGXFSZ, SIG_DFL), SIG_DFL);
	limit_file_size(1 << 30);
	scene_begin(&s);
	struct jm_sink *sink = writer(&s, 0);
	struct jm_subject *two[2] = { scene_start(&s, "one", 1, 0), scene_start(&s, "two", 2, 0) };
	for (int i = 0; i < 10; i++)
		tick(&s, sink, &before, two, i);
	off_t full = size_of(path);
	limit_file_size((rlim_t)full + 20); /* the next tick fits in part */
	for (int i = 10; i < 20; i++) {
		tick(&s, sink, &during, two, i);
		assert_int_equal(size_of(path), full);
		assert_string_equal(jm_writer_trouble(sink),
		                    "test_recording_full.jm: File too large; measuring goes on");
	}
	limit_file_size(1 << 30);
	for (int i = 21; i < 31; i++) /* 20 would be an unchanged row, which is stated anew behind the gap */
		tick(&s, sink, &after, two, i);
	assert_string_equal(jm_writer_trouble(sink),
	                    "test_recording_full.jm: File too large; 10 samples are missing in the file");
	sink->free(sink);
	struct jm_reader_end end = replay(&replayed);
	assert_null(end.reason);
	assert_int_equal(count(replayed.data, "sample "), 20);
	assert_int_equal(count(replayed.data, " event 10 "), 1); /* the gap */
	assert_int_equal(count(replayed.data, "10\\20samples\\20could\\20not\\20be\\20written"), 1);
	assert_memory_equal(replayed.data, before.data, before.len);
	in_order(during.data, replayed.data, " event "); /* ends keep their exact figures */
	const char *second = strchr(after.data + 1, '\n'), *tail = strstr(second, "sample ");
	assert_non_null(strstr(replayed.data, tail)); /* from the second on all is as ever */
	in_order(after.data, replayed.data, " row ");
	jm_buf_done(&before);
	jm_buf_done(&during);
	jm_buf_done(&after);
	jm_buf_done(&replayed);
	scene_done(&s);
	limit_file_size(RLIM_INFINITY);
}

/* What waits is bounded: beyond that, starts and ends are given up, and the living are stated anew. */
static void events_that_wait_too_long_are_given_up(void **state)
{
	(void)state;
	struct scene s;
	struct jm_buf after = { 0 }, replayed = { 0 };
	(void)unlink(path);
	limit_file_size(1 << 30);
	scene_begin(&s);
	struct jm_sink *sink = writer(&s, 0);
	struct jm_subject *two[2] = { scene_start(&s, "one", 1, 0), scene_start(&s, "two", 2, 0) };
	struct jm_subject *ends = scene_start(&s, "ends in the gap", 3, 0);
	tick(&s, sink, NULL, two, 1);
	limit_file_size((rlim_t)size_of(path));
	scene_end(&s, ends, 0);
	struct jm_subject *stays = scene_start(&s, "began in the gap", 4, 0);
	char *text = calloc(1, 100001);
	memset(text, 'x', 100000);
	for (int i = 0; i < 100; i++) { /* 10 MB of events */
		struct jm_event *e = jm_sample_event(&s.sample, JM_EVENT_NOTE, s.at_ns, NULL);
		jm_event_set_text(&s.sample, e, text, 100000);
		tick(&s, sink, NULL, two, i + 2);
	}
	free(text);
	limit_file_size(1 << 30);
	jm_sample_row(&s.sample, stays);
	tick(&s, sink, &after, two, 200);
	tick(&s, sink, &after, two, 201);
	ASSERT_OK(sink->end(sink, "{}", NULL), &(struct jm_err){ 0 });
	sink->free(sink);
	struct jm_reader_end end = replay(&replayed);
	assert_null(end.reason);
	assert_true(end.complete);
	assert_int_equal(count(replayed.data, "nor\\20could\\20starts"), 1);
	assert_int_equal(count(replayed.data, "status -1 kind 3 parent 0"),
	                 1); /* the end that was lost, status unknown */
	assert_int_equal(count(replayed.data, "ends\\20in\\20the\\20gap"), 2); /* its start, and that end */
	assert_int_equal(count(replayed.data, "name began\\20in\\20the\\20gap"), 1);
	in_order(after.data, replayed.data, " row ");
	jm_buf_done(&after);
	jm_buf_done(&replayed);
	scene_done(&s);
	limit_file_size(RLIM_INFINITY);
}

/* Full until the end: the last tick still waits when the space comes back for the summary. */
static void the_end_brings_what_waits(void **state)
{
	(void)state;
	struct scene s;
	struct jm_buf live = { 0 }, replayed = { 0 };
	(void)unlink(path);
	limit_file_size(1 << 30);
	scene_begin(&s);
	struct jm_sink *sink = writer(&s, 0);
	struct jm_subject *two[2] = { scene_start(&s, "one", 1, 0), scene_start(&s, "two", 2, 0) };
	tick(&s, sink, &live, two, 1);
	limit_file_size((rlim_t)size_of(path));
	tick(&s, sink, &live, two, 2);
	limit_file_size(1 << 30);
	ASSERT_OK(sink->end(sink, "{}", NULL), &(struct jm_err){ 0 });
	sink->free(sink);
	struct jm_reader_end end = replay(&replayed);
	assert_true(end.complete);
	assert_null(end.reason);
	in_order(live.data, replayed.data, " row ");
	jm_buf_done(&live);
	jm_buf_done(&replayed);
	scene_done(&s);
	limit_file_size(RLIM_INFINITY);
}

/* A sample that cannot be put into frames (no memory; here a metric that is none) is missing like one that cannot be written. */
static void a_sample_that_cannot_be_encoded_is_counted_as_missing(void **state)
{
	(void)state;
	struct scene s;
	struct jm_err err = { 0 };
	struct jm_buf replayed = { 0 };
	(void)unlink(path);
	scene_begin(&s);
	struct jm_sink *sink = writer(&s, 0);
	struct jm_subject *two[2] = { scene_start(&s, "one", 1, 0), scene_start(&s, "two", 2, 0) };
	tick(&s, sink, NULL, two, 1);
	for (int i = 0; i < 2; i++) {
		jm_sample_put(&s.sample, two[0], JM_M_COUNT, JM_ORIGIN_PID_FILES, 1);
		assert_int_equal(sink->put(sink, &s.sample, &err), -EINVAL);
		scene_next(&s, 1000000000);
	}
	tick(&s, sink, NULL, two, 2);
	assert_string_equal(jm_writer_trouble(sink),
	                    "test_recording_full.jm: Invalid argument; 2 samples are missing in the file");
	jm_sample_put(&s.sample, two[0], JM_M_COUNT, JM_ORIGIN_PID_FILES, 1);
	assert_int_equal(sink->put(sink, &s.sample, &err), -EINVAL);
	ASSERT_OK(sink->end(sink, "{}", NULL), &(struct jm_err){ 0 });
	sink->free(sink);
	struct jm_reader_end end = replay(&replayed);
	assert_null(end.reason);
	assert_false(end.complete); /* the last sample is missing: nothing says that all is there */
	assert_int_equal(count(replayed.data, "sample "), 2);
	assert_int_equal(count(replayed.data, "2\\20samples\\20could\\20not"), 1);
	assert_int_equal(count(replayed.data, " event 10 at 5001000123 "), 1);
	jm_buf_done(&replayed);
	scene_done(&s);
}

/* A file that can only grow (chattr +a): what was written in part stays there, and nothing may come behind it. */
static void behind_what_cannot_be_cut_off_nothing_is_written(void **state)
{
	(void)state;
	struct jm_append_file f;
	struct jm_err err = { 0 };
	struct stat st;
	char name[64];
	bool is_new;
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	(void)snprintf(name, sizeof name, "/dev/fd/%d", fd);
	ASSERT_OK(jm_append_open(&f, name, &is_new, &err), &err);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	limit_file_size(10);
	f.signals = true; /* as when it is opened under a limit */
	assert_int_equal(jm_append_write(&f, "0123456", 7), 0);
	assert_int_equal(jm_append_write(&f, "89abcde", 7), -EFBIG);
	limit_file_size(1 << 30);
	assert_int_equal(jm_append_write(&f, "fghijkl", 7), -EPERM);
	assert_int_equal(jm_append_check(&f), JM_APPEND_DELETED); /* memory has no name */
	assert_int_equal(jm_append_write(&f, "fghijkl", 7), -EPERM);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_size, 10);
	jm_append_close(&f);
	(void)close(fd);
	limit_file_size(RLIM_INFINITY);
}

static void a_really_full_file_system_costs_only_the_tail(void **state)
{
	(void)state;
	struct scene s;
	struct jm_err err = { 0 };
	struct jm_buf replayed = { 0 };
	char folder[] = "/tmp/jm-full-XXXXXX", file[64];
	assert_non_null(mkdtemp(folder));
	if (mount("none", folder, "tmpfs", 0, "size=64k") < 0) {
		int e = errno;
		(void)rmdir(folder);
		print_message("# skipped: mounting a small tmpfs: %s\n", strerror(e));
		skip();
	}
	(void)snprintf(file, sizeof file, "%s/x.jm", folder);
	scene_begin(&s);
	struct jm_sink *sink = NULL;
	struct jm_writer_opts opts = { file, &s.run, &s.subjects, 0 };
	ASSERT_OK(jm_writer_new(&sink, &opts, &err), &err);
	struct jm_subject *two[2] = { scene_start(&s, "one", 1, 0), scene_start(&s, "two", 2, 0) };
	int ticks = 0;
	for (; !jm_writer_trouble(sink) && ticks < 10000; ticks++)
		tick(&s, sink, NULL, two, ticks);
	assert_non_null(strstr(jm_writer_trouble(sink), "x.jm: No space left on device; measuring goes on"));
	for (int i = 0; i < 5; i++)
		tick(&s, sink, NULL, two, ticks + i);
	assert_int_equal(mount("none", folder, "tmpfs", MS_REMOUNT, "size=1m"), 0);
	tick(&s, sink, NULL, two, ticks + 5);
	sink->free(sink);
	struct jm_source *source;
	ASSERT_OK(jm_reader_new(&source, file, &err), &err);
	struct jm_reader_end end = dump_source(&replayed, source);
	assert_null(end.reason);
	assert_int_equal(count(replayed.data, "sample "), ticks);
	jm_buf_done(&replayed);
	scene_done(&s);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(umount(folder), 0);
	assert_int_equal(rmdir(folder), 0);
}

static void a_deleted_file_is_said_and_does_not_stop_the_run(void **state)
{
	(void)state;
	struct scene s;
	(void)unlink(path);
	scene_begin(&s);
	struct jm_sink *sink = writer(&s, 0);
	struct jm_subject *two[2] = { scene_start(&s, "one", 1, 0), scene_start(&s, "two", 2, 0) };
	tick(&s, sink, NULL, two, 1);
	assert_null(jm_writer_trouble(sink));
	assert_int_equal(unlink(path), 0);
	tick(&s, sink, NULL, two, 2);
	assert_string_equal(jm_writer_trouble(sink),
	                    "test_recording_full.jm: somebody else has deleted the file; measuring goes on");
	sink->free(sink);
	scene_done(&s);
}

/* Cut at any place, or to nothing: the recording goes on behind what is left. */
static void a_file_that_others_cut_is_continued(void **state)
{
	(void)state;
	for (int cut = 0; cut < 40; cut++) {
		struct scene s;
		struct jm_buf after = { 0 }, replayed = { 0 };
		(void)unlink(path);
		scene_begin(&s);
		struct jm_sink *sink = writer(&s, 0);
		struct jm_subject *two[2] = { scene_start(&s, "one", 1, 0), scene_start(&s, "two", 2, 0) };
		for (int i = 0; i < 5; i++)
			tick(&s, sink, NULL, two, i);
		assert_int_equal(truncate(path, size_of(path) * cut / 40), 0);
		for (int i = 5; i < 8; i++)
			tick(&s, sink, &after, two, i);
		assert_non_null(strstr(jm_writer_trouble(sink), "somebody else has cut the file"));
		sink->free(sink);
		struct jm_reader_end end = replay(&replayed);
		assert_null(end.reason);
		assert_int_equal(count(replayed.data, " event 10 "), 1);
		in_order(after.data, replayed.data, " row ");
		jm_buf_done(&after);
		jm_buf_done(&replayed);
		scene_done(&s);
	}
}

static void what_others_add_is_cut_off(void **state)
{
	(void)state;
	struct scene s;
	struct jm_buf live = { 0 }, replayed = { 0 };
	(void)unlink(path);
	scene_begin(&s);
	struct jm_sink *sink = writer(&s, 0);
	struct jm_subject *two[2] = { scene_start(&s, "one", 1, 0), scene_start(&s, "two", 2, 0) };
	tick(&s, sink, &live, two, 1);
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_int_equal(write(fd, "rubbish", 7), 7);
	(void)close(fd);
	tick(&s, sink, &live, two, 2);
	sink->free(sink);
	struct jm_reader_end end = replay(&replayed);
	assert_null(end.reason);
	assert_string_equal(live.data, replayed.data);
	jm_buf_done(&live);
	jm_buf_done(&replayed);
	scene_done(&s);
}

static void a_second_run_is_appended_behind_the_last_whole_frame(void **state)
{
	(void)state;
	for (int torn = 0; torn < 2; torn++) {
		struct jm_buf live = { 0 }, replayed = { 0 };
		(void)unlink(path);
		for (int run = 0; run < 3; run++) {
			struct scene s;
			scene_begin(&s);
			struct jm_sink *sink = writer(&s, run ? JM_WRITE_APPEND : 0);
			struct jm_subject *two[2] = { scene_start(&s, "one", 1, 0), scene_start(&s, "two", 2, 0) };
			for (int i = 0; i < 3 + run; i++)
				tick(&s, sink, run == 2 ? &live : NULL, two, i);
			sink->free(sink);
			if (torn && run < 2)
				assert_int_equal(truncate(path, size_of(path) - 3), 0);
			scene_done(&s);
		}
		struct jm_reader_end end = replay(&replayed);
		assert_int_equal(end.run, 3);
		assert_int_equal(end.runs, 3);
		assert_null(end.reason);
		assert_string_equal(live.data, replayed.data);
		jm_buf_done(&live);
		jm_buf_done(&replayed);
	}
}

static void make_file(const char *file, const char *text, mode_t mode)
{
	(void)unlink(file);
	int fd = open(file, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	(void)close(fd);
}

static void what_is_there_is_respected(void **state)
{
	(void)state;
	struct scene s;
	struct jm_err err = { 0 };
	(void)unlink(path);
	scene_begin(&s);
	struct jm_sink *sink = writer(&s, 0);
	assert_int_equal(refused(&s, path, JM_WRITE_APPEND, &err), -EBUSY);
	assert_string_equal(err.text, "test_recording_full.jm: another jobmeter is writing it");
	sink->free(sink);
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(refused(&s, path, 0, &err), -EEXIST);
	assert_string_equal(err.text,
	                    "test_recording_full.jm: it is a recording already: append to it, overwrite it, or "
	                    "choose another name");
	sink = writer(&s, JM_WRITE_OVERWRITE);
	sink->free(sink);
	assert_int_equal(size_of(path), st.st_size);

	/* a file of another kind is not touched, whatever is asked for */
	make_file("test_recording_full.txt", "my thesis\n", 0600);
	assert_int_equal(refused(&s, "test_recording_full.txt", JM_WRITE_OVERWRITE, &err), -EBADMSG);
	assert_string_equal(err.text,
	                    "test_recording_full.txt: it is there already and is no recording; it was not touched");
	assert_int_equal(refused(&s, "test_recording_full.txt", JM_WRITE_APPEND, &err), -EBADMSG);
	assert_int_equal(size_of("test_recording_full.txt"), 10);

	/* an empty one, as mktemp(1) makes it, is taken */
	make_file(path, "", 0600);
	sink = writer(&s, 0);
	sink->free(sink);
	assert_true(size_of(path) > 0);

	/* damage in the middle is not cut away together with all behind it */
	int fd = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(pwrite(fd, "x", 1, 40), 1);
	(void)close(fd);
	off_t size = size_of(path);
	assert_int_equal(refused(&s, path, JM_WRITE_APPEND, &err), -EBADMSG);
	assert_string_equal(err.text,
	                    "test_recording_full.jm: damaged (bad checksum at byte 12); nothing can be appended");
	assert_int_equal(size_of(path), size);

	assert_int_equal(refused(&s, "no/such/folder/x.jm", 0, &err), -ENOENT);
	assert_string_equal(err.text, "no/such/folder/x.jm: cannot be written: No such file or directory");
	assert_int_equal(refused(&s, ".", 0, &err), -EISDIR);
	(void)unlink("test_recording_full.fifo");
	assert_int_equal(mkfifo("test_recording_full.fifo", 0600), 0);
	assert_int_equal(refused(&s, "test_recording_full.fifo", 0, &err), -EBADMSG);
	(void)unlink("test_recording_full.fifo");

	assert_true(mkdir("test_recording_full.d", 0500) == 0 || errno == EEXIST);
	int r = 0;
	if (geteuid() == 0)
		print_message("# root may write into any folder: only an ordinary user sees EACCES\n");
	else {
		r = refused(&s, "test_recording_full.d/x.jm", 0, &err);
		assert_string_equal(err.text, "test_recording_full.d/x.jm: cannot be written: Permission denied");
		assert_int_equal(r, -EACCES);
	}
	(void)rmdir("test_recording_full.d");
	scene_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_limit_stops_goes_on_when_it_is_lifted),
		cmocka_unit_test(events_that_wait_too_long_are_given_up),
		cmocka_unit_test(the_end_brings_what_waits),
		cmocka_unit_test(a_sample_that_cannot_be_encoded_is_counted_as_missing),
		cmocka_unit_test(behind_what_cannot_be_cut_off_nothing_is_written),
		cmocka_unit_test(a_really_full_file_system_costs_only_the_tail),
		cmocka_unit_test(a_deleted_file_is_said_and_does_not_stop_the_run),
		cmocka_unit_test(a_file_that_others_cut_is_continued),
		cmocka_unit_test(what_others_add_is_cut_off),
		cmocka_unit_test(a_second_run_is_appended_behind_the_last_whole_frame),
		cmocka_unit_test(what_is_there_is_respected),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
