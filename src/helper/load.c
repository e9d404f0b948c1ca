#include "helper/load.h"
#include "collect/bpf_namespaces.h"
#include "collect/bpf_why.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpointer-arith"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "src/bpf/tree_guarded.lskel.h"
#pragma GCC diagnostic pop

#define SAME_PLACE(a, b)                                                                                               \
	_Static_assert(offsetof(struct jm_bpf_counts, a) == offsetof(struct jm_skel_tree_guarded__bss, b), "")
SAME_PLACE(lost, lost);
SAME_PLACE(missed, missed);
SAME_PLACE(sockets, sockets);
_Static_assert(sizeof(struct jm_bpf_counts) == sizeof(struct jm_skel_tree_guarded__bss), "nothing else is handed over");

int jm_helper_load(struct jm_helper_tree *ret, const struct jm_root *root, struct jm_err *err)
{
	uint32_t pid_namespace;
	int r = jm_bpf_namespaces(root, &pid_namespace, err);
	if (r < 0)
		return r;
	if (pid_namespace)
		return jm_err_set(err, -EOPNOTSUPP,
		                  "it works in the first pid namespace alone, and this is a container's");
	struct jm_skel_tree_guarded *s = jm_skel_tree_guarded__open();
	if (!s)
		return -ENOMEM;
	s->rodata->owner_uid = getuid();
	s->rodata->owner_gid = getgid();
	r = jm_skel_tree_guarded__load(s);
	if (r >= 0)
		r = jm_skel_tree_guarded__attach(s);
	if (r < 0) {
		r = jm_bpf_why(root, r, err);
		jm_skel_tree_guarded__destroy(s);
		return r;
	}
	const int maps[JM_BPF_MAPS] = { s->maps.ring.map_fd, s->maps.bss.map_fd, s->maps.users.map_fd,
		                        s->maps.places.map_fd, s->maps.given_back.map_fd };
	_Static_assert(sizeof s->links <= JM_BPF_LINKS_MOST * sizeof(int), "there is room for all links");
	*ret = (struct jm_helper_tree){
		.n_links = sizeof s->links / sizeof(int),
		.members = s->maps.members.map_fd,
	};
	memcpy(ret->fds, maps, sizeof maps);
	memcpy(ret->fds + JM_BPF_MAPS, &s->links, sizeof s->links);
	return 0; /* s stays, for as long as we do */
}

int jm_helper_follow(const struct jm_helper_tree *t, int pidfd, pid_t pid, struct jm_err *err)
{
	/* hidden until its next exec, which is the job's first */
	struct jm_bpf_member member = { .pid = (uint32_t)pid, .tid = (uint32_t)pid, .hidden = 1 };
	union bpf_attr attr = {
		.map_fd = (uint32_t)t->members,
		.key = (uint64_t)(uintptr_t)&pidfd,
		.value = (uint64_t)(uintptr_t)&member,
		.flags = BPF_NOEXIST,
	};
	return syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof attr) < 0
	               ? jm_err_set(err, -errno, "the process cannot be marked as the job's (%s)", strerror(errno))
	               : 0;
}
