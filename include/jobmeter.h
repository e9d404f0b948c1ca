/* jobmeter.h - the whole public API of libjobmeter. C99.
 *
 * Handles are opaque; every _free() takes NULL. A function returns 0 (or a count) or a negative errno; when it takes a
 * handle, jm_*_error() of that handle has the sentence. Options structs begin with their size and grow at the end only:
 * zero means default, and a longer struct from a newer caller is accepted when its unknown tail is zero (-E2BIG else).
 * The library never prints, never exits, keeps no global; a handle belongs to one thread at a time.
 *
 *	jm_session *s;
 *	jm_end end;
 *	if (jm_session_new(&s, JM_SESSION_OPTS(.interval_ns = 100000000)) == 0 && jm_run(s, argv, &end) == 0)
 *		...
 *	jm_session_free(s);
 */
#ifndef JOBMETER_H
#define JOBMETER_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#define JM_API __attribute__((visibility("default")))
#else
#define JM_API
#endif

/* ---- measuring a command ---- */

typedef struct jm_session jm_session;

enum jm_session_flag {
	JM_NO_RECORD = 1 << 0,    /* do not keep the run in $XDG_STATE_HOME/jobmeter/runs when no output is given */
	JM_NO_REDACT = 1 << 1,    /* keep command lines and tags as they are */
	JM_APPEND = 1 << 2,       /* outputs that exist get this run appended */
	JM_OVERWRITE = 1 << 3,    /* outputs that exist are replaced */
	JM_NO_BPF = 1 << 4,       /* do without BPF programs, also where they would work */
	JM_NO_HARDWARE = 1 << 5,  /* leave the CPU's hardware counters alone */
	JM_EXACT_PEAK = 1 << 7,   /* the largest sum of resident memory by a BPF program at each page fault */
	JM_EXACT_PTRACE = 1 << 6, /* follow the job by ptrace(2) exit stops */
};

/** Texts and lists are copied by jm_session_new(); a list NULL is empty. */
typedef struct jm_session_opts {
	size_t size;                /* sizeof(jm_session_opts) */
	const char *root;           /* folder that stands for "/"; NULL: "/" */
	uint64_t interval_ns;       /* between samples; 0: 1 s; 1 ms to 1 h */
	const char *const *outputs; /* files written while measuring, by suffix: .jm, .csv, .jsonl; NULL-terminated */
	const char *const *groups;  /* NAME=REGEX, PCRE2 on the whole command line; NULL-terminated */
	const char *const *tags;    /* KEY=VALUE; NULL-terminated */
	const char *const *redact;  /* more patterns to hide; NULL-terminated */
	uint32_t overhead_ppm;      /* budget of dear figures, millionths of one core; 0: 10000 (1 %) */
	uint32_t flags;             /* jm_session_flag */
	char tier;                  /* 'A' to 'D': none that is better; 0: the best that works */
	char reserved[7];
	const char *wait;    /* "root" (default), "all" or a duration such as "30s" */
	uint64_t timeout_ns; /* all of the job is ended (SIGTERM, 10 s later SIGKILL) after this long; 0: never */
} jm_session_opts;
#define JM_SESSION_OPTS(...) (&(jm_session_opts){ .size = sizeof(jm_session_opts), __VA_ARGS__ })

/** Prepares a measurement. opts NULL: defaults.
 *  @error -EINVAL options that make no sense; -E2BIG they ask for what this version does not have; -ENOSYS patterns
 *         without PCRE2; -ENOENT root or an output's folder is missing; others of open(2) for an output; -ENOMEM. *ret
 *         is set even then, to NULL when there was no memory for it, so that jm_session_error() can tell.
 *  @owner release with jm_session_free() */
JM_API int jm_session_new(jm_session **ret, const jm_session_opts *opts);
/** Releases s, its report and its texts. Not while jm_run() is in it. */
JM_API void jm_session_free(jm_session *s);
/** The sentence of the last call on s that failed; "" when none did, or s is NULL.
 *  @owner borrowed until the next call on s */
JM_API const char *jm_session_error(const jm_session *s);

