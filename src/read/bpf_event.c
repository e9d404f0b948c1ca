#include "read/bpf_event.h"
#include <errno.h>
#include <string.h>

static const uint64_t time_max = (uint64_t)INT64_MAX / 2; /* later and longer than any boot */

/* A figure that a point can hold; what grew backwards, by a race in the kernel, is nothing. */
static void tame(struct jm_bpf_figures *f)
{
	uint64_t *all = &f->cpu_ns;
	for (size_t i = 0; i < sizeof *f / sizeof *all; i++)
		if (all[i] > (uint64_t)INT64_MAX / 4)
			all[i] = 0;
}

static int parse_head(const void *data, size_t len, struct jm_bpf_event *e, struct jm_bpf_head *head)
{
	if (len < sizeof *head)
		return -EBADMSG;
	memcpy(head, data, sizeof *head);
	*e = (struct jm_bpf_event){
		.kind = (enum jm_bpf_kind)head->kind,
		.pid = (int32_t)head->pid,
		.tid = (int32_t)head->tid,
		.parent = (int32_t)head->parent,
		.start_ns = head->start_ns,
	};
	if (e->pid <= 0 || e->tid <= 0 || e->parent < 0 || !e->start_ns || e->start_ns > time_max)
		return -EBADMSG;
	return 0;
}

static int parse_exec(const char *data, size_t len, const struct jm_bpf_head *head, struct jm_bpf_event *e)
{
	struct jm_bpf_exec x;
	if (len < sizeof x || len - sizeof x < head->args)
		return -EBADMSG;
	memcpy(&x, data, sizeof x);
	e->time_ns = x.time_ns;
	e->cut = head->flags & JM_BPF_CUT;
	e->hidden = head->flags & JM_BPF_HIDDEN;
	memcpy(e->comm, x.comm, sizeof x.comm);
	e->args = data + sizeof x;
	e->args_len = head->args;
	/* whole arguments only: half a secret is not known as one */
	while (e->args_len && e->args[e->args_len - 1] != '\0')
		e->args_len--;
	return 0;
}

static int parse_last(const void *data, size_t len, struct jm_bpf_event *e)
{
	struct jm_bpf_last x;
	if (len < sizeof x)
		return -EBADMSG;
	memcpy(&x, data, sizeof x);
	e->time_ns = x.time_ns;
	e->figures = x.figures;
	e->high_water_pages = x.high_water_pages;
	e->max_rss_pages = x.max_rss_pages;
	e->child_user_ns = x.child_user_ns;
	e->child_system_ns = x.child_system_ns;
	e->status = (int)(x.status & 0xffff);
	memcpy(e->comm, x.comm, sizeof x.comm);
	return 0;
}

int jm_bpf_event_parse(const void *data, size_t len, struct jm_bpf_event *ret)
{
	struct jm_bpf_head head;
	struct jm_bpf_event e;
	int r = parse_head(data, len, &e, &head);
	if (r < 0)
		return r;
	if (head.kind == JM_BPF_FORK) {
		r = len < sizeof(struct jm_bpf_fork) ? -EBADMSG : 0;
	} else if (head.kind == JM_BPF_EXEC) {
		r = parse_exec(data, len, &head, &e);
	} else if (head.kind == JM_BPF_EXIT && len >= sizeof(struct jm_bpf_exit)) {
		struct jm_bpf_exit x;
		memcpy(&x, data, sizeof x);
		e.time_ns = x.time_ns;
		e.figures = x.figures;
	} else if (head.kind == JM_BPF_LAST) {
		r = parse_last(data, len, &e);
	} else if (head.kind == JM_BPF_FREE && len >= sizeof(struct jm_bpf_free)) {
		struct jm_bpf_free x;
		memcpy(&x, data, sizeof x);
		e.exit_told = head.flags & JM_BPF_EXIT_TOLD;
		e.figures = x.figures;
	} else if (head.kind == JM_BPF_FREE_TIME && len >= sizeof(struct jm_bpf_free_time)) {
		struct jm_bpf_free_time x;
		memcpy(&x, data, sizeof x);
		e.kind = JM_BPF_FREE;
		e.exit_told = head.flags & JM_BPF_EXIT_TOLD;
		e.figures = (struct jm_bpf_figures){
			.cpu_ns = x.cpu_ns,
			.user_ns = x.user_ns,
			.system_ns = x.system_ns,
			.voluntary = x.voluntary,
			.involuntary = x.involuntary,
			.run_wait_ns = x.run_wait_ns,
		};
	} else {
		r = -EBADMSG;
	}
	if (r < 0 || e.time_ns > time_max)
		return -EBADMSG;
	tame(&e.figures);
	if (head.kind >= JM_BPF_EXIT) {
		e.hidden = head.flags & JM_BPF_HIDDEN;
		e.no_chars = head.flags & JM_BPF_NO_CHARS;
		e.no_storage = head.flags & JM_BPF_NO_STORAGE;
		e.no_run_wait = head.flags & JM_BPF_NO_RUN_WAIT;
	}
	*ret = e;
	return 0;
}
