/* What we measure: the catalogue, generated from metrics.def. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum jm_unit { JM_UNIT_NONE, JM_UNIT_NS, JM_UNIT_BYTES, JM_UNIT_MILLI };
enum jm_kind { JM_KIND_COUNTER, JM_KIND_GAUGE, JM_KIND_STATE };
/* Numbers stand in recordings: add at the end only. */
enum jm_subject_kind {
	JM_SUBJECT_HOST = 1,
	JM_SUBJECT_JOB,
	JM_SUBJECT_PROCESS,
	JM_SUBJECT_CGROUP,
	JM_SUBJECT_CPU,
	JM_SUBJECT_DISK,
	JM_SUBJECT_FILESYSTEM,
	JM_SUBJECT_NIC,
	JM_SUBJECT_GPU,
	JM_SUBJECT_DOMAIN,
	JM_SUBJECT_SELF,
	JM_SUBJECT_KIND_COUNT
};
enum jm_metric_id {
#define METRIC(id, ...) JM_M_##id,
#include "model/metrics.def"
#undef METRIC
	JM_M_COUNT
};

struct jm_metric {
	const char *name;
	uint8_t subject, unit, kind; /* jm_subject_kind, jm_unit, jm_kind */
	uint32_t scale;
	const char *source, *help;
};
extern const struct jm_metric jm_metrics[JM_M_COUNT];

/* "ns", "bytes", "1", "1/1000"; "counter", ...; "process", ... Numbers out of range give "?". */
const char *jm_unit_name(unsigned unit);
const char *jm_kind_name(unsigned kind);
const char *jm_subject_kind_name(unsigned kind);
/* The number of a name, or -ENOENT. */
int jm_unit_find(const char *name);
int jm_kind_find(const char *name);
