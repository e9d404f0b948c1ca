#include "read/proc_stat.h"
#include "base/parse.h"
#include "read/keyed.h"
#include <errno.h>

static const char *const names[JM_STAT_COUNT] = {
	[JM_STAT_SWITCHES] = "ctxt",
	[JM_STAT_FORKS] = "processes",
	[JM_STAT_RUNNING] = "procs_running",
	[JM_STAT_BLOCKED] = "procs_blocked",
};

int jm_proc_stat_parse(const char *text, size_t len, struct jm_proc_stat *ret)
{
	struct jm_span all = jm_span_over(text, len), line;
	struct jm_proc_stat s = { 0 };
	if (!jm_span_line(&all, &line) || !jm_span_skip_text(&line, "cpu "))
		return -EBADMSG;
	while (s.columns < JM_CPU_COLUMNS) {
		jm_span_skip_blanks(&line);
		if (jm_parse_u64(&line, &s.ticks[s.columns]) < 0)
			break;
		s.columns++;
	}
	if (s.columns <= JM_CPU_IDLE)
		return -EBADMSG;
	(void)jm_keyed_parse(all.p, jm_span_len(all), names, JM_STAT_COUNT, s.value, &s.seen);
	*ret = s;
	return 0;
}
