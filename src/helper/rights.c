#include "helper/rights.h"
#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PERFMON = 38, BPF = 39 }; /* Linux 5.8 */
static const uint32_t ours[2] = { 0, 1u << (PERFMON - 32) | 1u << (BPF - 32) };

static int set(const uint32_t permitted[2], const uint32_t effective[2], struct jm_err *err)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .permitted = permitted[0], .effective = effective[0] },
		{ .permitted = permitted[1], .effective = effective[1] },
	};
	return syscall(SYS_capset, &head, data) < 0 ? jm_err_set(err, -errno, "capset(2): %s", strerror(errno)) : 0;
}

static int check_user(struct jm_err *err)
{
	uid_t uid, euid, suid;
	gid_t gid, egid, sgid;
	if (getresuid(&uid, &euid, &suid) < 0 || getresgid(&gid, &egid, &sgid) < 0)
		return -errno;
	if (uid == 0)
		return jm_err_set(err, -EPERM, "it is for ordinary users: for root jobmeter loads its programs itself");
	if (euid != uid || suid != uid || egid != gid || sgid != gid)
		return jm_err_set(err, -EPERM,
		                  "it must not be setuid or setgid: cap_bpf,cap_perfmon=ep is all that it takes");
	return 0;
}

int jm_helper_rights_check(struct jm_err *err)
{
	static const uint32_t none[2] = { 0, 0 };
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };
	const struct rlimit no_core = { 0, 0 };
	int r = check_user(err);
	if (r < 0)
		return r;
	if (syscall(SYS_capget, &head, data) < 0)
		return jm_err_set(err, -errno, "capget(2): %s", strerror(errno));
	if (data[0].permitted == 0 && data[1].permitted == 0)
		return jm_err_set(
			err, -EPERM,
			"it has got no capabilities: its file has none, its file system is mounted nosuid, or "
			"no_new_privs is set");
	if (data[0].permitted != ours[0] || data[1].permitted != ours[1])
		return jm_err_set(err, -EPERM,
		                  "its capabilities are not cap_bpf and cap_perfmon alone (setcap "
		                  "cap_bpf,cap_perfmon=ep)");
	if (!getauxval(AT_SECURE))
		return jm_err_set(err, -EPERM, "its capabilities are not those of its file");
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    setrlimit(RLIMIT_CORE, &no_core) < 0)
		return jm_err_set(err, -errno, "prctl(2): %s", strerror(errno));
	return set(ours, none, err);
}

int jm_helper_rights_use(struct jm_err *err)
{
	return set(ours, ours, err);
}

int jm_helper_rights_drop(struct jm_err *err)
{
	static const uint32_t none[2] = { 0, 0 };
	return set(none, none, err);
}
