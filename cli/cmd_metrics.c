#include "say.h"
#include <jobmeter.h>
#include <stdio.h>
#include <string.h>

static int run(const struct command *c, struct options *o)
{
	jm_metric_text t;
	int name = 0, unit = 0, kind = 0;

	for (size_t i = 0; jm_metric_info(i, &t) == 0; i++) {
		name = (int)strlen(t.name) > name ? (int)strlen(t.name) : name;
		unit = (int)strlen(t.unit) > unit ? (int)strlen(t.unit) : unit;
		kind = (int)strlen(t.kind) > kind ? (int)strlen(t.kind) : kind;
	}
	for (size_t i = 0; jm_metric_info(i, &t) == 0; i++)
		(void)printf("%-*s  %-*s  %-*s  %s [%s]\n", name, t.name, kind, t.kind, unit, t.unit, t.help, t.source);
	return say_done();
}

const struct command cmd_metrics = {
	.name = "metrics",
	.operands = "",
	.help = "List everything that is measured",
	.text = "One line each: name, kind, unit, what it is, and where it is read from.",
	.bit = IN_METRICS,
	.wrong_usage = EXIT_WRONG_USAGE,
	.run = run,
};
