/* What the hot files of a process say, as points: stat, which has been read, statm and io. */
#include "collect/process.h"
#include "collect/put.h"
#include "read/pid_statm.h"
#include <errno.h>

static int put_stat(const struct jm_tree *t, struct jm_sample *out, const struct jm_process *p, unsigned origin)
{
	const struct jm_pid_stat *st = &p->stat;
	const struct {
		uint16_t metric;
		uint64_t value, scale;
	} points[] = {
		{ JM_M_PROCESS_CPU_USER, st->utime_ticks, t->opts.root->ns_per_tick },
		{ JM_M_PROCESS_CPU_SYSTEM, st->stime_ticks, t->opts.root->ns_per_tick },
		{ JM_M_PROCESS_CHILD_USER, st->cutime_ticks, t->opts.root->ns_per_tick },
		{ JM_M_PROCESS_CHILD_SYSTEM, st->cstime_ticks, t->opts.root->ns_per_tick },
		{ JM_M_PROCESS_STATE, (unsigned char)st->state, 1 },
		{ JM_M_PROCESS_THREADS, st->num_threads, 1 },
		{ JM_M_PROCESS_MINOR_FAULTS, st->minflt, 1 },
		{ JM_M_PROCESS_MAJOR_FAULTS, st->majflt, 1 },
	};
	int r = 0;
	for (size_t i = 0; i < sizeof points / sizeof *points && r == 0; i++)
		r = jm_put_scaled(out, p->subject, points[i].metric, origin, points[i].value, points[i].scale);
	return r;
}

/* What statm says changes by faults, by (un)mapping and by what the kernel takes away, and all of that shows in stat, but
 * for the few pages by which its rss may be off. So statm is read when something has happened, and once a second. */
static bool is_as_it_was(const struct jm_tree *t, const struct jm_process *p)
{
	enum { SECOND_NS = 1000000000 };
	const struct jm_pid_stat *st = &p->stat;
	return p->statm_ns && t->sample_ns - p->statm_ns < SECOND_NS && st->minflt + st->majflt == p->statm_faults &&
	       st->rss_pages == p->statm_stat_pages && st->vsize_bytes == p->statm_virtual;
}

static int read_statm(struct jm_tree *t, struct jm_process *p)
{
	char text[256];
	ssize_t n = jm_process_read(t, p, JM_FILE_STATM, text, sizeof text);
	int r = n < 0 ? (int)n : jm_pid_statm_parse(text, (size_t)n, &p->statm);
	if (r < 0) {
		p->statm_ns = 0;
		return r;
	}
	p->statm_ns = t->sample_ns;
	p->statm_faults = p->stat.minflt + p->stat.majflt;
	p->statm_stat_pages = p->stat.rss_pages;
	p->statm_virtual = p->stat.vsize_bytes;
	return 0;
}

int jm_process_read_size(struct jm_tree *t, struct jm_process *p)
{
	int r = is_as_it_was(t, p) ? 0 : read_statm(t, p);
	if (r < 0)
		return r;
	struct jm_pid_statm m = p->statm;
	uint64_t page = t->opts.root->page_bytes;
	int64_t rss_bytes;
	if (__builtin_mul_overflow(m.resident_pages, page, &rss_bytes))
		return -ERANGE;
	p->rss_bytes = (uint64_t)rss_bytes;
	p->anon_bytes = m.resident_pages > m.shared_pages ? (m.resident_pages - m.shared_pages) * page : 0;
	if (p->rss_bytes > p->high_water_bytes)
		p->high_water_bytes = p->rss_bytes;
	return 0;
}

static int put_statm(struct jm_tree *t, struct jm_sample *out, struct jm_process *p)
{
	if (p->stat.state == 'Z') /* its main thread has ended and took the sight of its memory with it: not 0 */
		return 0;
	if (jm_process_read_size(t, p) < 0)
		return 0;
	struct jm_pid_statm m = p->statm;
	uint64_t page = t->opts.root->page_bytes;
	int r = jm_put_scaled(out, p->subject, JM_M_PROCESS_VIRTUAL, JM_ORIGIN_PID_FILES, m.size_pages, page);
	if (r == 0)
		r = jm_put_scaled(out, p->subject, JM_M_PROCESS_RSS, JM_ORIGIN_PID_FILES, m.resident_pages, page);
	if (r == 0)
		r = jm_put_scaled(out, p->subject, JM_M_PROCESS_SHARED, JM_ORIGIN_PID_FILES, m.shared_pages, page);
	return r < 0 ? r : jm_put_scaled(out, p->subject, JM_M_PROCESS_ANON, JM_ORIGIN_PID_FILES, p->anon_bytes, 1);
}

static int put_io(struct jm_tree *t, struct jm_sample *out, struct jm_process *p, unsigned origin)
{
	if (origin == JM_ORIGIN_PID_FILES && jm_process_read_io(t, p) < 0)
		return 0; /* another user's, or a kernel without CONFIG_TASK_IO_ACCOUNTING */
	const struct {
		uint16_t metric;
		uint64_t value;
	} points[] = {
		{ JM_M_PROCESS_READ_BYTES, p->io.read_bytes },
		{ JM_M_PROCESS_WRITE_BYTES, p->io.write_bytes },
		{ JM_M_PROCESS_CANCELLED, p->io.cancelled_write_bytes },
		{ JM_M_PROCESS_READ_CHARS, p->io.rchar },
		{ JM_M_PROCESS_WRITE_CHARS, p->io.wchar },
		{ JM_M_PROCESS_READ_CALLS, p->io.syscr },
		{ JM_M_PROCESS_WRITE_CALLS, p->io.syscw },
	};
	int r = 0;
	for (size_t i = 0; i < sizeof points / sizeof *points && r == 0; i++)
		r = jm_put(out, p->subject, points[i].metric, origin, points[i].value);
	return r;
}

void jm_process_socket_points(const struct jm_bpf_socket_bytes *b, struct jm_socket_point points[JM_SOCKET_POINTS])
{
	points[0] = (struct jm_socket_point){ JM_M_PROCESS_NET_SENT, b->sent };
	points[1] = (struct jm_socket_point){ JM_M_PROCESS_NET_RECEIVED, b->received };
	points[2] = (struct jm_socket_point){ JM_M_PROCESS_UNIX_SENT, b->unix_sent };
	points[3] = (struct jm_socket_point){ JM_M_PROCESS_UNIX_RECEIVED, b->unix_received };
}

static int put_sockets(struct jm_sample *out, struct jm_process *p)
{
	struct jm_socket_point points[JM_SOCKET_POINTS];
	int r = 0;
	p->socket_news = false;
	jm_process_socket_points(&p->socket_bytes, points);
	for (size_t i = 0; p->has_sockets && i < JM_SOCKET_POINTS && r == 0; i++)
		r = jm_put(out, p->subject, points[i].metric, JM_ORIGIN_BPF_SOCKETS, points[i].value);
	return r;
}

int jm_process_put_hot(struct jm_tree *t, struct jm_sample *out, struct jm_process *p, unsigned origin)
{
	int r = put_stat(t, out, p, origin);
	if (r == 0)
		r = put_statm(t, out, p);
	if (r == 0)
		r = put_io(t, out, p, origin);
	return r < 0 ? r : put_sockets(out, p);
}
