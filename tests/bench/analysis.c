/* What the analysis costs: a tick of 500 processes that did nothing, of 500 that all did, and a million short ones.
 * CPU time, medians.   ninja -C build tests/bench/analysis && build/tests/bench/analysis */
#include "analyze/analyze.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { PROCESSES = 500, TICKS = 401 };

static double cpu_us(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void check(int r)
{
	if (r < 0) {
		(void)fprintf(stderr, "analysis: error %d\n", r);
		exit(1);
	}
}

struct world {
	struct jm_run run;
	struct jm_subjects subjects;
	struct jm_sample sample;
	struct jm_analysis *analysis;
	uint64_t at_ns;
};

static struct jm_subject *start(struct world *w, int i)
{
	char name[16];
	struct jm_subject *p;
	(void)snprintf(name, sizeof name, "tool%d", i % 20);
	struct jm_subject_facts f = { .kind = JM_SUBJECT_PROCESS, .name = name, .start_ns = w->at_ns, .pid = 100 + i };
	check(jm_subjects_add(&w->subjects, &f, &p));
	(void)jm_sample_event(&w->sample, JM_EVENT_START, w->at_ns, p);
	return p;
}

static double put(struct world *w)
{
	double before = cpu_us();
	check(jm_analysis_put(w->analysis, &w->sample));
	return cpu_us() - before;
}

static void next(struct world *w)
{
	w->at_ns += 100000000;
	jm_sample_clear(&w->sample, w->at_ns, w->at_ns);
}

static double tick(struct world *w, struct jm_subject *const *p, bool fresh)
{
	double took[TICKS];
	for (int t = 0; t < TICKS; t++) {
		next(w);
		for (int i = 0; i < PROCESSES; i++) {
			if (!fresh) {
				(void)jm_sample_row(&w->sample, p[i]);
				continue;
			}
			static const uint16_t metrics[] = {
				JM_M_PROCESS_CPU,          JM_M_PROCESS_CPU_USER,     JM_M_PROCESS_CPU_SYSTEM,
				JM_M_PROCESS_RSS,          JM_M_PROCESS_VIRTUAL,      JM_M_PROCESS_SHARED,
				JM_M_PROCESS_ANON,         JM_M_PROCESS_THREADS,      JM_M_PROCESS_STATE,
				JM_M_PROCESS_MINOR_FAULTS, JM_M_PROCESS_MAJOR_FAULTS, JM_M_PROCESS_READ_BYTES,
				JM_M_PROCESS_WRITE_BYTES,  JM_M_PROCESS_READ_CHARS,   JM_M_PROCESS_WRITE_CHARS,
				JM_M_PROCESS_READ_CALLS,   JM_M_PROCESS_WRITE_CALLS
			};
			for (unsigned m = 0; m < sizeof metrics / sizeof *metrics; m++)
				check(jm_sample_put(&w->sample, p[i], metrics[m], JM_ORIGIN_PID_FILES,
				                    (int64_t)(w->at_ns / 1000) + (int64_t)m * i));
		}
		took[t] = put(w);
	}
	qsort(took, TICKS, sizeof *took, by_value);
	return took[TICKS / 2];
}

static double storm(struct world *w, int million)
{
	double sum = 0;
	for (int t = 0; t < million * 1000; t++) {
		next(w);
		for (int i = 0; i < 1000; i++) {
			struct jm_subject *p = start(w, i);
			struct jm_event *e = jm_sample_event(&w->sample, JM_EVENT_END, w->at_ns + 1, p);
			check(jm_event_put(&w->sample, e, JM_M_PROCESS_CPU, JM_ORIGIN_PID_EXIT, 1000000 + i + t % 7));
			p->ended = true;
		}
		sum += put(w);
		jm_subjects_sweep(&w->subjects);
	}
	return sum / (million * 1e6);
}

static void report(struct world *w, const char *when)
{
	struct jm_report r;
	struct jm_analysis_end end = { .complete = true, .recording_bytes = -1 };
	struct rusage usage;
	double before = cpu_us();
	check(jm_analysis_report(w->analysis, &end, &r));
	double took = cpu_us() - before;
	(void)getrusage(RUSAGE_SELF, &usage);
	printf("report %-28s %8.0f us   resident at most %ld KiB\n", when, took, usage.ru_maxrss);
	jm_report_done(&r);
}

int main(void)
{
	struct world w = { .run = { .boot_ns = 1, .interval_ns = 100000000, .cpus = 8 }, .at_ns = 1 };
	struct jm_subject *p[PROCESSES];
	check(jm_analysis_new(&w.analysis, &w.run));
	next(&w);
	for (int i = 0; i < PROCESSES; i++)
		p[i] = start(&w, i);
	check(jm_analysis_put(w.analysis, &w.sample));
	double fresh = tick(&w, p, true), still = tick(&w, p, false);
	printf("tick of %d processes, all unchanged %8.2f us  %8.4f us each\n", PROCESSES, still, still / PROCESSES);
	printf("tick of %d processes, all fresh     %8.2f us  %8.4f us each\n", PROCESSES, fresh, fresh / PROCESSES);
	report(&w, "after 500 processes");
	printf("short processes, a million                      %8.4f us each\n", storm(&w, 1));
	report(&w, "after a million");
	jm_analysis_free(w.analysis);
	jm_sample_done(&w.sample);
	jm_subjects_done(&w.subjects);
	return 0;
}
