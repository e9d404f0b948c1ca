/* The dear files of a process, each opened for the one reading: too many descriptors to keep. */
#include "base/cleanup.h"
#include "collect/detail.h"
#include "collect/put.h"
#include "read/pid_status.h"
#include "read/smaps_rollup.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/* Small files that the kernel makes in one piece. Its length or -errno. */
static ssize_t read_file(const struct jm_detail *d, const struct jm_process *p, const char *name, char *buf,
                         size_t size)
{
	char path[64];
	_cleanup_(closep) int fd = jm_root_openat(d->env->root, jm_process_path(path, p->pid, name), O_RDONLY);
	return fd < 0 ? fd : jm_fd_read_once(fd, buf, size);
}

static int put_status(struct jm_detail *d, struct jm_sample *out, struct jm_process *p)
{
	static const struct {
		uint8_t field;
		uint16_t metric;
	} points[] = {
		{ JM_PID_STATUS_HWM, JM_M_PROCESS_HIGH_WATER },
		{ JM_PID_STATUS_SWAP, JM_M_PROCESS_SWAP },
		{ JM_PID_STATUS_VOLUNTARY, JM_M_PROCESS_VOLUNTARY },
		{ JM_PID_STATUS_INVOLUNTARY, JM_M_PROCESS_INVOLUNTARY },
	};
	char text[8192]; /* 1.5 KiB, and a list of groups */
	struct jm_pid_status s;
	ssize_t n = read_file(d, p, "status", text, sizeof text);
	if (n < 0 || jm_pid_status_parse(text, (size_t)n, &s) < 0)
		return 0; /* gone, or not for us: absent */
	if (jm_pid_status_has(&s, JM_PID_STATUS_HWM) && s.value[JM_PID_STATUS_HWM] > p->high_water_bytes)
		p->high_water_bytes = s.value[JM_PID_STATUS_HWM];
	int r = 0;
	for (size_t i = 0; i < sizeof points / sizeof *points && r == 0; i++)
		if (jm_pid_status_has(&s, points[i].field))
			r = jm_put(out, p->subject, points[i].metric, JM_ORIGIN_PID_FILES, s.value[points[i].field]);
	return r;
}

static int put_waits(struct jm_detail *d, struct jm_sample *out, struct jm_process *p)
{
	int r = jm_detail_affords_threads(d, p) ? jm_waits_read(d->env->tree, p) : 0;
	if (r == 0 && p->has_run_wait)
		r = jm_put(out, p->subject, JM_M_PROCESS_RUN_WAIT, JM_ORIGIN_PID_FILES, p->run_wait_ns);
	if (r == 0 && p->has_disk_wait)
		r = jm_put(out, p->subject, JM_M_PROCESS_DISK_WAIT, JM_ORIGIN_PID_FILES, p->disk_wait_ns);
	if (r == 0 && p->has_memory_wait)
		r = jm_put(out, p->subject, JM_M_PROCESS_MEMORY_WAIT, JM_ORIGIN_TASKSTATS, p->memory_wait_ns);
	return r;
}

static int64_t count_entries(int dir)
{
	_Alignas(struct dirent64) char buf[4096];
	int64_t count = 0;
	ssize_t n;
	while ((n = getdents64(dir, buf, sizeof buf)) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct dirent64 *e = (const void *)(buf + at);
			count += e->d_name[0] != '.';
			at += e->d_reclen;
		}
	return n < 0 ? -errno : count;
}

static int put_descriptors(struct jm_detail *d, struct jm_sample *out, struct jm_process *p)
{
	char path[64];
	struct stat st;
	int64_t count;
	(void)jm_process_path(path, p->pid, "fd");
	if (d->env->root->native && fstatat(d->env->root->fd, path, &st, 0) == 0 && st.st_size > 0)
		count = st.st_size; /* since Linux 6.2; always 0 before */
	else {
		_cleanup_(closep) int dir = jm_root_openat(d->env->root, path, O_RDONLY | O_DIRECTORY);
		count = dir < 0 ? dir : count_entries(dir);
	}
	return count < 0 ? 0 : jm_put(out, p->subject, JM_M_PROCESS_FDS, JM_ORIGIN_PID_FILES, (uint64_t)count);
}

