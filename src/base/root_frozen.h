/* What the file `machine` of a fixture says. Private to base/root.c and its tests. */
#pragma once
#include "base/root.h"

struct jm_root_mount {
	char *path;
	struct jm_root_space space;
};

struct jm_root_frozen {
	uint64_t hz, page_bytes, boot_ns, wall_ns;
	uint64_t cpus, allowed_cpus; /* 0: not said */
	struct jm_root_uname uname;
	char boot_id[40];
	struct jm_root_mount *mounts;
	size_t n_mounts;
};

int jm_root_frozen_parse(const char *text, size_t len, const char *folder, struct jm_root_frozen **ret,
                         struct jm_err *err);
struct jm_root_frozen *jm_root_frozen_free(struct jm_root_frozen *f);
int jm_root_frozen_space(const struct jm_root_frozen *f, const char *path, struct jm_root_space *ret);
