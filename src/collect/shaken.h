/* How much shared memory processes have come to use, or left, and when. Who was read at some time is wrong by what came
 * later, however late that is found out: so it is kept by time, divided at the samples in which somebody was read. When
 * there are too many of them, the two with the least in between become one: that can only make a doubt larger. */
#pragma once
#include <stdint.h>

enum { JM_SHAKEN_MAX = 16 };

struct jm_shaken {
	struct jm_shaken_since {
		uint64_t at_ns; /* sample in which somebody was read */
		uint64_t bytes; /* from then to the next one */
	} since[JM_SHAKEN_MAX];
	unsigned n;
};

/* Somebody is read in this sample. */
void jm_shaken_divide(struct jm_shaken *s, uint64_t at_ns);
/* Memory was shaken before that time and after the sample before it. Nobody was read until then: it concerns nobody. */
void jm_shaken_add(struct jm_shaken *s, uint64_t at_ns, uint64_t bytes);
/* Number of the part in which who was read in that sample stands. */
unsigned jm_shaken_part(const struct jm_shaken *s, uint64_t at_ns);
/* All that was shaken from the begin of a part on. */
uint64_t jm_shaken_from(const struct jm_shaken *s, unsigned part);
