#include "collect/shaken.h"
#include <string.h>

static void join_two(struct jm_shaken *s)
{
	unsigned least = 0;
	for (unsigned i = 1; i + 1 < s->n; i++)
		if (s->since[i].bytes < s->since[least].bytes)
			least = i;
	s->since[least].bytes += s->since[least + 1].bytes;
	s->n--;
	memmove(&s->since[least + 1], &s->since[least + 2], (s->n - least - 1) * sizeof *s->since);
}

void jm_shaken_divide(struct jm_shaken *s, uint64_t at_ns)
{
	if (s->n && s->since[s->n - 1].at_ns >= at_ns)
		return;
	if (s->n == JM_SHAKEN_MAX)
		join_two(s);
	s->since[s->n++] = (struct jm_shaken_since){ at_ns, 0 };
}

void jm_shaken_add(struct jm_shaken *s, uint64_t at_ns, uint64_t bytes)
{
	for (unsigned i = s->n; i-- > 0;) {
		if (s->since[i].at_ns < at_ns) {
			s->since[i].bytes += bytes;
			return;
		}
	}
}

unsigned jm_shaken_part(const struct jm_shaken *s, uint64_t at_ns)
{
	unsigned i = s->n;
	while (i > 1 && s->since[i - 1].at_ns > at_ns)
		i--;
	return i ? i - 1 : 0;
}

uint64_t jm_shaken_from(const struct jm_shaken *s, unsigned part)
{
	uint64_t sum = 0;
	for (unsigned i = part; i < s->n; i++)
		sum += s->since[i].bytes;
	return sum;
}
