/* The example of jobmeter.h as an outsider builds it: C99, nothing but the header and the shared library. */
#include <jobmeter.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	jm_session *s = NULL;
	jm_end end = { 0 };
	const jm_report_handle *report;
	double wall_ns = 0;
	if (argc < 2)
		return 2;
	if (jm_session_new(&s, JM_SESSION_OPTS(.interval_ns = 100000000, .flags = JM_NO_RECORD)) == 0 &&
	    jm_run(s, argv + 1, &end) == 0 && jm_session_report(s, &report) == 0 &&
	    jm_report_get(report, "run.wall_ns", &wall_ns) == 0) {
		jm_session_free(s);
		return wall_ns > 0 ? end.status : 1;
	}
	fprintf(stderr, "%s\n", jm_session_error(s));
	jm_session_free(s);
	return 1;
}
