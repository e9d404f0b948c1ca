#include "say.h"
#include <jobmeter.h>
#include <stdio.h>

static int run(const struct command *c, struct options *o)
{
	jm_collector_text t;
	for (size_t i = 0; jm_collector_info(i, &t) == 0; i++)
		(void)printf("%-16s %s%s%s%s\n", t.name, t.help, t.needs ? " (needs " : "", t.needs ? t.needs : "",
		             t.needs ? ")" : "");
	return say_done();
}

const struct command cmd_collectors = {
	.name = "collectors",
	.operands = "",
	.help = "List where figures come from",
	.text = "Each collector, what it gives and what it needs. 'jobmeter doctor' tells which\n"
		"of them work here.",
	.bit = IN_COLLECTORS,
	.wrong_usage = EXIT_WRONG_USAGE,
	.run = run,
};
