#include "say.h"
#include <errno.h>
#include <jobmeter.h>
#include <string.h>

static int run(const struct command *c, struct options *o)
{
	bool begin = option_flag(o, OPT_BEGIN), end = option_flag(o, OPT_END);
	char error[512] = "";

	if (o->operand_count == 0)
		return say_usage(c, "mark needs a LABEL, as in: jobmeter mark loaded rows=1000000");
	if (begin && end)
		return say_usage(c, "--begin and --end exclude each other");
	int r = jm_mark(begin ? JM_MARK_BEGIN
	                : end ? JM_MARK_END
	                      : JM_MARK_POINT,
	                o->operands[0], (const char *const *)(o->operands + 1), error, sizeof error);
	if (r == 0)
		return 0;
	say("%s", *error ? error : r == -ENOENT ? "no jobmeter is measuring this process" : strerror(-r));
	return r == -EINVAL ? EXIT_WRONG_USAGE : EXIT_FAILED;
}

const struct command cmd_mark = {
	.name = "mark",
	.operands = "LABEL [KEY=NUMBER...]",
	.help = "Put a mark into the run that measures us",
	.text = "Used inside of a job: the report shows the moment, and the totals of each phase\n"
		"between a --begin and an --end. Numbers are kept with the mark.",
	.example = "  jobmeter mark --begin load\n"
		   "  ./load data.csv\n"
		   "  jobmeter mark --end load rows=1000000\n",
	.words = "",
	.bit = IN_MARK,
	.wrong_usage = EXIT_WRONG_USAGE,
	.max_operands = 65,
	.run = run,
};
