#include "analyze/phases.h"
#include "base/grow.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void jm_phases_done(struct jm_phases *p)
{
	for (size_t i = 0; i < p->n_phase; i++) {
		free(p->phase[i].name);
		free(p->phase[i].values);
	}
	for (size_t i = 0; i < p->n_mark; i++) {
		free(p->mark[i].name);
		free(p->mark[i].values);
	}
	free(p->phase);
	free(p->mark);
	free(p->open);
	*p = (struct jm_phases){ 0 };
}

static char *copy(const char *data, size_t len)
{
	char *c = malloc(len + 1);
	if (c) {
		if (len)
			memcpy(c, data, len);
		c[len] = '\0';
	}
	return c;
}

/* Between two samples the job is taken to have worked evenly; nothing better is known. */
static int64_t between(int64_t from, int64_t to, double part)
{
	return from + (int64_t)((double)(to - from) * part + 0.5);
}

static struct jm_moment moment_at(int64_t at_ns, const struct jm_moment *from, const struct jm_moment *to)
{
	double part = to->at_ns > from->at_ns ? (double)(at_ns - from->at_ns) / (double)(to->at_ns - from->at_ns) : 1;
	part = part < 0 ? 0 : part > 1 ? 1 : part;
	struct jm_moment m = { .at_ns = at_ns, .cpu_ns = between(from->cpu_ns, to->cpu_ns, part) };
	for (int i = 0; i < COL_IO_COUNT; i++)
		m.io[i] = between(from->io[i], to->io[i], part);
	for (int i = 0; i < COL_NET_COUNT; i++)
		m.net[i] = between(from->net[i], to->net[i], part);
	m.thread_ns = between(from->thread_ns, to->thread_ns, part);
	m.run_wait_ns = between(from->run_wait_ns, to->run_wait_ns, part);
	m.disk_wait_ns = between(from->disk_wait_ns, to->disk_wait_ns, part);
	m.memory_wait_ns = between(from->memory_wait_ns, to->memory_wait_ns, part);
	m.throttled_ns = between(from->throttled_ns, to->throttled_ns, part);
	return m;
}

static int begin(struct jm_phases *p, const char *label, size_t len, const char *values, size_t values_len,
                 struct jm_moment at)
{
	if (p->n_phase == JM_PHASES_MAX) {
		p->left_out++;
		return 0;
	}
	if (!jm_grow(&p->phase, &p->cap_phase, p->n_phase + 1, sizeof *p->phase) ||
	    !jm_grow(&p->open, &p->cap_open, p->n_open + 1, sizeof *p->open))
		return -ENOMEM;
	struct jm_phase phase = {
		.name = copy(label, len),
		.values = copy(values, values_len),
		.values_len = values_len,
		.begin_ns = at.at_ns,
		.end_ns = -1,
		.depth = (unsigned)p->n_open,
		.begin = at,
		.peak_rss = -1,
		.peak_at_ns = -1,
	};
	if (!phase.name || !phase.values) {
		free(phase.name);
		free(phase.values);
		return -ENOMEM;
	}
	p->open[p->n_open++] = p->n_phase;
	p->phase[p->n_phase++] = phase;
	return 0;
}

/* Ends the innermost open phase of that name; phases may overlap, so it need not be the last begun. Values given at the
 * end are added to those given at the begin. */
static int end(struct jm_phases *p, const char *label, size_t len, const char *values, size_t values_len,
               struct jm_moment at)
{
	for (size_t i = p->n_open; i-- > 0;) {
		struct jm_phase *x = &p->phase[p->open[i]];
		if (strlen(x->name) != len || memcmp(x->name, label, len) != 0)
			continue;
		if (values_len && x->values_len + values_len <= JM_VALUES_MAX) {
			char *v = realloc(x->values, x->values_len + values_len + 1);
			if (!v)
				return -ENOMEM;
			memcpy(v + x->values_len, values, values_len);
			x->values = v;
			x->values_len += values_len;
			v[x->values_len] = '\0';
		}
		x->end_ns = at.at_ns > x->begin_ns ? at.at_ns : x->begin_ns;
		x->end = at;
		memmove(p->open + i, p->open + i + 1, (p->n_open - i - 1) * sizeof *p->open);
		p->n_open--;
		return 0;
	}
	p->never_begun++;
	return 0;
}

