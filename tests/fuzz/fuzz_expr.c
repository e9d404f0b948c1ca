/* Expressions over the summary: what a user types, or a CI file holds. */
#include "analyze/analyze.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	char *text = malloc(len + 1);
	if (!text)
		return 0;
	memcpy(text, data, len);
	text[len] = '\0';
	struct jm_err err = { 0 };
	struct jm_report r = { .wall_ns = 5 };
	r.cpu.total_ns = jm_figure_of(7, JM_ORIGIN_WAIT4);
	int checked = jm_expr_check(text, &err), evaluated = jm_expr_eval(text, &r, &err);
	/* the same words are right or wrong, whatever the figures are */
	if ((checked == 0) != (evaluated >= 0 || evaluated == -ENODATA))
		abort();
	free(text);
	return 0;
}
