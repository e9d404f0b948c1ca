/* Records of our own BPF programs (src/bpf/tree_event.h), one at a time. The kernel's, but judged like anybody's bytes. */
#pragma once
#include "bpf/tree_event.h"
#include <stdbool.h>
#include <stddef.h>

struct jm_bpf_event {
	enum jm_bpf_kind kind;
	int32_t pid, tid;                       /* process and thread, in our pid namespace; pid is positive */
	int32_t parent;                         /* FORK: process; 0: outside of our pid namespace */
	uint64_t start_ns;                      /* of the process, boot time; never 0 */
	uint64_t time_ns;                       /* EXEC, EXIT, LAST: when; boot time */
	bool no_chars, no_storage, no_run_wait; /* these figures are not counted by this kernel */
	bool hidden;      /* EXEC and figures: it has other rights than its owner; there are times and the name */
	bool exit_told;   /* FREE: the thread's EXIT or LAST has told the other part of its figures */
	bool cut;         /* EXEC: there were more arguments */
	const char *args; /* EXEC: in the record; each ended by a NUL; of cut ones the whole ones */
	size_t args_len;
	char comm[JM_BPF_COMM + 1]; /* EXEC, LAST: the name */

	/* EXIT, LAST, FREE */
	struct jm_bpf_figures figures;
	/* LAST */
	uint64_t high_water_pages, max_rss_pages, child_user_ns, child_system_ns;
	int status;
};

/** One record. Arguments that were cut end with the last whole one.
 *  @return 0; -EBADMSG: it makes no sense */
int jm_bpf_event_parse(const void *data, size_t len, struct jm_bpf_event *ret);
