/* Asking the witness: docs/decisions/witness-of-signals.md. Its half is in launcher/launcher.c. */
#include "launch/launch.h"
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* One answer, if there is one. */
static bool take_answer(int fd, uint64_t *taken)
{
	uint64_t more;
	if (recv(fd, &more, sizeof more, MSG_DONTWAIT) != sizeof more)
		return false;
	*taken |= more;
	return true;
}

uint64_t jm_witness_ask(const struct jm_job *job)
{
	enum { PATIENCE_MS = 250 }; /* a busy machine; or somebody has stopped it, and it will not answer */
	uint64_t taken = 0;
	if (job->witness_fd < 0)
		return 0;
	while (take_answer(job->witness_fd, &taken))
		; /* to a question of earlier that was not waited for any longer */
	if (send(job->witness_fd, "?", 1, MSG_DONTWAIT | MSG_NOSIGNAL) != 1)
		return taken;
	struct pollfd ready = { .fd = job->witness_fd, .events = POLLIN };
	if (poll(&ready, 1, PATIENCE_MS) == 1)
		(void)take_answer(job->witness_fd, &taken);
	return taken;
}

void jm_witness_ended(struct jm_job *job)
{
	while (job->witness > 0 && waitpid(job->witness, NULL, 0) < 0 && errno == EINTR)
		;
	job->witness = 0;
}
