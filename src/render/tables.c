#include "render/tables.h"
#include "render/word.h"
#include <stddef.h>
#include <string.h>

#define G(field) offsetof(struct jm_report_group, field)
#define P(field) offsetof(struct jm_report_process, field)
#define H(field) offsetof(struct jm_report_phase, field)

/* clang-format off */
const struct jm_column jm_group_columns[] = {
	{ "Processes", "how many there were", JM_CELL_COUNT, false, G(instances), jm_format_count },
	{ "CPU total", "user and system, those that ended included", JM_CELL_FIGURE, true, G(cpu_total_ns), jm_format_duration },
	{ "CPU share", "of the job's CPU time", JM_CELL_CPU_SHARE, false, G(cpu_total_ns), NULL },
	{ "user", "CPU time in user mode", JM_CELL_FIGURE, false, G(cpu_user_ns), jm_format_duration },
	{ "system", "CPU time in the kernel", JM_CELL_FIGURE, false, G(cpu_system_ns), jm_format_duration },
	{ "Mean cores", "while one of them lived", JM_CELL_FIGURE, false, G(mean_mcores), jm_format_cores },
	{ "Peak cores", "in one step", JM_CELL_FIGURE, false, G(peak_mcores), jm_format_cores },
	{ "Waited for CPU", "threads that could have run, while no CPU was free for them", JM_CELL_FIGURE, false, G(time.runnable_ns), jm_format_duration },
	{ "Asleep or blocked", "thread time neither on a CPU nor waiting for one", JM_CELL_FIGURE, false, G(time.waiting_ns), jm_format_duration },
	{ "Disk wait", "thread time spent waiting for disks", JM_CELL_FIGURE, false, G(time.disk_ns), jm_format_duration },
	{ "Peak USS each", "largest private memory of one process", JM_CELL_FIGURE, true, G(single_peak_uss_bytes), jm_format_bytes },
	{ "Peak USS", "private memory of all at one moment", JM_CELL_FIGURE, true, G(peak_uss_bytes), jm_format_bytes },
	{ "Peak PSS", "with a fair part of shared pages, at one moment", JM_CELL_FIGURE, false, G(peak_pss_bytes), jm_format_bytes },
	{ "Peak RSS", "resident, shared pages counted in each process", JM_CELL_RANGE, false, G(peak_rss_bytes), jm_format_bytes },
	{ "Mean USS", "private memory over its life", JM_CELL_FIGURE, false, G(mean_uss_bytes), jm_format_bytes },
	{ "Read", "from storage", JM_CELL_FIGURE, false, G(io.read_bytes), jm_format_bytes },
	{ "Written", "to storage", JM_CELL_FIGURE, false, G(io.write_bytes), jm_format_bytes },
	{ "Received", "from IPv4 and IPv6 sockets: payload", JM_CELL_SELDOM, false, G(network.received_bytes), jm_format_bytes },
	{ "Sent", "to IPv4 and IPv6 sockets: payload", JM_CELL_SELDOM, false, G(network.sent_bytes), jm_format_bytes },
	{ "UNIX received", "from UNIX sockets", JM_CELL_SELDOM, false, G(network.unix_received_bytes), jm_format_bytes },
	{ "UNIX sent", "to UNIX sockets", JM_CELL_SELDOM, false, G(network.unix_sent_bytes), jm_format_bytes },
	{ "Lived", "first start to last end", JM_CELL_SPAN, false, G(begin_ns), jm_format_duration },
	{ 0 },
};
const struct jm_column jm_process_columns[] = {
	{ "PID", "number of the process", JM_CELL_PID, false, P(pid), NULL },
	{ "CPU", "user and system", JM_CELL_FIGURE, true, P(cpu_ns), jm_format_duration },
	{ "Peak RSS", "largest resident memory", JM_CELL_FIGURE, true, P(peak_rss_bytes), jm_format_bytes },
	{ "Peak USS", "largest private memory", JM_CELL_FIGURE, false, P(peak_uss_bytes), jm_format_bytes },
	{ "Read", "from storage", JM_CELL_FIGURE, false, P(io.read_bytes), jm_format_bytes },
	{ "Written", "to storage", JM_CELL_FIGURE, false, P(io.write_bytes), jm_format_bytes },
	{ "Received", "from IPv4 and IPv6 sockets: payload", JM_CELL_SELDOM, false, P(network.received_bytes), jm_format_bytes },
	{ "Sent", "to IPv4 and IPv6 sockets: payload", JM_CELL_SELDOM, false, P(network.sent_bytes), jm_format_bytes },
	{ "UNIX received", "from UNIX sockets", JM_CELL_SELDOM, false, P(network.unix_received_bytes), jm_format_bytes },
	{ "UNIX sent", "to UNIX sockets", JM_CELL_SELDOM, false, P(network.unix_sent_bytes), jm_format_bytes },
	{ "Waited for CPU", "threads that could have run, while no CPU was free for them", JM_CELL_FIGURE, false, P(time.runnable_ns), jm_format_duration },
	{ "Asleep or blocked", "thread time neither on a CPU nor waiting for one", JM_CELL_FIGURE, false, P(time.waiting_ns), jm_format_duration },
	{ "Disk wait", "thread time spent waiting for disks", JM_CELL_FIGURE, false, P(time.disk_ns), jm_format_duration },
	{ "Major faults", "page faults that waited for storage", JM_CELL_FIGURE, false, P(major_faults), jm_format_count },
	{ "Threads", "at most", JM_CELL_FIGURE, false, P(threads), jm_format_count },
	{ "Lived", "start to end", JM_CELL_SPAN, false, P(begin_ns), jm_format_duration },
	{ 0 },
};
const struct jm_column jm_phase_columns[] = {
	{ "Wall", "length", JM_CELL_SPAN, true, H(begin_ns), jm_format_duration },
	{ "CPU", "CPU time of the job in it", JM_CELL_FIGURE, false, H(cpu_total_ns), jm_format_duration },
	{ "Waited for CPU", "threads that could have run, while no CPU was free for them", JM_CELL_FIGURE, false, H(time.runnable_ns), jm_format_duration },
	{ "Asleep or blocked", "thread time neither on a CPU nor waiting for one", JM_CELL_FIGURE, false, H(time.waiting_ns), jm_format_duration },
	{ "Peak RSS", "resident memory of all at one moment", JM_CELL_RANGE, false, H(peak_rss_bytes), jm_format_bytes },
	{ "Read", "from storage", JM_CELL_FIGURE, false, H(io.read_bytes), jm_format_bytes },
	{ "Written", "to storage", JM_CELL_FIGURE, false, H(io.write_bytes), jm_format_bytes },
	{ "Received", "from IPv4 and IPv6 sockets: payload", JM_CELL_SELDOM, false, H(network.received_bytes), jm_format_bytes },
	{ "Sent", "to IPv4 and IPv6 sockets: payload", JM_CELL_SELDOM, false, H(network.sent_bytes), jm_format_bytes },
	{ "UNIX received", "from UNIX sockets", JM_CELL_SELDOM, false, H(network.unix_received_bytes), jm_format_bytes },
	{ "UNIX sent", "to UNIX sockets", JM_CELL_SELDOM, false, H(network.unix_sent_bytes), jm_format_bytes },
	{ 0 },
};
/* clang-format on */