int jm_detail_read_basic(struct jm_detail *d, struct jm_tick *tick, struct jm_process *p)
{
	p->status_ns = tick->at_ns;
	int r = put_status(d, tick->out, p);
	if (r == 0)
		r = put_waits(d, tick->out, p);
	return r < 0 ? r : put_descriptors(d, tick->out, p);
}

static int put_rollup(struct jm_detail *d, struct jm_sample *out, struct jm_process *p, const struct jm_smaps_rollup *s)
{
	static const struct {
		uint8_t field;
		uint16_t metric;
	} points[] = {
		{ JM_SMAPS_ROLLUP_PSS, JM_M_PROCESS_PSS },
		{ JM_SMAPS_ROLLUP_SWAP_PSS, JM_M_PROCESS_SWAP_PSS },
	};
	int r = 0;
	uint64_t uss;
	for (size_t i = 0; i < sizeof points / sizeof *points && r == 0; i++)
		if (jm_smaps_rollup_has(s, points[i].field))
			r = jm_put(out, p->subject, points[i].metric, JM_ORIGIN_PID_FILES, s->bytes[points[i].field]);
	if (r == 0 && jm_smaps_rollup_uss(s, &uss) == 0)
		r = jm_put(out, p->subject, JM_M_PROCESS_USS, JM_ORIGIN_PID_FILES, uss);
	return r < 0 ? r
	             : jm_put(out, p->subject, JM_M_PROCESS_DETAIL_AGE, JM_ORIGIN_PID_FILES, d->env->tree->pages_ns);
}

static bool has_shares(const struct jm_smaps_rollup *s, struct jm_shares_reading *ret)
{
	if (!jm_smaps_rollup_has(s, JM_SMAPS_ROLLUP_PSS) || !jm_smaps_rollup_has(s, JM_SMAPS_ROLLUP_RSS))
		return false;
	ret->rss_bytes = s->bytes[JM_SMAPS_ROLLUP_RSS];
	ret->pss_bytes = s->bytes[JM_SMAPS_ROLLUP_PSS];
	return jm_smaps_rollup_uss(s, &ret->uss_bytes) == 0;
}

/* Of one that rests, and of which nothing new is to be told: its row stays unchanged. */
static bool withhold(struct jm_tree *t, struct jm_process *p, const struct jm_shares_reading *now)
{
	enum { WORTH_BYTES = 16 << 10 };
	struct jm_process_pages *then = &p->pages;
	uint64_t pss =
		now->pss_bytes > then->pss_bytes ? now->pss_bytes - then->pss_bytes : then->pss_bytes - now->pss_bytes;
	uint64_t uss =
		now->uss_bytes > then->uss_bytes ? now->uss_bytes - then->uss_bytes : then->uss_bytes - now->uss_bytes;
	if (!then->known || pss > WORTH_BYTES || uss > WORTH_BYTES || p->children != then->children)
		return false;
	then->withheld_bytes = pss > uss ? pss : uss;
	then->at_ns = now->at_ns;
	jm_shaken_divide(&t->shaken, now->at_ns);
	return true;
}

int jm_detail_read_rollup(struct jm_detail *d, struct jm_tick *tick, struct jm_process *p, jm_detail_refresh *refresh,
                          void *ctx)
{
	char text[4096];
	struct jm_smaps_rollup s;
	struct jm_shares_reading now = { .at_ns = tick->at_ns };
	struct jm_tree *t = d->env->tree;
	bool rests = p->read_ns != tick->at_ns;
	int r = p->ended ? 0 : 1;
	if (r == 1 && (!rests || !p->pages.known))
		r = refresh(ctx, tick, p);
	if (r != 1)
		return r;
	ssize_t n = read_file(d, p, "smaps_rollup", text, sizeof text);
	p->rollup_ns = tick->at_ns;
	if (n == -EACCES || n == -EPERM)
		p->denied = true;
	if (n <= 0 || jm_smaps_rollup_parse(text, (size_t)n, &s) < 0)
		return 0; /* on its way out it has no memory */
	t->pages_ns = jm_root_boot_ns(d->env->root);
	bool shares = has_shares(&s, &now);
	if (rests && shares && withhold(t, p, &now))
		return 0;
	r = refresh(ctx, tick, p);
	if (r == 1 && shares)
		jm_shares_read(t, p, &now);
	return r == 1 ? put_rollup(d, tick->out, p, &s) : r;
}
