/* The one place that knows the generated loaders (src/bpf/meson.build): code that hands our programs to the kernel,
 * which finds its own types in them. libc is all that it needs. */
#include "collect/bpf_load.h"
#include "base/cleanup.h"
#include "bpf/tree_event.h"
#include "collect/bpf_namespaces.h"
#include "collect/bpf_why.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpointer-arith"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "src/bpf/tree.lskel.h"
#include "src/bpf/tree_first.lskel.h"
#include "src/bpf/tree_inner.lskel.h"
#include "src/bpf/tree_peak.lskel.h"
#pragma GCC diagnostic pop

/* One function of each skeleton, as they have no type in common. */
#define LOADER(name, tell_namespace, ...)                                                                              \
	static void destroy_##name(void *skeleton)                                                                     \
	{                                                                                                              \
		jm_skel_##name##__destroy(skeleton);                                                                   \
	}                                                                                                              \
	static int load_##name(struct jm_bpf_tree *ret, uint32_t pid_namespace)                                        \
	{                                                                                                              \
		struct jm_skel_##name *s = jm_skel_##name##__open();                                                   \
		if (!s)                                                                                                \
			return -ENOMEM;                                                                                \
		tell_namespace;                                                                                        \
		int r = jm_skel_##name##__load(s);                                                                     \
		if (r >= 0)                                                                                            \
			r = jm_skel_##name##__attach(s);                                                               \
		if (r < 0) {                                                                                           \
			destroy_##name(s);                                                                             \
			return r;                                                                                      \
		}                                                                                                      \
		*ret = (struct jm_bpf_tree){ .skeleton = s,                                                            \
			                     .destroy = destroy_##name,                                                \
			                     .ring = s->maps.ring.map_fd,                                              \
			                     .members = s->maps.members.map_fd,                                        \
			                     .settle = s->progs.settle.prog_fd,                                        \
			                     .ring_bytes = JM_BPF_RING_BYTES,                                          \
			                     .ended = (const uint64_t *)&s->bss->ended,                                \
			                     .lost = (const uint64_t *)&s->bss->lost,                                  \
			                     .missed = (const uint64_t *)&s->bss->missed,                              \
			                     __VA_ARGS__ };                                                            \
		return 0;                                                                                              \
	}
#define PLACES                                                                                                         \
	{                                                                                                              \
		s->maps.users.map_fd, s->maps.places.map_fd, s->maps.given_back.map_fd, &s->bss->sockets               \
	}
#define TELL_NAMESPACE s->rodata->pid_namespace = pid_namespace
LOADER(tree, (void)0, .sockets = PLACES)
LOADER(tree_inner, TELL_NAMESPACE, .sockets = PLACES)
LOADER(tree_peak, TELL_NAMESPACE, .sockets = PLACES, .peak = &s->bss->peak)
LOADER(tree_first, TELL_NAMESPACE, .sockets = { -1, -1, -1, NULL })
#undef TELL_NAMESPACE
#undef PLACES
#undef LOADER

static int load(struct jm_bpf_tree *ret, const struct jm_root *root, bool first, struct jm_err *err)
{
	uint32_t pid_namespace = 0;
	int r = jm_bpf_namespaces(root, &pid_namespace, err);
	if (r < 0)
		return r;
	if (!first)
		r = pid_namespace ? load_tree_inner(ret, pid_namespace) : load_tree(ret, pid_namespace);
	if (first || (r < 0 && r != -ENOMEM && r != -EPERM))
		r = load_tree_first(ret, pid_namespace);
	return r < 0 ? jm_bpf_why(root, r, err) : 0;
}

int jm_bpf_tree_load(struct jm_bpf_tree *ret, const struct jm_root *root, struct jm_err *err)
{
	return load(ret, root, false, err);
}

int jm_bpf_tree_load_first(struct jm_bpf_tree *ret, const struct jm_root *root, struct jm_err *err)
{
	return load(ret, root, true, err);
}

int jm_bpf_tree_load_peak(struct jm_bpf_tree *ret, const struct jm_root *root, struct jm_err *err)
{
	uint32_t pid_namespace = 0;
	int r = jm_bpf_namespaces(root, &pid_namespace, err);
	if (r < 0)
		return r;
	r = load_tree_peak(ret, pid_namespace);
	if (r < 0 && r != -ENOMEM && r != -EPERM && jm_bpf_is_before(root, 6, 3))
		return jm_err_set(err, -EOPNOTSUPP,
		                  "bpf: resident memory can be summed at each moment since Linux 6.3");
	return r < 0 ? jm_bpf_why(root, r, err) : 0;
}

void jm_bpf_tree_done(struct jm_bpf_tree *t)
{
	t->destroy(t->skeleton);
	*t = (struct jm_bpf_tree){ .ring = -1, .members = -1, .settle = -1 };
}

int jm_bpf_tree_adopt(const struct jm_bpf_tree *t, pid_t pid, pid_t tid)
{
	if (t->members < 0)
		return 0; /* whoever has loaded it has put in the first process, and nobody else can */
	enum { THREAD = 0x80 /* PIDFD_THREAD, Linux 6.9: a pidfd is of a first thread without it */ };
	_cleanup_(closep) int fd = (int)syscall(SYS_pidfd_open, tid, pid == tid ? 0 : THREAD);
	if (fd < 0)
		return -errno;
	struct jm_bpf_member member = { .pid = (uint32_t)pid, .tid = (uint32_t)tid };
	union bpf_attr attr = {
		.map_fd = (uint32_t)t->members,
		.key = (uint64_t)(uintptr_t)&fd,
		.value = (uint64_t)(uintptr_t)&member,
		.flags = BPF_NOEXIST,
	};
	if (syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof attr) < 0 && errno != EEXIST)
		return -errno;
	return 0;
}

int jm_bpf_tree_settle(const struct jm_bpf_tree *t, struct jm_bpf_settle *ret)
{
	*ret = (struct jm_bpf_settle){ 0 };
	union bpf_attr attr = { .test = { .prog_fd = (uint32_t)t->settle,
		                          .ctx_in = (uint64_t)(uintptr_t)ret,
		                          .ctx_size_in = sizeof *ret } };
	return syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof attr) < 0 ? -errno : 0;
}
