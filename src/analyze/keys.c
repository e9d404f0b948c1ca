#include "analyze/keys.h"
#include "analyze/analyze.h"
#include <errno.h>
#include <string.h>

#define AT(field) offsetof(struct jm_report, field)
#define FIGURE(key, field)                                                                                             \
	{                                                                                                              \
		key, JM_KEY_FIGURE, AT(field)                                                                          \
	}
#define MILLI(key, field)                                                                                              \
	{                                                                                                              \
		key, JM_KEY_MILLI, AT(field)                                                                           \
	}

/* clang-format off */
const struct jm_key jm_keys[] = {
	{ "run.wall_ns", JM_KEY_INT, AT(wall_ns) },
	{ "exit.status", JM_KEY_EXIT, 0 },
	{ "exit.signal", JM_KEY_SIGNAL, 0 },
	FIGURE("cpu.user_ns", cpu.user_ns),
	FIGURE("cpu.system_ns", cpu.system_ns),
	FIGURE("cpu.total_ns", cpu.total_ns),
	FIGURE("cpu.attributed_ns", cpu.attributed_ns),
	FIGURE("cpu.unattributed_ns", cpu.unattributed_ns),
	MILLI("cpu.mean_cores", cpu.mean_mcores),
	MILLI("cpu.p95_cores", cpu.p95_mcores),
	MILLI("cpu.peak_cores", cpu.peak_mcores),
	MILLI("cpu.allowed_cores", cpu.allowed_mcores),
	FIGURE("cpu.throttled_ns", cpu.throttled_ns),
	FIGURE("time.thread_ns", time.thread_ns),
	FIGURE("time.on_cpu_ns", time.on_cpu_ns),
	FIGURE("time.runnable_ns", time.runnable_ns),
	FIGURE("time.waiting_ns", time.waiting_ns),
	FIGURE("time.disk_ns", time.disk_ns),
	FIGURE("time.reclaim_ns", time.reclaim_ns),
	FIGURE("time.throttled_ns", time.throttled_ns),
	FIGURE("time.asleep_ns", time.asleep_ns),
	FIGURE("hardware.cycles", hardware.cycles),
	FIGURE("hardware.instructions", hardware.instructions),
	FIGURE("hardware.cache_references", hardware.cache_references),
	FIGURE("hardware.cache_misses", hardware.cache_misses),
	FIGURE("hardware.branch_misses", hardware.branch_misses),
	MILLI("hardware.instructions_per_cycle", hardware.instructions_per_cycle),
	MILLI("hardware.cache_miss_rate", hardware.cache_miss_rate),
	{ "memory.peak_rss_bytes", JM_KEY_RANGE, AT(memory.peak_rss_bytes) },
	FIGURE("memory.peak_pss_bytes", memory.peak_pss_bytes),
	FIGURE("memory.peak_uss_bytes", memory.peak_uss_bytes),
	FIGURE("memory.largest_process_rss_bytes", memory.largest_process_rss_bytes),
	FIGURE("memory.limit_bytes", memory.limit_bytes),
	FIGURE("memory.cgroup_peak_bytes", memory.cgroup_peak_bytes),
	FIGURE("memory.swap_peak_bytes", memory.swap_peak_bytes),
	FIGURE("memory.oom_kills", memory.oom_kills),
	FIGURE("io.read_bytes", io.read_bytes),
	FIGURE("io.write_bytes", io.write_bytes),
	FIGURE("io.read_chars", io.read_chars),
	FIGURE("io.write_chars", io.write_chars),
	FIGURE("io.cancelled_write_bytes", io.cancelled_write_bytes),
	FIGURE("network.sent_bytes", network.sent_bytes),
	FIGURE("network.received_bytes", network.received_bytes),
	FIGURE("network.unix_sent_bytes", network.unix_sent_bytes),
	FIGURE("network.unix_received_bytes", network.unix_received_bytes),
	FIGURE("processes.started", processes.started),
	FIGURE("processes.seen", processes.seen),
	FIGURE("processes.max_live", processes.max_live),
	{ "quality.lost_events", JM_KEY_INT, AT(quality.lost_events) },
	FIGURE("overhead.cpu_ns", overhead.cpu_ns),
	FIGURE("overhead.peak_rss_bytes", overhead.peak_rss_bytes),
	FIGURE("overhead.recording_bytes", overhead.recording_bytes),
	{ "energy.total_uj", JM_KEY_ABSENT, 0 },
	{ "energy.attributed_uj", JM_KEY_ABSENT, 0 },
	{ "energy.idle_uj", JM_KEY_ABSENT, 0 },
	{ "carbon.total_ug", JM_KEY_ABSENT, 0 },
	{ "carbon.intensity_g_per_kwh", JM_KEY_ABSENT, 0 },
	{ "cost.total", JM_KEY_ABSENT, 0 },
	{ "cost.per_hour", JM_KEY_ABSENT, 0 },
};
/* clang-format on */
const size_t jm_n_keys = sizeof jm_keys / sizeof *jm_keys;

