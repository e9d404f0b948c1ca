#include "say.h"
#include <errno.h>
#include <jobmeter.h>
#include <string.h>

static int run(const struct command *c, struct options *o)
{
	const char *to = option_text(o, OPT_EXPORT_OUTPUT), *format = option_text(o, OPT_EXPORT_FORMAT);
	char error[512] = "";

	if (o->operand_count == 0)
		return say_usage(c, "export needs a recording, as in: jobmeter export run.jm -o run.csv");
	if (!to)
		return say_usage(c, "export needs --output, as in: jobmeter export run.jm -o run.csv");
	if (!strcmp(to, "-") && !format)
		return say_usage(c, "standard output has no suffix that names a form: give --format");
	int r = jm_export(o->operands[0], to, format, error, sizeof error);
	if (r < 0) {
		say("%s", *error ? error : strerror(-r));
		return r == -EINVAL ? EXIT_WRONG_USAGE : EXIT_FAILED;
	}
	if (*error)
		say_warn("%s", error);
	return say_done();
}

const struct command cmd_export = {
	.name = "export",
	.operands = "FILE.jm",
	.help = "Write a recording in another form",
	.text = "Every sample of the recording as a table or a stream for other programs. The\n"
		"suffix of the output names the form.",
	.example = "  jobmeter export build.jm -o build.csv\n"
		   "  jobmeter export build.jm -o - --format jsonl | head\n",
	.bit = IN_EXPORT,
	.wrong_usage = EXIT_WRONG_USAGE,
	.max_operands = 1,
	.run = run,
};
