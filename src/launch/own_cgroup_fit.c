/* Would the job notice a group of its own? */
#include "launch/own_cgroup_group.h"
#include "read/cgroup.h"
#include <errno.h>

/* Does the file hold a limit? Programs look at the limits of their own group only, so one must not vanish from it. */
static bool has_limit(const struct jm_root *root, const char *folder, const char *file)
{
	char path[JM_CGROUP_PATH_MAX], text[64];
	uint64_t v;
	if (!jm_own_join(path, folder, file))
		return true;
	ssize_t n = jm_root_read(root, path, text, sizeof text);
	return n > 0 && jm_cgroup_limit(text, (size_t)n, &v) != -ENODATA;
}

static bool lists(const struct jm_root *root, const char *folder, const char *file, const char *word)
{
	char path[JM_CGROUP_PATH_MAX], text[512];
	ssize_t n = jm_own_join(path, folder, file) ? jm_root_read(root, path, text, sizeof text) : -ENAMETOOLONG;
	struct jm_span all = jm_span_over(text, n < 0 ? 0 : (size_t)n), one;
	while (jm_span_word(&all, &one))
		if (jm_span_equals(one, word))
			return true;
	return false;
}

/* Why a group below this one would change something for the job; NULL: it would not. */
const char *jm_own_objection(const struct jm_root *root, const struct jm_cgroup_place *place)
{
	const char *folder = place->folder;
	if (has_limit(root, folder, "memory.max") || has_limit(root, folder, "memory.high") ||
	    has_limit(root, folder, "cpu.max"))
		return "it has limits that the job should see";
	/* a group below would then share CPU or storage as one, against each task of this one */
	if (lists(root, folder, "cgroup.subtree_control", "cpu") || lists(root, folder, "cgroup.subtree_control", "io"))
		return "its groups share CPU or storage by weight";
	return NULL;
}
