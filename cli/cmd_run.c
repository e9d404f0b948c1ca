/* jobmeter run: measures a command. Nothing here may turn a good job into a bad one: after the job has begun, what goes
 * wrong is said, and the exit status is the job's. */
#include "file.h"
#include "say.h"
#include "terminal.h"
#include <errno.h>
#include <jobmeter.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JSON_FILES_MAX = 8 };

struct run {
	const struct options *options;
	jm_session *session;
	struct result_file json[JSON_FILES_MAX];
	size_t json_count;
};

static const char *const *texts(const struct options *o, enum option_id id)
{
	return o->values[id].texts;
}

static bool wants_exact(const struct options *o, const char *what)
{
	for (size_t i = 0; i < o->values[OPT_EXACT].count; i++)
		if (!strcmp(o->values[OPT_EXACT].texts[i], what))
			return true;
	return false;
}

static uint32_t flags(const struct options *o)
{
	return (wants_exact(o, "peak") ? JM_EXACT_PEAK : 0u) | (option_flag(o, OPT_NO_RECORD) ? JM_NO_RECORD : 0u) |
	       (option_flag(o, OPT_NO_BPF) ? JM_NO_BPF : 0u) | (wants_exact(o, "ptrace") ? JM_EXACT_PTRACE : 0u) |
	       (option_flag(o, OPT_NO_HARDWARE) ? JM_NO_HARDWARE : 0u) |
	       (option_flag(o, OPT_NO_REDACT) ? JM_NO_REDACT : 0u) | (option_flag(o, OPT_APPEND) ? JM_APPEND : 0u) |
	       (option_flag(o, OPT_OVERWRITE) ? JM_OVERWRITE : 0u);
}

/* What can be known to be wrong before the job begins. 0, or an exit status. */
static int prepare(struct run *u, const struct command *c)
{
	const struct options *o = u->options;
	char error[512];

	if (o->operand_count == 0)
		return say_usage(c, "run needs a COMMAND to measure, as in: jobmeter run -- make -j2");
	if (option_flag(o, OPT_APPEND) && option_flag(o, OPT_OVERWRITE))
		return say_usage(c, "--append and --overwrite exclude each other");
	for (size_t i = 0; i < o->values[OPT_FAIL_IF].count; i++) {
		error[0] = 0;
		if (jm_report_test(NULL, o->values[OPT_FAIL_IF].texts[i], error, sizeof error) == -EINVAL)
			return say_usage(c, "--fail-if: %s", error);
	}
	const char *tier = option_text(o, OPT_TIER);
	jm_session_opts opts = {
		.size = sizeof opts,
		.root = option_text(o, OPT_ROOT),
		.interval_ns = o->values[OPT_INTERVAL].number,
		.outputs = texts(o, OPT_OUTPUT),
		.groups = texts(o, OPT_GROUP),
		.tags = texts(o, OPT_TAG),
		.redact = texts(o, OPT_REDACT),
		.overhead_ppm = (uint32_t)o->values[OPT_OVERHEAD].number,
		.flags = flags(o),
		.tier = tier ? tier[0] : '\0',
		.wait = option_text(o, OPT_WAIT),
		.timeout_ns = o->values[OPT_TIMEOUT].number,
	};
	int r = jm_session_new(&u->session, &opts);
	if (r < 0) {
		const char *why = u->session ? jm_session_error(u->session) : NULL;
		say("%s", why && *why ? why : strerror(-r));
		return c->wrong_usage;
	}
	const struct option_value *json = &o->values[OPT_JSON];
	if (json->count > JSON_FILES_MAX)
		return say_usage(c, "--json was given more than %d times", (int)JSON_FILES_MAX);
	for (; u->json_count < json->count; u->json_count++) {
		r = result_open(&u->json[u->json_count], json->texts[u->json_count]);
		if (r < 0) {
			say("%s: cannot be written: %s", json->texts[u->json_count], strerror(-r));
			return c->wrong_usage;
		}
	}
	return 0;
}

