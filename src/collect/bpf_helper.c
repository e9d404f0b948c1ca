/* Finds jobmeter-bpf. An ordinary user who has none pays for two looks. */
#include "base/cleanup.h"
#include "collect/bpf_borrow.h"
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char name[] = "jobmeter-bpf";

static enum jm_bpf_helper_state look(const char *path)
{
	struct vfs_ns_cap_data data;
	if (getxattr(path, "security.capability", &data, sizeof data) > 0)
		return JM_BPF_HELPER_READY; /* which ones is for the kernel to say, and for itself */
	return access(path, X_OK) == 0 ? JM_BPF_HELPER_BARE : JM_BPF_HELPER_NONE;
}

/* In the folder of our own program: a build, or a copy that somebody carries about. Whoever has started us with rights that
 * he has not himself must not choose what else is started. */
static bool beside_us(const struct jm_root *root, char ret_path[PATH_MAX])
{
	if (getauxval(AT_SECURE))
		return false;
	ssize_t n = jm_root_readlink(root, "proc/self/exe", ret_path, PATH_MAX);
	char *slash = n > 0 ? strrchr(ret_path, '/') : NULL;
	if (!slash || (size_t)(slash + 1 - ret_path) + sizeof name > PATH_MAX)
		return false;
	memcpy(slash + 1, name, sizeof name);
	return true;
}

enum jm_bpf_helper_state jm_bpf_helper_find(const struct jm_root *root, char ret_path[PATH_MAX])
{
	enum jm_bpf_helper_state state = beside_us(root, ret_path) ? look(ret_path) : JM_BPF_HELPER_NONE;
	if (state != JM_BPF_HELPER_NONE)
		return state;
	static const char installed[] = JM_LIBEXECDIR "/jobmeter-bpf";
	_Static_assert(sizeof installed <= PATH_MAX, "");
	memcpy(ret_path, installed, sizeof installed);
	return look(installed);
}