static int mark(struct jm_phases *p, const char *label, size_t len, const char *values, size_t values_len,
                int64_t at_ns)
{
	if (p->n_mark == JM_PHASES_MAX) {
		p->left_out++;
		return 0;
	}
	if (!jm_grow(&p->mark, &p->cap_mark, p->n_mark + 1, sizeof *p->mark))
		return -ENOMEM;
	struct jm_label m = { copy(label, len), copy(values, values_len), values_len, at_ns, false };
	if (!m.name || !m.values) {
		free(m.name);
		free(m.values);
		return -ENOMEM;
	}
	p->mark[p->n_mark++] = m;
	return 0;
}

/* The habit of older tools: a mark "NAME v" begins a stretch and a mark "NAME ^" ends it. Each for itself is a mark. */
static char half_of_a_pair(const char *label, size_t len)
{
	return len > 2 && label[len - 2] == ' ' && (label[len - 1] == 'v' || label[len - 1] == '^') ? label[len - 1]
	                                                                                            : 0;
}

static bool is_open_pair(const struct jm_phases *p, const char *label, size_t len, size_t *ret_mark)
{
	for (size_t i = p->n_open; i-- > 0;) {
		const struct jm_phase *x = &p->phase[p->open[i]];
		if (strlen(x->name) != len || memcmp(x->name, label, len) != 0)
			continue;
		*ret_mark = x->mark;
		return x->by_marks; /* of that name the innermost is meant */
	}
	return false;
}

static int mark_or_half(struct jm_phases *p, const char *label, size_t len, const char *values, size_t values_len,
                        const struct jm_moment *at)
{
	char half = half_of_a_pair(label, len);
	size_t had = p->n_phase, first;
	if (half == '^' && is_open_pair(p, label, len - 2, &first)) {
		p->mark[first].is_begin = true;
		return end(p, label, len - 2, values, values_len, *at);
	}
	size_t mine = p->n_mark;
	int r = mark(p, label, len, values, values_len, at->at_ns);
	if (r < 0 || half != 'v' || p->n_mark == mine || p->n_phase == JM_PHASES_MAX)
		return r;
	r = begin(p, label, len - 2, values, values_len, *at);
	if (r == 0 && p->n_phase > had) {
		p->phase[had].by_marks = true;
		p->phase[had].mark = mine;
	}
	return r;
}

int jm_phases_event(struct jm_phases *p, const struct jm_sample *s, const struct jm_event *e, int64_t at_ns,
                    const struct jm_moment *from, const struct jm_moment *to)
{
	const char *label = jm_event_text(s, e), *values = jm_event_values(s, e);
	size_t len = strnlen(label, e->text_len < JM_LABEL_MAX ? e->text_len : JM_LABEL_MAX);
	size_t values_len = e->values_len <= JM_VALUES_MAX ? e->values_len : 0;
	if (e->kind == JM_EVENT_PHASE_BEGIN)
		return begin(p, label, len, values, values_len, moment_at(at_ns, from, to));
	if (e->kind == JM_EVENT_PHASE_END)
		return end(p, label, len, values, values_len, moment_at(at_ns, from, to));
	struct jm_moment at = moment_at(at_ns, from, to);
	return mark_or_half(p, label, len, values, values_len, &at);
}

void jm_phases_instant(struct jm_phases *p, int64_t at_ns, int64_t rss)
{
	for (size_t i = 0; i < p->n_open; i++) {
		struct jm_phase *x = &p->phase[p->open[i]];
		if (at_ns >= x->begin_ns && rss > x->peak_rss) {
			x->peak_rss = rss;
			x->peak_at_ns = at_ns;
		}
	}
}
