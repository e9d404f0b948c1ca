/* signals [--exit STATUS | --die SIGNAL] [--wait MS] [--count K] [--ignore SIGNAL] : notes every signal that it gets until K came or MS passed,
 * then exits with STATUS or dies of SIGNAL (default action, no core). With --wait it prints {"ready":pid} first.
 * Truth: the signals in order with their sender's pid, and ids that a launcher must not have changed. */
#include "truth.h"

int main(int argc, char **argv)
{
	truth_open();
	u64 status = arg(argc, argv, "--exit", 0), sig = arg(argc, argv, "--die", 0),
	    wait = arg(argc, argv, "--wait", 0), count = arg(argc, argv, "--count", 1);
	char got[4096] = "";
	size_t len = 0, n = 0;
	sigset_t all, was;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &was);
	size_t blocked = 0, ignored = 0; /* as they were given to us */
	for (int s = 1; s < 65; s++) {
		struct sigaction a;
		blocked += sigismember(&was, s) == 1;
		if (sigaction(s, NULL, &a) == 0 && a.sa_handler == SIG_IGN)
			ignored++;
	}
	if (wait)
		truth("{\"ready\":%d}", (int)getpid());
	for (u64 end = wall_ns() + wait * MS, now; wait && n < count && (now = wall_ns()) < end;) {
		siginfo_t si;
		struct timespec t = { (time_t)((end - now) / 1000000000ull), (long)((end - now) % 1000000000ull) };
		if (sigtimedwait(&all, &si, &t) < 0)
			continue;
		len += (size_t)snprintf(got + len, sizeof got - len,
		                        "%s{\"signal\":%d,\"from\":%d,\"at_ns\":%" PRIu64 "}", n++ ? "," : "",
		                        si.si_signo, si.si_code > 0 ? 0 : (int)si.si_pid, wall_ns());
		if (len > sizeof got - 128)
			break;
	}
	truth("{\"program\":\"signals\",\"got\":[%s],\"count\":%zu,\"pid\":%d,\"ppid\":%d,\"pgid\":%d,\"sid\":%d,"
	      "\"blocked\":%zu,\"ignored\":%zu,\"exit\":%" PRIu64 ",\"die\":%" PRIu64 "}",
	      got, n, getpid(), getppid(), getpgid(0), getsid(0), blocked, ignored, status, sig);
	if (sig) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		signal((int)sig, SIG_DFL);
		raise((int)sig);
		sigemptyset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
	}
	return (int)status;
}
