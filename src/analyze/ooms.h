/* Kills for lack of memory: who it was, how large, and which limit was hit. The kernel's log names the victim; where nobody
 * may read it a control group only counts, and whoever of the job ended by SIGKILL at that moment was it; or, where the
 * parent has not told us, probably who ended at all. */
#pragma once
#include "analyze/alive.h"

enum { JM_VICTIMS_MAX = 32, JM_CANDIDATES_MAX = 64 };

struct jm_oom {
	int64_t at_ns;
	uint32_t id; /* of the process */
	pid_t pid;
	char name[JM_NAME_MAX];
	int64_t rss, limit; /* -1: not known */
	char cgroup[128];   /* empty: not known */
	bool killed;        /* by SIGKILL; else nobody has told us how it ended */
};

struct jm_ooms {
	struct jm_oom victim[JM_VICTIMS_MAX];       /* named by the log; the first ones */
	uint64_t n_victims;                         /* how many it has named */
	struct jm_oom candidate[JM_CANDIDATES_MAX]; /* it may have been these, by when and how they ended */
	size_t n_candidates;
	uint64_t counted; /* by the control group, since the run began */
	struct jm_oom_window {
		int64_t from_ns, to_ns;
	} window[JM_VICTIMS_MAX]; /* in which it counted one or more; the newest ones */
	uint64_t n_windows;
};

/* An OOM event; before_ns: of the sample before. */
void jm_ooms_event(struct jm_ooms *o, const struct jm_sample *s, const struct jm_event *e, int64_t at_ns,
                   int64_t before_ns);
/* A process has ended. When the group's count has grown by it, that has been told in this sample or before: the kernel
 * counts before it kills. */
void jm_ooms_end(struct jm_ooms *o, const struct jm_alive *p, int64_t at_ns, int status);
