/* jobmeter-bpf: loads the BPF programs that follow a job, for a user who may not do that. A program of its own, with file
 * capabilities (cap_bpf,cap_perfmon=ep), which jobmeter starts before the job runs. It takes one request, loads, gives up
 * its capabilities, hands over the descriptors and ends: nothing with rights is left while the job runs. What it can and
 * cannot do: docs/security.md. It reads no environment, no argument and no file but those of the kernel. */
#include "base/cleanup.h"
#include "helper/caller.h"
#include "helper/load.h"
#include "helper/place.h"
#include "helper/rights.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { REFUSED = 1, WRONG_USAGE = 2, FIRST_FD = 3 };

static int serve(const struct jm_root *root, struct jm_helper_tree *ret, struct jm_err *err)
{
	_cleanup_(closep) int pidfd = -1;
	pid_t pid, again;
	int r = jm_helper_rights_check(err);
	if (r == 0)
		r = jm_helper_receive(&pidfd, err);
	if (r == 0)
		r = jm_helper_place_check(root, err);
	if (r == 0)
		r = jm_helper_process(root, pidfd, &pid, err);
	if (r == 0)
		r = jm_helper_rights_use(err);
	if (r == 0)
		r = jm_helper_load(ret, root, err);
	if (r == 0)
		r = jm_helper_follow(ret, pidfd, pid, err);
	if (r == 0)
		r = jm_helper_rights_drop(err);
	/* it may have become somebody else while the programs were loaded: who has rights now had them perhaps before it was
	 * followed */
	return r < 0 ? r : jm_helper_process(root, pidfd, &again, err);
}

int main(void)
{
	static const char by_hand[] = "jobmeter-bpf: it is started by jobmeter, and does nothing by itself\n";
	struct jm_helper_tree tree;
	struct jm_err err = { 0 };
	struct jm_root root;

	if (!jm_helper_has_caller()) {
		(void)!write(STDERR_FILENO, by_hand, sizeof by_hand - 1);
		return WRONG_USAGE;
	}
	if (close_range(FIRST_FD, ~0U, 0) < 0)
		return REFUSED;
	int r = jm_root_open(&root, NULL, &err);
	if (r == 0)
		r = serve(&root, &tree, &err);
	if (r == 0)
		r = jm_helper_hand_over(tree.fds, tree.n_links, JM_BPF_RING_BYTES);
	if (r == 0)
		return 0;
	if (!err.text[0])
		(void)jm_err_set(&err, r, "%s", strerror(-r));
	err.code = r;
	(void)jm_helper_refuse(&err);
	return REFUSED;
}
