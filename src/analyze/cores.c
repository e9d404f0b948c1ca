#include "analyze/cores.h"
#include "analyze/bounds.h"

void jm_cores_init(struct jm_cores *c, int64_t shortest_ns, int64_t limit_mcores)
{
	*c = (struct jm_cores){
		.shortest_ns = shortest_ns, .limit_mcores = limit_mcores, .peak_mcores = -1, .peak_at_ns = -1
	};
}

/* 0 to 63 one by one, then 64 bins to each doubling. */
static unsigned bin_of(int64_t mcores)
{
	if (mcores < 64)
		return mcores < 0 ? 0 : (unsigned)mcores;
	unsigned doublings = 58 - (unsigned)__builtin_clzll((unsigned long long)mcores);
	unsigned bin = 64 * doublings + (unsigned)(mcores >> (doublings - 1)) - 64;
	return bin < JM_CORES_BINS ? bin : JM_CORES_BINS - 1;
}

void jm_cores_put(struct jm_cores *c, int64_t at_ns, int64_t cpu_ns, bool last)
{
	int64_t elapsed = at_ns - c->at_ns;
	if (elapsed <= 0 || (elapsed < c->shortest_ns && !(last && c->intervals == 0)))
		return;
	int64_t mcores = jm_rounded((double)(cpu_ns - c->cpu_ns) * 1000 / (double)elapsed);
	if (c->limit_mcores > 0 && mcores > c->limit_mcores)
		mcores = c->limit_mcores;
	double seconds = (double)elapsed / 1e9;
	struct jm_cores_bin *b = &c->bin[bin_of(mcores)];
	b->seconds += seconds;
	b->weighted += seconds * (double)mcores;
	if (mcores > c->peak_mcores) {
		c->peak_mcores = mcores;
		c->peak_at_ns = at_ns;
	}
	c->intervals++;
	c->at_ns = at_ns;
	c->cpu_ns = cpu_ns;
}

double jm_cores_seconds(const struct jm_cores *c)
{
	double sum = 0;
	for (unsigned i = 0; i < JM_CORES_BINS; i++)
		sum += c->bin[i].seconds;
	return sum;
}

static int64_t mean_of(const struct jm_cores_bin *b)
{
	return (int64_t)(b->weighted / b->seconds + 0.5);
}

int64_t jm_cores_percentile(const struct jm_cores *c, double part)
{
	double wanted = jm_cores_seconds(c) * part, sum = 0;
	int64_t found = -1;
	for (unsigned i = 0; i < JM_CORES_BINS; i++) {
		if (c->bin[i].seconds <= 0)
			continue;
		sum += c->bin[i].seconds;
		found = mean_of(&c->bin[i]);
		if (sum >= wanted)
			break;
	}
	return found;
}

double jm_cores_below(const struct jm_cores *c, int64_t mcores)
{
	double sum = 0;
	for (unsigned i = 0; i < JM_CORES_BINS; i++)
		if (c->bin[i].seconds > 0 && mean_of(&c->bin[i]) < mcores)
			sum += c->bin[i].seconds;
	return sum;
}
