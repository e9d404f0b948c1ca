#include "file.h"
#include "say.h"
#include "terminal.h"
#include <errno.h>
#include <jobmeter.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int get(const jm_report_handle *report, const struct option_value *keys)
{
	int status = 0;
	for (size_t i = 0; i < keys->count; i++) {
		double v;
		int r = jm_report_get(report, keys->texts[i], &v);
		if (r == -ENOENT || r == -EINVAL) {
			say("there is no figure '%s'; 'jobmeter report --format json' has them all", keys->texts[i]);
			return EXIT_WRONG_USAGE;
		}
		if (r < 0) {
			say("%s is not known of this run", keys->texts[i]);
			status = EXIT_FAILED;
			continue;
		}
		/* 2^53: up to there a double holds every whole number */
		(void)printf(v == (double)(long long)v && v < 9007199254740992.0 && v > -9007199254740992.0 ? "%.0f\n"
		                                                                                            : "%.17g\n",
		             v);
	}
	return status;
}

/* The form: --format, the suffix of --output, else text. */
static int render(const struct command *c, const struct options *o, const jm_report_handle *report)
{
	const char *format = option_text(o, OPT_FORMAT), *path = option_text(o, OPT_REPORT_OUTPUT);
	bool to_stdout = !path || !strcmp(path, "-");
	struct result_file file;
	char *text;
	size_t len;

	if (!format)
		format = to_stdout ? "text" : path;
	jm_render how = terminal_of(STDOUT_FILENO, o);
	if (!to_stdout) {
		const char *color = option_text(o, OPT_COLOR);
		how.color = color && !strcmp(color, "always");
		how.width = 0;
	}
	int r = jm_report_render(report, format, &how, &text, &len);
	if (r == -ENOENT) {
		char suffixes[128] = "";
		jm_format_text form;
		for (size_t i = 0, n = 0; jm_format_info(i, &form) == 0; i++)
			if (form.suffix && !form.is_export && n < sizeof suffixes)
				n += (size_t)snprintf(suffixes + n, sizeof suffixes - n, " %s", form.suffix);
		return say_usage(c, "there is no form of report for '%s': the name must end in one of%s", format,
		                 suffixes);
	}
	if (r < 0) {
		say("the report cannot be made: %s", strerror(-r));
		return EXIT_FAILED;
	}
	int status = 0;
	(void)fflush(stdout); /* what stands before the report */
	r = result_open(&file, to_stdout ? "-" : path);
	if (r == 0)
		r = result_write(&file, text, len);
	if (r < 0) {
		say(to_stdout ? "%s cannot be written: %s" : "%s: cannot be written: %s",
		    to_stdout ? "standard output" : path, strerror(-r));
		status = EXIT_FAILED;
	}
	jm_text_free(text);
	return status;
}

static int one(const struct command *c, struct options *o, const char *path)
{
	jm_report_handle *report = NULL;
	char error[512] = "";
	int r = jm_report_open(&report, path, error, sizeof error);
	if (r < 0) {
		say("%s", *error ? error : strerror(-r));
		return EXIT_FAILED;
	}
	int status = option_given(o, OPT_GET) ? get(report, &o->values[OPT_GET]) : render(c, o, report);
	if (jm_report_complete(report) == 0)
		say_warn("%s was cut short: the report ends with its last whole sample",
		         path ? path : "the last recording");
	jm_report_free(report);
	return status;
}

static int run(const struct command *c, struct options *o)
{
	if (o->operand_count > 1 && option_given(o, OPT_REPORT_OUTPUT))
		return say_usage(c, "--output takes one recording at a time");
	if (option_given(o, OPT_GET) && (option_given(o, OPT_REPORT_OUTPUT) || option_given(o, OPT_FORMAT)))
		return say_usage(c, "--get prints to standard output, without --output and --format");
	int status = o->operand_count == 0 ? one(c, o, NULL) : 0;
	for (size_t i = 0; i < o->operand_count; i++) {
		bool text = !option_given(o, OPT_GET) && !option_given(o, OPT_FORMAT);
		if (o->operand_count > 1 && text) {
			(void)printf("%s==> ", i ? "\n" : "");
			say_name(o->operands[i]);
			(void)puts(" <==");
		}
		int s = one(c, o, o->operands[i]);
		status = s > status ? s : status;
	}
	int s = say_done();
	return s > status ? s : status;
}

const struct command cmd_report = {
	.name = "report",
	.operands = "[FILE.jm...]",
	.help = "Tell what a recording says",
	.text = "Without FILE: the last run that was kept. The report goes to standard output\n"
		"as text, or to a file in the form that its suffix names.",
	.example = "  jobmeter report\n"
		   "  jobmeter report build.jm -o build.html\n"
		   "  jobmeter report build.jm --get memory.peak_rss_bytes\n",
	.bit = IN_REPORT,
	.wrong_usage = EXIT_WRONG_USAGE,
	.max_operands = (size_t)-1,
	.run = run,
};
