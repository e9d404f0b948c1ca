/* /proc/PID/status: what only it tells. Dear (9 us), so on the slow clock. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(id, label, bytes): bytes true: "kB", turned into bytes; else a number */
#define JM_PID_STATUS_FIELDS(X)                                                                                        \
	X(TGID, "Tgid", false)                                                                                         \
	X(PPID, "PPid", false)                                                                                         \
	X(UID, "Uid", false)     /* the real one */                                                                    \
	X(NSPID, "NSpid", false) /* in the innermost namespace: the last of the line */                                \
	X(HWM, "VmHWM", true)                                                                                          \
	X(RSS, "VmRSS", true)                                                                                          \
	X(RSS_ANON, "RssAnon", true)                                                                                   \
	X(SWAP, "VmSwap", true)                                                                                        \
	X(THREADS, "Threads", false)                                                                                   \
	X(VOLUNTARY, "voluntary_ctxt_switches", false)                                                                 \
	X(INVOLUNTARY, "nonvoluntary_ctxt_switches", false)

enum jm_pid_status_field {
#define X(id, label, bytes) JM_PID_STATUS_##id,
	JM_PID_STATUS_FIELDS(X)
#undef X
		JM_PID_STATUS_COUNT
};

struct jm_pid_status {
	uint32_t known; /* 1 << field. A zombie and a kernel thread have no Vm lines */
	uint64_t value[JM_PID_STATUS_COUNT];
};

static inline bool jm_pid_status_has(const struct jm_pid_status *s, enum jm_pid_status_field field)
{
	return s->known & 1u << field;
}

/** The name is escaped by the kernel, so a line begins where one seems to begin. Lines we do not know are skipped.
 *  @error -EBADMSG a line of ours holds no number; -ERANGE
 *  @source proc_pid_status(5) */
int jm_pid_status_parse(const char *text, size_t len, struct jm_pid_status *ret);
