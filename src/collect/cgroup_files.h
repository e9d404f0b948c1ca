/* The files of a control group and what each line of them is. Private to collect_cgroup.c. */
#pragma once
#include "collect/collector.h"
#include "read/cgroup_place.h"

enum { JM_CGROUP_FILES_MAX = 16, JM_CGROUP_DEVICES_MAX = 64 };

enum jm_cgroup_set {
	JM_CGROUP_USE,          /* what the group has used */
	JM_CGROUP_CPU_LIMIT,    /* of the holder of the quota: how often it was hit */
	JM_CGROUP_MEMORY_LIMIT, /* of the holder of the memory limit: the same */
};

struct jm_cgroup_file; /* a line of the table in cgroup_files.c */

/* Open files of one set. */
struct jm_cgroup_open {
	struct {
		const struct jm_cgroup_file *file;
		int fd;
	} of[JM_CGROUP_FILES_MAX];
	size_t n;
};

/* What reading needs and keeps between two ticks. */
struct jm_cgroup_reader {
	const struct jm_root *root;
	struct jm_buf text;
	struct { /* block devices by number; what does not fit is looked up each time */
		uint64_t major, minor;
		bool counts;
	} device[JM_CGROUP_DEVICES_MAX];
	size_t n_devices;
};

/* Opens the files of a group that exist and whose figures none of those already open has. */
void jm_cgroup_files_open(const struct jm_root *root, const struct jm_cgroup_place *place, enum jm_cgroup_set set,
                          struct jm_cgroup_open *open);
void jm_cgroup_files_close(struct jm_cgroup_open *open);
/** Reads all and puts what they say. One that cannot be read does not hide the others.
 *  @return 0; -ENODEV the group is gone: none could be read for that reason; -ENOMEM */
int jm_cgroup_files_put(struct jm_cgroup_reader *reader, const struct jm_cgroup_open *open, struct jm_subject *subject,
                        struct jm_sample *out);
