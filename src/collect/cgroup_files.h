/* The files of a control group that say what it has used, and what each line of them is. Private to collect_cgroup.c. */
#pragma once
#include "collect/collector.h"
#include "read/cgroup_place.h"

enum { JM_CGROUP_FILES_MAX = 16, JM_CGROUP_TEXT_MAX = 16384 };

struct jm_cgroup_file; /* a line of the table in cgroup_files.c */

/* An open one. */
struct jm_cgroup_open {
	const struct jm_cgroup_file *file;
	int fd;
};

/* Opens the files of a group that exist and whose figures none of those in open[0..n) has. The new n. */
size_t jm_cgroup_files_open(const struct jm_root *root, const struct jm_cgroup_place *place,
                            struct jm_cgroup_open *open, size_t n);
/* Reads one and puts what it says. -ENODEV: the group is gone. text: for files that have no stated size, reused. */
int jm_cgroup_file_put(const struct jm_root *root, const struct jm_cgroup_open *open, struct jm_buf *text,
                       struct jm_subject *subject, struct jm_sample *out);