static void summary(const struct run *u, const jm_report_handle *report)
{
	const struct option_value *form = &u->options->values[OPT_SUMMARY], *quiet = &u->options->values[OPT_QUIET];
	const char *name = form->count ? form->texts[form->count - 1] : "full";
	char *text;
	size_t len;

	if (!strcmp(name, "none") || (quiet->number && quiet->from >= form->from))
		return;
	jm_render how = terminal_of(STDERR_FILENO, u->options);
	int r = jm_report_render(report, !strcmp(name, "full") ? "text" : name, &how, &text, &len);
	if (r < 0) {
		say_warn("there is no summary: %s", strerror(-r));
		return;
	}
	(void)fwrite(text, 1, len, stderr);
	jm_text_free(text);
}

static void write_json(struct run *u, const jm_report_handle *report)
{
	char *text;
	size_t len;

	if (u->json_count == 0)
		return;
	int r = jm_report_render(report, "json", NULL, &text, &len);
	if (r < 0) {
		say_warn("there is no summary as JSON: %s", strerror(-r));
		return;
	}
	for (size_t i = 0; i < u->json_count; i++) {
		r = result_write(&u->json[i], text, len);
		if (r < 0)
			say_warn("%s: the summary could not be written: %s", u->json[i].path, strerror(-r));
	}
	jm_text_free(text);
}

/* Did a gate fail? What cannot be judged has not passed. */
static bool gate_failed(const struct options *o, const jm_report_handle *report)
{
	bool failed = false;
	for (size_t i = 0; i < o->values[OPT_FAIL_IF].count; i++) {
		const char *expression = o->values[OPT_FAIL_IF].texts[i];
		char error[512] = "";
		int r = report ? jm_report_test(report, expression, error, sizeof error) : -ENODATA;
		if (r == 0)
			continue;
		failed = true;
		if (r > 0)
			say("gate failed: %s", expression);
		else
			say("gate failed: %s cannot be judged: %s", expression, *error ? error : strerror(-r));
	}
	return failed;
}

static int measure(struct run *u)
{
	const struct options *o = u->options;
	const jm_report_handle *report = NULL;
	jm_end end = { 0 };

	int r = jm_run(u->session, o->operands, &end);
	/* from here on a reader of ours that went away, or a limit on file size, is no reason to die */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	if (!end.started) {
		const char *why = jm_session_error(u->session);
		say("%s", why && *why ? why : strerror(r < 0 ? -r : ENOENT));
		return end.status == 126 || end.status == 127 ? end.status : EXIT_OURSELVES;
	}
	if (jm_session_report(u->session, &report) < 0)
		report = NULL;
	if (end.timed_out)
		say_warn("the job was ended: it took longer than --timeout");
	for (size_t i = 0; jm_session_warning(u->session, i); i++)
		say_warn("%s", jm_session_warning(u->session, i));
	if (report) {
		summary(u, report);
		write_json(u, report);
	} else {
		say_warn("there is no report of this run: %s", jm_session_error(u->session));
	}
	bool failed = gate_failed(o, report);
	if (end.timed_out)
		return EXIT_TIMEOUT;
	if (end.signal) {
		(void)fflush(NULL);
		jm_end_like(&end);
	}
	return end.status ? end.status : failed ? EXIT_GATE : 0;
}

static int run(const struct command *c, struct options *o)
{
	struct run u = { .options = o };
	int status = prepare(&u, c);
	if (status == 0)
		status = measure(&u);
	for (size_t i = 0; i < u.json_count; i++)
		result_drop(&u.json[i]);
	jm_session_free(u.session);
	return status;
}

const struct command cmd_run = {
	.name = "run",
	.operands = "[--] COMMAND [ARG...]",
	.help = "Measure a command",
	.text = "Runs COMMAND and tells what it and its descendants used. Standard input and\n"
		"output, the terminal, signals and the exit status are the command's; the\n"
		"summary goes to standard error when it has ended.",
	.example = "  jobmeter run -- make -j8\n"
		   "  jobmeter run -o build.jm -i 100ms --group 'compiler=cc1|clang' -- make\n"
		   "  jobmeter run --fail-if 'memory.peak_rss_bytes > 4GiB' -- ./train.py\n",
	.bit = IN_RUN,
	.wrong_usage = EXIT_OURSELVES,
	.is_prefix = true,
	.max_operands = (size_t)-1,
	.run = run,
};
