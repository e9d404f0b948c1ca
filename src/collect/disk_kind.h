/* Which block devices are counted: whole devices at the bottom, each byte once. Why: docs/collecting.md. */
#pragma once
#include "base/parse.h"
#include "base/root.h"

/* name: as in proc/diskstats. before: the last counted device before it in that file (may be empty), which tells a
 * partition on machines that show no sys. */
bool jm_disk_counts(const struct jm_root *root, struct jm_span name, struct jm_span before);
/* Is the device with that number one that is counted? Unknown numbers are. */
bool jm_disk_number_counts(const struct jm_root *root, uint64_t major, uint64_t minor);
