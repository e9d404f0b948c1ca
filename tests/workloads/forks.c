/* forks MODE --n N --ms T [--nowait] : N children of T ms CPU each, one after another (daemon, root-exits-first: side by side).
 * Modes: waited sigchld-ignored nocldwait daemon thread exec chain chain-orphan root-exits-first
 * Truth: every child writes its own CPU clock on a shared board just before _exit(), so nothing depends on who waits. */
#include "truth.h"
#include <pthread.h>

static struct board *b;
static int board_fd;
static u64 n, ms, t0;
static const char *mode;
static char **self;

static void tell(const char *by)
{
	truth("{\"program\":\"forks\",\"mode\":\"%s\",\"children\":%" PRIu64
	      ",\"children_cpu_ns\":%llu,\"root_cpu_ns\":%llu,\"total_ns\":%llu,"
	      "\"rusage_children_ns\":%" PRIu64 ",\"wall_ns\":%" PRIu64 ",\"told_by\":\"%s\"}",
	      mode, n, b->cpu, b->a, b->cpu + b->a, ru_ns(RUSAGE_CHILDREN), wall_ns() - t0, by);
}
static void child_end(void)
{
	b->cpu += cpu_ns();
	b->done++;
}
static void burn_exit(void)
{
	burn_user(ms * MS);
	child_end();
	_exit(0);
}

static pid_t start(void)
{
	if (!strcmp(mode, "exec")) {
		char fd[16], m[24];
		snprintf(fd, sizeof fd, "%d", board_fd);
		snprintf(m, sizeof m, "%" PRIu64, ms);
		pid_t p = vfork();
		if (p == 0) {
			execl("/proc/self/exe", self[0], "exec-child", "--fd", fd, "--ms", m, (char *)NULL);
			_exit(127);
		}
		return p;
	}
	pid_t p = fork();
	if (p == 0)
		burn_exit();
	return p;
}
static void *all(void *unused)
{
	for (u64 i = 0; i < n; i++) {
		pid_t p = start();
		if (p < 0)
			die("fork");
		waitpid(p, NULL, 0); /* auto-reaped: returns ECHILD when the child is gone */
	}
	return unused;
}
static void daemons(void)
{
	for (u64 i = 0; i < n; i++) {
		pid_t p = fork();
		if (p == 0) {
			setsid();
			if (fork() == 0)
				burn_exit(); /* the grandchild is nobody's child now */
			b->cpu += cpu_ns();
			_exit(0);
		}
		waitpid(p, NULL, 0);
	}
}
static void chain(u64 left, int wait)
{
	if (!left)
		return;
	pid_t p = fork();
	if (p < 0)
		die("fork");
	if (p == 0) {
		burn_user(ms * MS);
		chain(left - 1, wait);
		child_end();
		_exit(0);
	}
	if (wait)
		waitpid(p, NULL, 0);
}
static void root_exits_first(void)
{
	pid_t root = getpid();
	b->c = (unsigned long long)root;
	for (u64 i = 0; i < n; i++)
		if (fork() == 0) {
			while (getppid() == root)
				nap(MS); /* starts its work as an orphan */
			burn_user(ms * MS);
			b->cpu += cpu_ns();
			if (++b->done == n)
				tell("last child");
			_exit(0);
		}
	b->a = cpu_ns();
	_exit(7); /* the job's exit status is the root's */
}
int main(int argc, char **argv)
{
	truth_open();
	self = argv;
	mode = argc > 1 ? argv[1] : "waited";
	n = arg(argc, argv, "--n", 10);
	ms = arg(argc, argv, "--ms", 10);
	t0 = wall_ns();
	if (!strcmp(mode, "exec-child")) {
		b = board_map((int)arg(argc, argv, "--fd", 0));
		burn_exit();
	}
	b = board_new(&board_fd);
	if (!strcmp(mode, "sigchld-ignored"))
		signal(SIGCHLD, SIG_IGN);
	if (!strcmp(mode, "nocldwait"))
		sigaction(SIGCHLD, &(struct sigaction){ .sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT }, NULL);
	if (!strcmp(mode, "thread")) {
		pthread_t t;
		if (pthread_create(&t, NULL, all, NULL))
			die("pthread_create");
		pthread_join(t, NULL);
	} else if (!strcmp(mode, "daemon"))
		daemons();
	else if (!strcmp(mode, "chain"))
		chain(n, 1);
	else if (!strcmp(mode, "chain-orphan"))
		chain(n, 0);
	else if (!strcmp(mode, "root-exits-first"))
		root_exits_first();
	else
		all(NULL);
	while (!flag(argc, argv, "--nowait") && b->done < n)
		nap(MS);
	b->a = cpu_ns();
	tell("root");
	return 0;
}