/** How a job ended. */
typedef struct jm_end {
	int status;    /* exit status, 0 to 255; when signal is not 0: 128 + signal */
	int signal;    /* signal that the job died of, else 0 */
	int timed_out; /* it was ended by timeout_ns */
	int started;   /* 0: the command could not be started, status is 127 or 126 */
} jm_end;

/** Runs a command to its end and measures it. Blocks. argv is NULL-terminated; its first is found as by execvp(3). The
 *  job has our stdio, session, process group, limits and environment, with JOBMETER_RUN_ID and JOBMETER_SOCKET added;
 *  signals that reach us and have not reached it already are passed on. While it runs we are a child subreaper
 *  (prctl(2)) and read SIGCHLD and other signals by signalfd(2); both are put back before it returns. Until then every
 *  child of the calling process that ends is waited for here, also one that the caller has started itself and wants to
 *  wait for. *ret is always set. May be called again on the same session.
 *  @return 0 the job ran and was measured, however it ended
 *  @error -EINVAL argv is empty, or root is a frozen machine; -ENOENT, -EACCES, ... of execve(2): the command could not
 *         be started; an error of our own before the job started (ret->started is 0). After the start the job is waited
 *         for whatever happens; an error then means that there is no report.
 *  @source wait4(2), perf_event_open(2), proc(5), cgroups(7) */
JM_API int jm_run(jm_session *s, char *const argv[], jm_end *ret);

/** What went wrong with measuring or recording although the job went on, in the run of s that began last: sentences,
 *  each once, one a call from i = 0 on.
 *  @return NULL: no more
 *  @owner borrowed until the session is freed or runs again */
JM_API const char *jm_session_warning(const jm_session *s, size_t i);

/** Path of the recording of the run that ended last; NULL: none was kept, or it is not there any more.
 *  @owner borrowed until the session is freed or runs again */
JM_API const char *jm_session_recording(const jm_session *s);

/** Ends this process the way the job ended: dies of the same signal (without a core), so that shells see the truth.
 *  Returns only when end has no signal or it cannot be done (PID 1): exit with end->status then.
 *  @source signal(7) */
JM_API void jm_end_like(const jm_end *end);

/* ---- reports ---- */

typedef struct jm_report_handle jm_report_handle;

/** The report of the run just measured.
 *  @error -ENODATA nothing was measured
 *  @owner borrowed from the session, until the session is freed or runs again */
JM_API int jm_session_report(jm_session *s, const jm_report_handle **ret);

/** Reads a recording and draws the conclusions. path NULL: the last run that was kept.
 *  @error -ENOENT; -EBADMSG damaged or not a recording; -EPROTONOSUPPORT from a newer major version. error (may be NULL)
 *         gets the sentence, at most error_size bytes
 *  @owner release with jm_report_free() */
JM_API int jm_report_open(jm_report_handle **ret, const char *path, char *error, size_t error_size);
/** For reports of jm_report_open(); those of a session belong to it. */
JM_API void jm_report_free(jm_report_handle *r);

/** How a report is to look; formats take what they have a use for. */
typedef struct jm_render {
	size_t size;       /* sizeof(jm_render) */
	unsigned width;    /* columns; 0: 80 */
	int color;         /* ANSI colours */
	int utf8;          /* 0: ASCII only */
	const char *theme; /* "light", "dark"; NULL: the reader's own */
} jm_render;

/** Renders a report. format: a name of jm_format_info(), or a file name whose suffix is one. opts NULL: defaults. The
 *  text is UTF-8 and ends in a NUL that ret_len (bytes; may be NULL) does not count.
 *  @error -ENOENT no such format; -EINVAL, -E2BIG opts make no sense, as in jm_session_new(); -ENOMEM
 *  @owner *ret_text: release with jm_text_free() */
JM_API int jm_report_render(const jm_report_handle *r, const char *format, const jm_render *opts, char **ret_text,
                            size_t *ret_len);
/** Releases a text that a function here has made; NULL is fine. */
JM_API void jm_text_free(char *text);

/** One figure of jobmeter.summary/1 by its path, as "memory.peak_rss_bytes"; a range means its .high.
 *  @unit the one that the key's name ends in (_ns, _bytes, _cores, ...), else a count
 *  @error -ENOENT no such key; -ENODATA it is not known */
