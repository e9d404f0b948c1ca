#include "collect/bpf_namespaces.h"
#include "base/parse.h"
#include <errno.h>
#include <string.h>

static int link_inode(const struct jm_root *root, const char *path, const char *kind, uint64_t *ret)
{
	char text[64];
	ssize_t n = jm_root_readlink(root, path, text, sizeof text);
	if (n < 0)
		return (int)n;
	struct jm_span s = jm_span_over(text, (size_t)n);
	return jm_span_skip_text(&s, kind) && jm_parse_u64(&s, ret) == 0 ? 0 : -EBADMSG;
}

int jm_bpf_namespaces(const struct jm_root *root, uint32_t *ret_pid, struct jm_err *err)
{
	const uint64_t first_pid = 0xEFFFFFFC, first_time = 0xEFFFFFFA; /* include/linux/proc_ns.h */
	uint64_t inode, time_inode;
	int r = link_inode(root, "proc/self/ns/pid", "pid:[", &inode);
	if (r < 0)
		return jm_err_set(err, r, "bpf: proc/self/ns/pid does not say which pid namespace we are in (%s)",
		                  strerror(-r));
	if (link_inode(root, "proc/self/ns/time", "time:[", &time_inode) == 0 && time_inode != first_time)
		return jm_err_set(err, -EOPNOTSUPP,
		                  "bpf: in a time namespace the times of its records would not be those of samples");
	*ret_pid = inode == first_pid ? 0 : (uint32_t)inode;
	return 0;
}
