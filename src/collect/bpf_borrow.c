#include "collect/bpf_borrow.h"
#include "base/cleanup.h"
#include "read/bpf_handover.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FDS_MOST = JM_BPF_MAPS + JM_BPF_LINKS_MOST, PATIENCE_MS = 10000 };
enum { RING, COUNTS, USERS, PLACES, GIVEN_BACK };

/* What was handed over. */
struct loan {
	int fds[FDS_MOST];
	size_t n_fds;
	struct jm_bpf_counts *counts;
};

static void give_back(void *loan)
{
	struct loan *l = loan;
	if (l->counts)
		(void)munmap(l->counts, sizeof *l->counts);
	for (size_t i = 0; i < l->n_fds; i++)
		closep(&l->fds[i]);
	free(l);
}

/* With the socket as its input, and nothing else of ours. */
static int start(const char *path, int socket, pid_t *ret)
{
	char *const argv[] = { (char *)"jobmeter-bpf", NULL }, *const envp[] = { NULL };
	sigset_t all, none;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	(void)sigemptyset(&none);
	(void)sigfillset(&all);
	if (posix_spawn_file_actions_init(&files) != 0)
		return -ENOMEM;
	if (posix_spawnattr_init(&attr) != 0) {
		(void)posix_spawn_file_actions_destroy(&files);
		return -ENOMEM;
	}
	(void)posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	(void)posix_spawnattr_setsigmask(&attr, &none);
	(void)posix_spawnattr_setsigdefault(&attr, &all);
	int r = posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
	for (int fd = STDOUT_FILENO; r == 0 && fd <= STDERR_FILENO; fd++)
		r = posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_WRONLY, 0);
	if (r == 0)
		r = posix_spawn(ret, path, &files, &attr, argv, envp);
	(void)posix_spawnattr_destroy(&attr);
	(void)posix_spawn_file_actions_destroy(&files);
	return -r;
}

static int send_request(int socket, int pidfd)
{
	struct jm_bpf_request request;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof pidfd)] = { 0 };
	struct iovec from = { &request, sizeof request };
	struct msghdr m = {
		.msg_iov = &from, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control
	};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	*c = (struct cmsghdr){ CMSG_LEN(sizeof pidfd), SOL_SOCKET, SCM_RIGHTS };
	memcpy(CMSG_DATA(c), &pidfd, sizeof pidfd);
	jm_bpf_request_fill(&request);
	return sendmsg(socket, &m, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* Descriptors that came with an answer, as many as there is room for; the kernel closes others. */
static void take_fds(struct msghdr *m, struct loan *l)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		size_t bytes = c->cmsg_len - CMSG_LEN(0), room = sizeof l->fds - l->n_fds * sizeof *l->fds;
		memcpy(l->fds + l->n_fds, CMSG_DATA(c), bytes < room ? bytes : room);
		l->n_fds += (bytes < room ? bytes : room) / sizeof *l->fds;
	}
}

static int await_answer(int socket, struct jm_bpf_reply *ret, struct loan *l)
{
	char data[sizeof *ret + 1];
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof l->fds)];
	struct iovec to = { data, sizeof data };
	struct msghdr m = { .msg_iov = &to, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control };
	struct pollfd ready = { .fd = socket, .events = POLLIN };
	int n = poll(&ready, 1, PATIENCE_MS);
	if (n <= 0)
		return n == 0 ? -ETIMEDOUT : -errno;
	ssize_t len = recvmsg(socket, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (len <= 0)
		return len == 0 ? -ECONNRESET : -errno;
	take_fds(&m, l);
	int fds = jm_bpf_reply_parse(data, (size_t)len, ret);
	if (fds < 0)
		return fds;
	return (size_t)fds == l->n_fds && !(m.msg_flags & MSG_CTRUNC) ? 0 : -EBADMSG;
}

static uint64_t nanoseconds(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_usec * 1000;
}

static int ask(const char *path, pid_t first, struct jm_bpf_reply *ret, struct loan *l, uint64_t *ret_cpu_ns)
{
	int pair[2];
	_cleanup_(closep) int pidfd = (int)syscall(SYS_pidfd_open, first, 0);
	if (pidfd < 0)
		return -errno;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	_cleanup_(closep) int ours = pair[0], its = pair[1];
	pid_t pid = 0;
	int r = send_request(ours, pidfd);
	if (r == 0)
		r = start(path, its, &pid);
	if (r < 0)
		return r;
	(void)close(take_fd(&its)); /* its end is the end of the conversation */
	r = await_answer(ours, ret, l);
	(void)kill(pid,
	           SIGKILL); /* who has answered has nothing left to do: nobody is waited for longer than for that */
	struct rusage usage = { 0 };
	while (wait4(pid, NULL, 0, &usage) < 0 && errno == EINTR)
		;
	*ret_cpu_ns = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
	return r;
}

static int use(struct jm_bpf_tree *ret, const struct jm_bpf_reply *a, struct loan *l)
{
	void *counts = mmap(NULL, sizeof *l->counts, PROT_READ | PROT_WRITE, MAP_SHARED, l->fds[COUNTS], 0);
	if (counts == MAP_FAILED)
		return -errno;
	l->counts = counts;
	*ret = (struct jm_bpf_tree){
		.skeleton = l,
		.destroy = give_back,
		.ring = l->fds[RING],
		.members = -1,
		.settle = -1,
		.ring_bytes = a->ring_bytes,
		.lost = (const uint64_t *)&l->counts->lost,
		.missed = (const uint64_t *)&l->counts->missed,
		.sockets = { l->fds[USERS], l->fds[PLACES], l->fds[GIVEN_BACK], &l->counts->sockets },
	};
	return 0;
}

int jm_bpf_borrow(struct jm_bpf_tree *ret, const struct jm_root *root, pid_t first, uint64_t *ret_cpu_ns,
                  struct jm_err *err)
{
	char path[PATH_MAX];
	struct jm_err before = *err;
	struct jm_bpf_reply answer = { 0 };
	switch (jm_bpf_helper_find(root, path)) {
	case JM_BPF_HELPER_NONE:
		return jm_err_set(err, before.code, "%s, or by jobmeter-bpf, which is not installed", before.text);
	case JM_BPF_HELPER_BARE:
		return jm_err_set(err, before.code,
		                  "%s, or by jobmeter-bpf, whose file has none (sudo setcap cap_bpf,cap_perfmon=ep %s)",
		                  before.text, path);
	case JM_BPF_HELPER_READY:
		break;
	}
	struct loan *l = calloc(1, sizeof *l);
	if (!l)
		return -ENOMEM;
	int r = ask(path, first, &answer, l, ret_cpu_ns);
	if (r == 0 && answer.error)
		r = jm_err_set(err, -(int)answer.error, "%s; jobmeter-bpf: %s", before.text, answer.words);
	else if (r < 0)
		r = jm_err_set(err, before.code, "%s; jobmeter-bpf has not answered (%s)", before.text, strerror(-r));
	else if ((r = use(ret, &answer, l)) < 0)
		r = jm_err_set(err, r, "%s; what jobmeter-bpf has handed over cannot be used (%s)", before.text,
		               strerror(-r));
	if (r < 0)
		give_back(l);
	return r;
}
