#include "model/metric.h"
#include <errno.h>
#include <string.h>

const struct jm_metric jm_metrics[JM_M_COUNT] = {
#define METRIC(id, name_, subject_, unit_, kind_, scale_, source_, help_)                                              \
	[JM_M_##id] = { name_, JM_SUBJECT_##subject_, JM_UNIT_##unit_, JM_KIND_##kind_, scale_, source_, help_ },
#include "model/metrics.def"
#undef METRIC
};

static const char *const units[] = { "1", "ns", "bytes", "1/1000" };
static const char *const kinds[] = { "counter", "gauge", "state" };
static const char *const subjects[JM_SUBJECT_KIND_COUNT] = {
	[JM_SUBJECT_HOST] = "host",
	[JM_SUBJECT_JOB] = "job",
	[JM_SUBJECT_PROCESS] = "process",
	[JM_SUBJECT_CGROUP] = "cgroup",
	[JM_SUBJECT_CPU] = "cpu",
	[JM_SUBJECT_DISK] = "disk",
	[JM_SUBJECT_FILESYSTEM] = "filesystem",
	[JM_SUBJECT_NIC] = "network",
	[JM_SUBJECT_GPU] = "gpu",
	[JM_SUBJECT_DOMAIN] = "energy domain",
	[JM_SUBJECT_SELF] = "self",
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *name_of(const char *const *names, size_t n, unsigned i)
{
	return i < n && names[i] ? names[i] : "?";
}

static int find(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (names[i] && strcmp(names[i], name) == 0)
			return (int)i;
	return -ENOENT;
}

const char *jm_unit_name(unsigned unit)
{
	return name_of(units, COUNT(units), unit);
}

const char *jm_kind_name(unsigned kind)
{
	return name_of(kinds, COUNT(kinds), kind);
}

const char *jm_subject_kind_name(unsigned kind)
{
	return name_of(subjects, COUNT(subjects), kind);
}

int jm_unit_find(const char *name)
{
	return find(units, COUNT(units), name);
}

int jm_kind_find(const char *name)
{
	return find(kinds, COUNT(kinds), name);
}