static bool ends_with(struct jm_span *s, const char *tail)
{
	size_t len = strlen(tail);
	if (jm_span_len(*s) <= len || memcmp(s->end - len, tail, len) != 0)
		return false;
	s->end -= len;
	return true;
}

static const struct jm_key *exact(struct jm_span name)
{
	for (size_t i = 0; i < jm_n_keys; i++)
		if (jm_span_equals(name, jm_keys[i].name))
			return &jm_keys[i];
	return NULL;
}

const struct jm_key *jm_key_find(struct jm_span name, enum jm_key_part *ret_part)
{
	const struct jm_key *key = exact(name);
	*ret_part = JM_PART_WHOLE;
	if (key)
		return key;
	if (ends_with(&name, ".low"))
		*ret_part = JM_PART_LOW;
	else if (ends_with(&name, ".high"))
		*ret_part = JM_PART_HIGH;
	else
		return NULL;
	key = exact(name);
	return key && key->kind == JM_KEY_RANGE ? key : NULL;
}

/* Levenshtein distance of two short texts. */
static unsigned distance(struct jm_span a, const char *b)
{
	enum { LONGEST = 64 };
	size_t n = strlen(b), m = jm_span_len(a) < LONGEST ? jm_span_len(a) : LONGEST;
	unsigned row[LONGEST];
	if (n >= LONGEST)
		return LONGEST;
	for (unsigned k = 0; k <= n; k++)
		row[k] = k;
	for (unsigned i = 1; i <= m; i++) {
		unsigned corner = row[0];
		row[0] = i;
		for (size_t k = 1; k <= n; k++) {
			unsigned change = corner + (a.p[i - 1] != b[k - 1]);
			corner = row[k];
			unsigned best = row[k - 1] < row[k] ? row[k - 1] + 1 : row[k] + 1;
			row[k] = change < best ? change : best;
		}
	}
	return row[n];
}

const char *jm_key_nearest(struct jm_span name)
{
	const char *best = jm_keys[0].name;
	unsigned least = UINT32_MAX;
	for (size_t i = 0; i < jm_n_keys; i++) {
		/* people leave out the object or the unit: the last part alone is as good */
		const char *dot = strchr(jm_keys[i].name, '.');
		unsigned whole = distance(name, jm_keys[i].name), last = distance(name, dot + 1);
		unsigned d = last < whole ? last : whole;
		if (d < least) {
			least = d;
			best = jm_keys[i].name;
		}
	}
	return best;
}

static int figure(const struct jm_figure *f, double unit, double *ret)
{
	if (!f->known)
		return -ENODATA;
	*ret = (double)f->value / unit;
	return 0;
}

int jm_key_value(const struct jm_key *key, enum jm_key_part part, const struct jm_report *r, double *ret)
{
	const void *at = (const char *)r + key->offset;
	const struct jm_range *range = at;
	switch (key->kind) {
	case JM_KEY_INT:
		*ret = (double)*(const int64_t *)at;
		return 0;
	case JM_KEY_FIGURE:
		return figure(at, 1, ret);
	case JM_KEY_MILLI:
		return figure(at, 1000, ret);
	case JM_KEY_RANGE:
		return figure(part == JM_PART_LOW ? &range->low : &range->high, 1, ret);
	case JM_KEY_EXIT:
	case JM_KEY_SIGNAL:
		/* the summary has one of the two, the other is null */
		if (!r->exit.known || (r->exit.signal != 0) != (key->kind == JM_KEY_SIGNAL))
			return -ENODATA;
		*ret = key->kind == JM_KEY_SIGNAL ? r->exit.signal : r->exit.status;
		return 0;
	default:
		return -ENODATA;
	}
}

int jm_report_number(const struct jm_report *r, const char *key, double *ret)
{
	enum jm_key_part part;
	const struct jm_key *k = jm_key_find(jm_span_over(key, strlen(key)), &part);
	return k ? jm_key_value(k, part, r, ret) : -ENOENT;
}
