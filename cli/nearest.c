#include "options.h"
#include <string.h>

enum { LENGTH_MAX = 32 };

/* Edit distance with swaps of neighbours (Damerau); texts longer than LENGTH_MAX are far from everything. */
static unsigned distance(const char *a, const char *b)
{
	unsigned d[LENGTH_MAX + 1][LENGTH_MAX + 1];
	size_t n = strlen(a), m = strlen(b);

	if (n > LENGTH_MAX || m > LENGTH_MAX)
		return LENGTH_MAX;
	for (size_t i = 0; i <= n; i++)
		d[i][0] = (unsigned)i;
	for (size_t j = 0; j <= m; j++)
		d[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++)
		for (size_t j = 1; j <= m; j++) {
			unsigned best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			if (d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	return d[n][m];
}

void nearest_try(struct nearest *n, const char *typed, const char *name)
{
	size_t len = strlen(typed);
	unsigned d = distance(typed, name);
	/* what was begun and not ended is meant, even when much is missing */
	if (len >= 3 && !strncmp(name, typed, len))
		d = 1;
	if (d <= 1 + len / 5 && d < len && (!n->name || d < n->distance))
		*n = (struct nearest){ name, d };
}
