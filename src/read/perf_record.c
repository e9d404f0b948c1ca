#include "read/perf_record.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <string.h>

/* What the payloads begin with; each is followed by the trailer. */
struct task_payload {
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};
struct read_payload {
	uint32_t pid, tid;
	uint64_t value;
};
struct lost_payload {
	uint64_t id, lost;
};
struct throttle_payload {
	uint64_t time, id, stream_id;
};
struct comm_payload { /* char comm[] behind it, padded with NULs to 8 bytes */
	uint32_t pid, tid;
};
struct trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
};

/* Copies the payload (records are not aligned when a ring was put together) and says whether it was all there. */
static bool get(void *payload, size_t size, const unsigned char *body, size_t body_len)
{
	if (body_len < size)
		return false;
	memcpy(payload, body, size);
	return true;
}

static int task(const unsigned char *body, size_t len, struct jm_perf_record *r)
{
	struct task_payload p;
	if (!get(&p, sizeof p, body, len))
		return -EBADMSG;
	r->pid = (int32_t)p.pid;
	r->tid = (int32_t)p.tid;
	r->parent = (int32_t)p.ppid;
	r->parent_tid = (int32_t)p.ptid;
	r->time_ns = p.time;
	return 0;
}

static int comm(const unsigned char *body, size_t len, struct jm_perf_record *r)
{
	struct comm_payload p;
	if (!get(&p, sizeof p, body, len))
		return -EBADMSG;
	r->pid = (int32_t)p.pid;
	r->tid = (int32_t)p.tid;
	const char *name = (const char *)body + sizeof p;
	size_t n = strnlen(name, len - sizeof p);
	if (n >= sizeof r->comm)
		n = sizeof r->comm - 1;
	memcpy(r->comm, name, n);
	return 0;
}

static int count(const unsigned char *body, size_t len, struct jm_perf_record *r)
{
	struct read_payload p;
	if (!get(&p, sizeof p, body, len))
		return -EBADMSG;
	r->pid = (int32_t)p.pid;
	r->tid = (int32_t)p.tid;
	r->value = p.value;
	return 0;
}

static int lost(unsigned type, const unsigned char *body, size_t len, struct jm_perf_record *r)
{
	struct lost_payload p = { 0 };
	/* LOST_SAMPLES has the number alone */
	if (type == PERF_RECORD_LOST ? !get(&p, sizeof p, body, len) : !get(&p.lost, sizeof p.lost, body, len))
		return -EBADMSG;
	r->value = p.lost;
	return 0;
}

static int throttle(const unsigned char *body, size_t len, struct jm_perf_record *r)
{
	struct throttle_payload p;
	if (!get(&p, sizeof p, body, len))
		return -EBADMSG;
	r->time_ns = p.time;
	return 0;
}

static int payload(const struct perf_event_header *h, const unsigned char *body, size_t len, struct jm_perf_record *r)
{
	switch (h->type) {
	case PERF_RECORD_FORK:
		r->kind = JM_PERF_FORK;
		return task(body, len, r);
	case PERF_RECORD_EXIT:
		r->kind = JM_PERF_EXIT;
		return task(body, len, r);
	case PERF_RECORD_COMM:
		r->kind = h->misc & PERF_RECORD_MISC_COMM_EXEC ? JM_PERF_EXEC : JM_PERF_COMM;
		return comm(body, len, r);
	case PERF_RECORD_READ:
		r->kind = JM_PERF_READ;
		return count(body, len, r);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		r->kind = JM_PERF_LOST;
		return lost(h->type, body, len, r);
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		r->kind = JM_PERF_THROTTLE;
		return throttle(body, len, r);
	default:
		return 0;
	}
}

int jm_perf_record_parse(const void *data, size_t len, struct jm_perf_record *ret)
{
	struct perf_event_header h;
	if (!get(&h, sizeof h, data, len))
		return -EAGAIN;
	if (h.size < sizeof h || h.size % 8)
		return -EBADMSG;
	if (h.size > len)
		return -EAGAIN;

	struct jm_perf_record r = { .kind = JM_PERF_OTHER };
	const unsigned char *body = (const unsigned char *)data + sizeof h;
	size_t body_len = h.size - sizeof h;
	/* PERF_RECORD_SAMPLE has no trailer; we never ask for one */
	if (h.type != PERF_RECORD_SAMPLE) {
		struct trailer t;
		if (body_len < sizeof t)
			return -EBADMSG;
		body_len -= sizeof t;
		memcpy(&t, body + body_len, sizeof t);
		r.time_ns = t.time;
		r.cpu = t.cpu;
	}
	int e = payload(&h, body, body_len, &r);
	if (e < 0)
		return e;
	*ret = r;
	return h.size;
}