/* The end of a process that is still alive is not known; it lived until the end of what was seen. */
static struct jm_word span(const struct jm_report *r, const int64_t *times)
{
	int64_t end = times[1] < 0 ? r->wall_ns : times[1];
	return jm_format_duration(jm_span_ns(times[0], end));
}

bool jm_cell(const struct jm_report *r, const void *row, const struct jm_column *c, struct jm_word *ret,
             const char **ret_why)
{
	const void *at = (const char *)row + c->offset;
	const struct jm_figure *f = at;
	*ret_why = NULL;
	switch ((enum jm_cell_kind)c->kind) {
	case JM_CELL_FIGURE:
	case JM_CELL_SELDOM:
		*ret_why = !f->known || jm_figure_is_least(f) ? jm_figure_why(f) : NULL;
		return jm_format_figure(f, c->format, ret);
	case JM_CELL_CPU_SHARE:
		*ret_why = jm_figure_why(f->known ? &r->cpu.total_ns : f);
		if (!f->known || !r->cpu.total_ns.known || r->cpu.total_ns.value <= 0)
			return false;
		*ret = jm_format_percent(f->value, r->cpu.total_ns.value);
		if (strncmp(ret->text, "under ", 6) == 0) /* columns are narrow */
			*ret = jm_word_of("≤ %s", ret->text + 6);
		*ret_why = NULL;
		return true;
	case JM_CELL_RANGE:
		*ret_why = jm_figure_why(&((const struct jm_range *)at)->low);
		if (!jm_format_range(at, c->format, ret))
			return false;
		*ret_why = NULL;
		return true;
	case JM_CELL_COUNT: {
		uint64_t n = *(const uint64_t *)at;
		*ret = c->format(n > INT64_MAX ? INT64_MAX : (int64_t)n);
		return true;
	}
	case JM_CELL_PID:
		*ret = jm_format_plain(*(const pid_t *)at);
		return true;
	case JM_CELL_SPAN:
		*ret = span(r, at);
		return true;
	}
	return false;
}

