#include "analyze/facts.h"
#include "analyze/bounds.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void jm_facts_done(struct jm_facts *f)
{
	free(f->device);
	*f = (struct jm_facts){ 0 };
}

void jm_facts_tick(struct jm_facts *f)
{
	for (unsigned m = 0; m < JM_M_COUNT; m++) {
		f->of[m].before = f->of[m].grown;
		f->of[m].fresh = f->of[m].readings > 1;
	}
}

/* Counters of the job and of ourselves begin at zero with the run, and so do those of a group made for it. All others
 * count since boot: the first reading is the base. */
static bool begins_at_zero(const struct jm_facts *f, uint8_t kind)
{
	return kind == JM_SUBJECT_JOB || kind == JM_SUBJECT_SELF || (kind == JM_SUBJECT_CGROUP && f->own_cgroup);
}

static void put(struct jm_facts *f, const struct jm_point *p, uint8_t kind)
{
	struct jm_fact *x = &f->of[p->metric];
	if (p->value < 0 || p->value > JM_FACT_BOUND)
		return;
	if (!x->readings) {
		x->grown = begins_at_zero(f, kind) ? p->value : 0;
		x->fresh = begins_at_zero(f, kind);
		x->max = p->value;
	} else {
		/* a counter that fell was reset: what it had lost in between is not known */
		x->grown = jm_bounded_add(x->grown, p->value > x->last ? p->value - x->last : 0);
		x->fresh = true;
	}
	x->readings = x->readings ? 2 : 1;
	x->last = p->value;
	x->max = p->value > x->max ? p->value : x->max;
	x->origin = p->origin;
}

static int device_column(unsigned metric)
{
	switch (metric) {
	case JM_M_DISK_READ:
	case JM_M_NIC_RECEIVED:
		return 0;
	case JM_M_DISK_WRITE:
	case JM_M_NIC_SENT:
		return 1;
	default:
		return -1;
	}
}

/* Each device has its own base: one that appears later must not bring its whole past with it. */
static void put_device(struct jm_facts *f, struct jm_device *d, const struct jm_point *p)
{
	int c = device_column(p->metric);
	if (c < 0 || p->value < 0 || p->value > JM_FACT_BOUND)
		return;
	struct jm_fact *x = &f->of[p->metric];
	if (d->known & (1u << c)) {
		x->grown = jm_bounded_add(x->grown, p->value > d->last[c] ? p->value - d->last[c] : 0);
		x->readings = 2;
		x->fresh = true;
	} else if (!x->readings) {
		x->readings = 1;
	}
	x->origin = p->origin;
	d->last[c] = p->value;
	d->known |= (uint8_t)(1u << c);
}

static int device_of(struct jm_facts *f, const struct jm_subject *s, struct jm_device **ret)
{
	if (s->slot >= f->cap_device) {
		size_t more = f->cap_device ? f->cap_device : 16;
		while (more <= s->slot)
			more *= 2;
		struct jm_device *p = realloc(f->device, more * sizeof *p);
		if (!p)
			return -ENOMEM;
		memset(p + f->cap_device, 0, (more - f->cap_device) * sizeof *p);
		f->device = p;
		f->cap_device = more;
	}
	struct jm_device *d = &f->device[s->slot];
	if (d->id != s->id)
		*d = (struct jm_device){ .id = s->id };
	*ret = d;
	return 0;
}

/* A counter that stands still has been read all the same: it grew by 0, which is not the same as unknown. */
static void read_again(struct jm_fact *x)
{
	if (x->readings) {
		x->readings = 2;
		x->fresh = true;
	}
}

static void unchanged(struct jm_facts *f, const struct jm_subject *s)
{
	if (s->kind == JM_SUBJECT_DISK || s->kind == JM_SUBJECT_NIC) {
		static const uint16_t columns[][2] = { { JM_M_DISK_READ, JM_M_DISK_WRITE },
			                               { JM_M_NIC_RECEIVED, JM_M_NIC_SENT } };
		const struct jm_device *d = s->slot < f->cap_device ? &f->device[s->slot] : NULL;
		for (int c = 0; d && d->id == s->id && c < 2; c++)
			if (d->known & (1u << c))
				read_again(&f->of[columns[s->kind == JM_SUBJECT_NIC][c]]);
		return;
	}
	for (unsigned m = 0; m < JM_M_COUNT; m++)
		if (jm_metrics[m].subject == s->kind)
			read_again(&f->of[m]);
}

int jm_facts_row(struct jm_facts *f, const struct jm_sample *s, const struct jm_row *row)
{
	const struct jm_subject *subject = row->subject;
	if (row->state == JM_ROW_UNCHANGED)
		unchanged(f, subject);
	if (row->state != JM_ROW_FRESH)
		return 0;
	bool is_device = subject->kind == JM_SUBJECT_DISK || subject->kind == JM_SUBJECT_NIC;
	struct jm_device *d = NULL;
	/* what goes through the loopback interface does not leave the machine */
	if (subject->kind == JM_SUBJECT_NIC && strcmp(subject->name, "lo") == 0)
		return 0;
	if (is_device && device_of(f, subject, &d) < 0)
		return -ENOMEM;
	JM_SAMPLE_POINTS (s, row, p) {
		/* a point of another kind than its subject would be a mistake of a collector or of a recording */
		if (p->metric >= JM_M_COUNT || jm_metrics[p->metric].subject != subject->kind)
			continue;
		if (d)
			put_device(f, d, p);
		else
			put(f, p, subject->kind);
	}
	return 0;
}

bool jm_facts_growth(const struct jm_facts *f, unsigned metric, int64_t *ret)
{
	if (!f->of[metric].fresh)
		return false;
	*ret = f->of[metric].grown - f->of[metric].before;
	return true;
}

int64_t jm_facts_counted_ns(const struct jm_facts *f)
{
	int64_t counted = f->of[JM_M_JOB_COUNTER_CPU].grown, stolen = f->of[JM_M_HOST_CPU_STEAL].grown;
	return counted > stolen ? counted - stolen : 0;
}

int64_t jm_facts_counted_doubt_ns(const struct jm_facts *f)
{
	return f->of[JM_M_HOST_CPU_STEAL].last > 0 ? 10000000 : 0;
}
