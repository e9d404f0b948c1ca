/* The one place that knows the generated loaders of the sampling programs (src/bpf/meson.build). */
#include "base/parse.h"
#include "collect/bpf_load.h"
#include "collect/bpf_why.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpointer-arith"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "src/bpf/sample.lskel.h"
#include "src/bpf/sample_first.lskel.h"
#pragma GCC diagnostic pop

/* Tasks are found by their numbers in the first namespace. */
static bool are_first_numbers(const struct jm_root *root)
{
	static const char first[] = "pid:[4026531836]"; /* include/linux/proc_ns.h: PROC_PID_INIT_INO */
	char text[64];
	ssize_t n = jm_root_readlink(root, "proc/self/ns/pid", text, sizeof text);
	return n == sizeof first - 1 && memcmp(text, first, sizeof first - 1) == 0;
}

/* One function of each skeleton, as they have no type in common. */
#define LOADER(name)                                                                                                   \
	static void destroy_##name(void *skeleton)                                                                     \
	{                                                                                                              \
		jm_skel_##name##__destroy(skeleton);                                                                   \
	}                                                                                                              \
	static int load_##name(struct jm_bpf_sample *ret, uint32_t n_slots, int *ret_map)                              \
	{                                                                                                              \
		struct jm_skel_##name *s = jm_skel_##name##__open();                                                   \
		if (!s)                                                                                                \
			return -ENOMEM;                                                                                \
		s->maps.slots.max_entries = n_slots;                                                                   \
		int r = jm_skel_##name##__load(s);                                                                     \
		if (r < 0) {                                                                                           \
			destroy_##name(s);                                                                             \
			return r;                                                                                      \
		}                                                                                                      \
		*ret_map = s->maps.slots.map_fd;                                                                       \
		*ret = (struct jm_bpf_sample){ s, destroy_##name, s->progs.take_sample.prog_fd, NULL, n_slots };       \
		return 0;                                                                                              \
	}
LOADER(sample)
LOADER(sample_first)
#undef LOADER

static size_t slots_bytes(const struct jm_bpf_sample *s)
{
	return s->n_slots * sizeof(struct jm_bpf_slot);
}

int jm_bpf_sample_load(struct jm_bpf_sample *ret, const struct jm_root *root, uint32_t n_slots, struct jm_err *err)
{
	int map;
	if (!are_first_numbers(root))
		return jm_err_set(err, -EOPNOTSUPP, "bpf: processes cannot be sampled by programs in a pid namespace");
	int r = load_sample(ret, n_slots, &map);
	if (r < 0 && r != -ENOMEM)
		r = load_sample_first(ret, n_slots, &map);
	if (r < 0 && r != -ENOMEM && r != -EPERM && jm_bpf_is_before(root, 6, 2))
		return jm_err_set(err, -EOPNOTSUPP, "bpf: processes can be sampled by programs since Linux 6.2");
	if (r < 0)
		return jm_bpf_why(root, r, err);
	void *slots = mmap(NULL, slots_bytes(ret), PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	if (slots == MAP_FAILED) {
		r = -errno;
		ret->destroy(ret->skeleton);
		return jm_err_set(err, r, "bpf: the array of samples cannot be mapped (%s)", strerror(-r));
	}
	ret->slots = slots;
	return 0;
}

void jm_bpf_sample_done(struct jm_bpf_sample *s)
{
	(void)munmap(s->slots, slots_bytes(s));
	s->destroy(s->skeleton);
	*s = (struct jm_bpf_sample){ .program = -1 };
}

int jm_bpf_sample_take(const struct jm_bpf_sample *s, uint32_t n)
{
	struct jm_bpf_sample_call call = { n };
	union bpf_attr attr = { .test = { .prog_fd = (uint32_t)s->program,
		                          .ctx_in = (uint64_t)(uintptr_t)&call,
		                          .ctx_size_in = sizeof call } };
	return syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof attr) < 0 ? -errno : 0;
}
