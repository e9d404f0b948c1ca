#include "render/pick.h"
#include "render/format.h"
#include <string.h>

static int64_t memory_of(const struct jm_report_group *g)
{
	const struct jm_figure *f = jm_range_safe(&g->peak_rss_bytes);
	return f && f->value > 0 ? f->value : 0;
}

static int64_t cpu_of(const struct jm_report_group *g)
{
	return g->cpu_total_ns.known && g->cpu_total_ns.value > 0 ? g->cpu_total_ns.value : 0;
}

/* The sum of two shares, of the largest group each, in millionths: one choice serves both pictures. */
static int64_t weight(const struct jm_report_group *g, int64_t cpu, int64_t memory)
{
	int64_t a = cpu ? (int64_t)((__int128)cpu_of(g) * 1000000 / cpu) : 0;
	int64_t b = memory ? (int64_t)((__int128)memory_of(g) * 1000000 / memory) : 0;
	return a + b;
}

static unsigned hash(const char *name)
{
	uint32_t h = 2166136261u;
	for (; name && *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return (h ^ h >> 16) % 6;
}

static void choose(const struct jm_report *r, size_t most, struct jm_pick *p)
{
	int64_t cpu = 0, memory = 0, weights[JM_PICK_MAX];
	for (size_t i = 0; i < r->n_groups; i++) {
		cpu = cpu_of(&r->groups[i]) > cpu ? cpu_of(&r->groups[i]) : cpu;
		memory = memory_of(&r->groups[i]) > memory ? memory_of(&r->groups[i]) : memory;
	}
	for (size_t i = 0; i < r->n_groups; i++) {
		int64_t w = weight(&r->groups[i], cpu, memory);
		size_t at = p->n;
		while (at > 0 && w > weights[at - 1])
			at--;
		if (at >= most)
			continue;
		size_t move = (p->n < most ? p->n : most - 1) - at;
		memmove(&p->rows[at + 1], &p->rows[at], move * sizeof *p->rows);
		memmove(&weights[at + 1], &weights[at], move * sizeof *weights);
		p->rows[at].group = (uint32_t)i;
		weights[at] = w;
		p->n += p->n < most;
	}
}

void jm_pick_groups(const struct jm_report *r, struct jm_pick *ret)
{
	bool used[6] = { false };
	*ret = (struct jm_pick){ .rest = r->n_groups > JM_PICK_MAX };
	choose(r, ret->rest ? JM_PICK_MAX - 1 : JM_PICK_MAX, ret);
	/* the heaviest choose their colours first, so that those stay the same from run to run */
	for (size_t i = 0; i < ret->n; i++) {
		unsigned color = hash(r->groups[ret->rows[i].group].name);
		for (unsigned k = 0; k < 6 && used[color]; k++)
			color = (color + 1) % 6;
		ret->rows[i].paint = i < 6 ? JM_PAINT_0 + color : JM_PAINT_OTHER;
		used[color] = true;
	}
	for (size_t i = 1; i < ret->n; i++)
		for (size_t k = i;
		     k > 0 && r->groups[ret->rows[k].group].begin_ns < r->groups[ret->rows[k - 1].group].begin_ns;
		     k--) {
			__typeof__(ret->rows[0]) t = ret->rows[k];
			ret->rows[k] = ret->rows[k - 1];
			ret->rows[k - 1] = t;
		}
}

enum jm_paint jm_pick_paint(const struct jm_pick *p, size_t group)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->rows[i].group == group)
			return p->rows[i].paint;
	return JM_PAINT_OTHER;
}