JM_API int jm_report_get(const jm_report_handle *r, const char *key, double *ret);
/** Tests an expression such as "memory.peak_rss_bytes > 4GiB and cpu.total_ns < 1min". r NULL: only checks its words.
 *  @return 1 true; 0 false, or r was NULL and the words are good
 *  @error -EINVAL wrong expression; -ENODATA a figure is not known. error as in jm_report_open() */
JM_API int jm_report_test(const jm_report_handle *r, const char *expression, char *error, size_t error_size);

/** Is the recording whole? @return 1 yes; 0 it was cut short, and the figures are those until then */
JM_API int jm_report_complete(const jm_report_handle *r);

/* ---- recordings ---- */

/** Writes a recording in another form. recording NULL: the last run that was kept. to "-": standard output; a file that
 *  is there is replaced, unless it is a recording. format: a name of jm_format_info() with is_export; NULL: by the
 *  suffix of to.
 *  @return 0 what there is was written; error then says what is missing when the recording was cut short, else it is ""
 *  @error as jm_report_open(); -EINVAL no such format; -EEXIST to is a recording; others of open(2) and write(2) for to
 */
JM_API int jm_export(const char *recording, const char *to, const char *format, char *error, size_t error_size);

/* ---- marks, from inside a job ---- */

enum jm_mark_kind { JM_MARK_POINT, JM_MARK_BEGIN, JM_MARK_END };
/** Sends a mark to the jobmeter that measures us ($JOBMETER_SOCKET). values: "KEY=NUMBER" texts, NULL-terminated, may be
 *  NULL.
 *  @error -ENOENT no jobmeter is measuring; -EINVAL an empty or too long label, or a value that is no number; others of
 *         sendto(2). error as in jm_report_open()
 *  @source unix(7) */
JM_API int jm_mark(enum jm_mark_kind kind, const char *label, const char *const *values, char *error,
                   size_t error_size);

/* ---- what there is ---- */

/** Texts of this section are static: good for ever. */
typedef struct jm_metric_text {
	const char *name, *subject, *unit, *kind, *source, *help;
} jm_metric_text;
/** Row i of the catalogue of metrics, from 0.
 *  @error -ENOENT past the end */
JM_API int jm_metric_info(size_t i, jm_metric_text *ret);

typedef struct jm_collector_text {
	const char *name, *help, *needs; /* needs NULL: nothing */
} jm_collector_text;
/** Collector i, from 0.
 *  @error -ENOENT past the end */
JM_API int jm_collector_info(size_t i, jm_collector_text *ret);

typedef struct jm_format_text {
	const char *name, *suffix, *help; /* suffix NULL: only by name */
	int is_export;                    /* made by jm_export(), else by jm_report_render() */
} jm_format_text;
/** Format i, from 0: those of reports, then those of exports.
 *  @error -ENOENT past the end */
JM_API int jm_format_info(size_t i, jm_format_text *ret);

/** Tries what works on this machine: each collector and each means of following processes is opened and closed. root: as
 *  in jm_session_opts. visit is called once for each: works 1 yes, 0 no; detail: what it gave, or why not; advice: what
 *  would change it, NULL: nothing; of one that works: what it cannot tell here, and why, NULL: it tells all. Nothing on
 *  the machine is changed.
 *  @error those of opening root; visit was told why
 *  @owner texts given to visit are borrowed while it runs */
JM_API int jm_doctor(const char *root,
                     void (*visit)(void *ctx, const char *name, int works, const char *detail, const char *advice),
                     void *ctx);
/** Commands for a shell that would let more be measured here. None is run, and each needs root; visit is called for each.
 *  @return how many there are
 *  @owner texts given to visit are borrowed while it runs */
JM_API int jm_doctor_fix(void (*visit)(void *ctx, const char *command), void *ctx);

/* ---- texts ---- */

/** A duration as people type it: 100ms, 1.5s, 2min, 1h, 1d; a bare number is seconds. Options, expressions and
 *  jm_session_opts.wait understand the same.
 *  @unit ns
 *  @error -EINVAL it is none; -ERANGE it does not fit */
JM_API int jm_duration_parse(const char *text, uint64_t *ret_ns);

/** Of the library, as "0.1.0". @owner static */
JM_API const char *jm_version(void);

#ifdef __cplusplus
}
#endif
#endif