void jm_columns_known(const struct jm_report *r, const struct jm_column *columns, const void *rows, size_t size,
                      size_t n, bool *ret)
{
	struct jm_word word;
	const char *why;
	for (size_t k = 0; columns[k].head; k++) {
		ret[k] = false;
		for (size_t i = 0; i < n && !ret[k]; i++) {
			const char *row = (const char *)rows + i * size;
			ret[k] = jm_cell(r, row, &columns[k], &word, &why);
			if (columns[k].kind == JM_CELL_SELDOM)
				ret[k] &=
					((const struct jm_figure *)(const void *)(row + columns[k].offset))->value != 0;
		}
	}
}

static int64_t value_of(const struct jm_figure *f)
{
	return f->known ? f->value : JM_UNKNOWN;
}

static int64_t memory_of(const struct jm_report_process *p)
{
	return value_of(p->peak_uss_bytes.known ? &p->peak_uss_bytes : &p->peak_rss_bytes);
}

/* Puts i into a list of at most max that is sorted by a key, largest first. */
static size_t insert(const struct jm_report *r, uint32_t *list, size_t n, size_t max, uint32_t i, bool by_memory)
{
	size_t at = n;
	for (; at > 0; at--) {
		const struct jm_report_process *a = &r->process[i], *b = &r->process[list[at - 1]];
		if (by_memory ? memory_of(a) <= memory_of(b) : value_of(&a->cpu_ns) <= value_of(&b->cpu_ns))
			break;
	}
	if (at >= max)
		return n;
	if (n < max)
		n++;
	for (size_t k = n - 1; k > at; k--)
		list[k] = list[k - 1];
	list[at] = i;
	return n;
}

size_t jm_pick_processes(const struct jm_report *r, uint32_t *ret, size_t max)
{
	size_t by_cpu = max - max / 4, n = 0, first;
	for (size_t i = 0; i < r->n_process && i < UINT32_MAX; i++)
		n = insert(r, ret, n, by_cpu, (uint32_t)i, false);
	first = n;
	for (size_t i = 0; i < r->n_process && i < UINT32_MAX; i++) {
		bool has = false;
		for (size_t k = 0; k < first && !has; k++)
			has = ret[k] == i;
		if (!has)
			n = first + insert(r, ret + first, n - first, max - first, (uint32_t)i, true);
	}
	for (size_t i = first; i < n; i++) {
		uint32_t row = ret[i];
		(void)insert(r, ret, i, max, row, false);
	}
	return n;
}
