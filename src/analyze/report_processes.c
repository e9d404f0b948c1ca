/* The table of processes: those that cost most, dead and alive, in order of their begin; and who is still there. */
#include "analyze/analysis.h"
#include "analyze/threads.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include <errno.h>
#include <stdio.h>

enum { SURVIVORS_MAX = 100 };

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("_-+=.,:/@%^", c)) || (unsigned char)c >= 0x80;
}

/* As a shell would need it: quotes only where they must be. */
static void add_argument(struct jm_buf *b, const char *arg, size_t len)
{
	bool plain = len > 0;
	for (size_t i = 0; i < len; i++)
		plain &= is_plain(arg[i]);
	if (plain) {
		jm_buf_add(b, arg, len);
		return;
	}
	jm_buf_add_byte(b, '\'');
	for (size_t i = 0; i < len; i++) {
		if (arg[i] == '\'')
			jm_buf_add_text(b, "'\\''");
		else
			jm_buf_add_byte(b, (unsigned char)arg[i]);
	}
	jm_buf_add_byte(b, '\'');
}

static char *joined(struct jm_arena *arena, const char *command, size_t len, struct jm_buf *b)
{
	jm_buf_clear(b);
	for (size_t i = 0; i < len;) {
		size_t n = strnlen(command + i, len - i);
		if (i)
			jm_buf_add_byte(b, ' ');
		add_argument(b, command + i, n);
		i += n + 1;
	}
	if (len == JM_COMMAND_MAX)
		jm_buf_add_text(b, " ...");
	return b->failed ? NULL : jm_arena_copy(arena, b->data ? b->data : "", b->len);
}

static struct jm_figure column(const struct jm_dead *d, enum column c)
{
	if (!(d->known & (1u << c)))
		return jm_figure_missing(d->end_ns < 0 ? "it could not be read" : "it ended before it could be read");
	struct jm_figure f = jm_figure_of(d->own[c], d->origin[c]);
	if (f.origin == JM_ORIGIN_CHILD_SHARE)
		f.why = "its share of what its parent's children used, by how long each lived";
	return f;
}

static struct jm_figure gauge(int64_t value)
{
	return value < 0 ? jm_figure_missing("it ended before it could be read")
	                 : jm_figure_of(value, JM_ORIGIN_PID_FILES);
}

static int fill(const struct jm_analysis *a, const struct jm_dead *d, const uint32_t *place, struct jm_report *r,
                struct jm_buf *b, struct jm_report_process *to)
{
	*to = (struct jm_report_process){
		.id = d->id,
		.parent = d->parent,
		.pid = d->pid,
		.name = jm_arena_text(&r->arena, d->name),
		.command = joined(&r->arena, d->command, d->command_len, b),
		.group = place[d->group],
		.begin_ns = d->begin_ns,
		.end_ns = d->end_ns,
		.before_run = d->before_run,
		.status = d->status,
		.cpu_ns = column(d, COL_CPU),
		.cpu_user_ns = column(d, COL_USER),
		.cpu_system_ns = column(d, COL_SYSTEM),
		.peak_rss_bytes = gauge(d->high),
		.peak_pss_bytes = gauge(d->peak[GAUGE_PSS]),
		.peak_uss_bytes = gauge(d->peak[GAUGE_USS]),
		.io = { column(d, COL_READ), column(d, COL_WRITE), column(d, COL_READ_CHARS),
		        column(d, COL_WRITE_CHARS), column(d, COL_CANCELLED), column(d, COL_READ_CALLS),
		        column(d, COL_WRITE_CALLS) },
		.network = jm_report_network_of(a, d->own + COL_NET),
		.major_faults = column(d, COL_MAJOR),
		.threads = gauge(d->threads),
	};
	to->time = jm_report_time_of_process(a, d, to->cpu_ns, column(d, COL_RUN_WAIT), column(d, COL_DISK_WAIT),
	                                     column(d, COL_MEMORY_WAIT), r);
	return to->name && to->command ? 0 : -ENOMEM;
}

static int by_begin(const void *a, const void *b)
{
	const struct jm_dead *x = a, *y = b;
	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static int survivors(struct jm_report *r, const struct jm_dead *rows, size_t n)
{
	size_t alive = 0;
	for (size_t i = 0; i < n; i++)
		alive += rows[i].end_ns < 0;
	if (alive > SURVIVORS_MAX)
		alive = SURVIVORS_MAX;
	r->survivors = jm_arena_alloc(&r->arena, (alive + 1) * sizeof *r->survivors);
	if (!r->survivors)
		return -ENOMEM;
	for (size_t i = 0; r->n_survivors < alive && i < n; i++) {
		if (rows[i].end_ns >= 0)
			continue;
		const char *what = r->process[i].command[0] ? r->process[i].command : r->process[i].name;
		const char *text = jm_arena_printf(&r->arena, "%.200s (pid %d)", what, (int)rows[i].pid);
		if (!text)
			return -ENOMEM;
		r->survivors[r->n_survivors++] = text;
	}
	return 0;
}

int jm_report_processes(const struct jm_analysis *a, struct jm_report *r)
{
	_cleanup_(freep) uint32_t *place = NULL;
	_cleanup_(jm_buf_done) struct jm_buf b = { 0 };
	_cleanup_(freep) struct jm_dead *rows = malloc((a->dead.n + a->processes.live + 1) * sizeof *rows);
	if (!rows || jm_group_table_order(&a->groups, &place) < 0)
		return -ENOMEM;
	size_t n = 0;
	JM_LIVING_FOREACH(&a->processes, p)
	{
		rows[n] = jm_dead_of(p, -1, JM_STATUS_UNKNOWN);
		rows[n++].thread_ns = jm_threads_ns(p, a->now_ns);
	}
	for (size_t i = 0; i < a->dead.n; i++)
		rows[n++] = a->dead.dead[i];
	n = jm_dead_select(rows, n, JM_PROCESS_ROWS, NULL);
	qsort(rows, n, sizeof *rows, by_begin);
	r->process = jm_arena_alloc(&r->arena, (n + 1) * sizeof *r->process);
	if (!r->process)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (fill(a, &rows[i], place, r, &b, &r->process[i]) < 0)
			return -ENOMEM;
	r->n_process = n;
	r->process_total = a->seen;

	const struct jm_fact *started = &a->facts.of[JM_M_JOB_STARTED], *live = &a->facts.of[JM_M_JOB_LIVE];
	int64_t most = live->readings && live->max > a->job.max_live ? live->max : a->job.max_live;
	r->processes.started = jm_figure_of(
		started->readings && started->last > (int64_t)a->started ? started->last : (int64_t)a->started,
		JM_ORIGIN_LIFECYCLE);
	r->processes.seen = jm_figure_of((int64_t)a->seen, JM_ORIGIN_LIFECYCLE);
	r->processes.max_live = jm_figure_of(most, JM_ORIGIN_LIFECYCLE);
	return a->final ? survivors(r, rows, n) : 0;
}
