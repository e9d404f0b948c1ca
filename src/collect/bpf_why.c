#include "collect/bpf_why.h"
#include "base/cleanup.h"
#include "base/parse.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BPF = 39, PERFMON = 38 };

static bool has_capability(unsigned which)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };
	if (syscall(SYS_capget, &head, data) < 0)
		return true; /* not to be blamed */
	uint32_t admin = data[CAP_SYS_ADMIN / 32].effective & 1u << CAP_SYS_ADMIN % 32;
	return admin || data[which / 32].effective & 1u << which % 32;
}

bool jm_bpf_may_load(void)
{
	return has_capability(BPF) && has_capability(PERFMON);
}

/* root of a container, perhaps: its rights end where the kernel's own programs begin */
static bool in_user_namespace(const struct jm_root *root)
{
	char text[64];
	return jm_root_readlink(root, "proc/self/ns/user", text, sizeof text) > 0 &&
	       strcmp(text, "user:[4026531837]") != 0; /* PROC_USER_INIT_INO, include/linux/proc_ns.h */
}

static bool is_locked_down(const struct jm_root *root)
{
	char text[128];
	return jm_root_read(root, "sys/kernel/security/lockdown", text, sizeof text) > 0 &&
	       strstr(text, "[confidentiality]");
}

bool jm_bpf_is_before(const struct jm_root *root, unsigned major, unsigned minor)
{
	struct jm_root_uname u = { 0 };
	(void)jm_root_uname(root, &u);
	struct jm_span s = jm_span_over(u.kernel, strlen(u.kernel));
	uint64_t a, b;
	return jm_parse_u64(&s, &a) == 0 && jm_span_skip_text(&s, ".") && jm_parse_u64(&s, &b) == 0 &&
	       (a < major || (a == major && b < minor));
}

int jm_bpf_why(const struct jm_root *root, int error, struct jm_err *err)
{
	struct jm_root_uname u = { 0 };
	(void)jm_root_uname(root, &u);
	if (error == -ENOMEM)
		return error;
	if (error == -ENOSYS)
		return jm_err_set(err, error, "bpf(2): this kernel has no BPF programs (CONFIG_BPF_SYSCALL)");
	if (jm_bpf_is_before(root, 5, 17))
		return jm_err_set(err, -EOPNOTSUPP,
		                  "bpf(2): our programs can be loaded since Linux 5.17, and this is %.40s", u.kernel);
	if ((error == -EPERM || error == -EACCES) && in_user_namespace(root))
		return jm_err_set(err, error,
		                  "bpf(2): not permitted in a user namespace, as containers without root have it; the "
		                  "capabilities CAP_BPF and CAP_PERFMON are needed outside of it");
	if (!jm_bpf_may_load())
		return jm_err_set(err, -EPERM,
		                  "bpf(2): not permitted; it works for root, or with the capabilities CAP_BPF and "
		                  "CAP_PERFMON");
	if (is_locked_down(root))
		return jm_err_set(err, error, "bpf(2): the kernel is locked down (confidentiality)");
	if (error == -EPERM || error == -EACCES)
		return jm_err_set(
			err, error,
			"bpf(2): not permitted; a filter of system calls, as containers have it, or a security "
			"module forbids it");
	_cleanup_(closep) int types = jm_root_openat(root, "sys/kernel/btf/vmlinux", O_RDONLY);
	if (types == -ENOENT)
		return jm_err_set(err, error,
		                  "bpf(2): this kernel does not tell what its types are like (CONFIG_DEBUG_INFO_BTF)");
	return jm_err_set(err, error, "bpf(2): the kernel does not take our programs (%s)", strerror(-error));
}
