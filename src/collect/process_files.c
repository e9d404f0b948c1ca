/* The files of a process: descriptors that are kept while the budget lasts. A kept descriptor never names another
 * process; a file that is opened anew is believed only when stat has the same start time. */
#include "base/cleanup.h"
#include "collect/process.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>

static const char *const names[JM_FILE_COUNT] = { "stat", "statm", "io" };

const char *jm_process_path(char buf[64], pid_t pid, const char *name)
{
	char digits[12], *d = digits + sizeof digits, *to = buf;
	*--d = '\0';
	do
		*--d = (char)('0' + pid % 10);
	while ((pid /= 10) > 0);
	to = stpcpy(to, "proc/");
	to = stpcpy(to, d);
	to = stpcpy(to, "/");
	(void)stpncpy(to, name, (size_t)(buf + 63 - to));
	buf[63] = '\0';
	return buf;
}

static bool keeps(const struct jm_process *p)
{
	return p->fd[JM_FILE_STAT] >= 0 || p->fd[JM_FILE_STATM] >= 0 || p->fd[JM_FILE_IO] >= 0;
}

static void chill(struct jm_tree *t, struct jm_process *p)
{
	*(p->warmer ? &p->warmer->colder : &t->warmest) = p->colder;
	*(p->colder ? &p->colder->warmer : &t->coldest) = p->warmer;
	p->warmer = p->colder = NULL;
}

static void warm(struct jm_tree *t, struct jm_process *p)
{
	p->warmer = NULL;
	p->colder = t->warmest;
	*(t->warmest ? &t->warmest->warmer : &t->coldest) = p;
	t->warmest = p;
}

void jm_process_touch(struct jm_tree *t, struct jm_process *p)
{
	if (t->warmest == p || !keeps(p))
		return;
	chill(t, p);
	warm(t, p);
}

void jm_process_close(struct jm_tree *t, struct jm_process *p)
{
	if (keeps(p))
		chill(t, p);
	for (int i = 0; i < JM_FILE_COUNT; i++) {
		if (p->fd[i] < 0)
			continue;
		closep(&p->fd[i]);
		p->fd[i] = -1;
		t->kept--;
	}
}

/* Room for one more descriptor, if need be from who has used its own least lately. One that was read in this sample or
 * in the one before keeps them: else everybody would take from everybody, and all that is won is lost again. */
static bool room(struct jm_tree *t, const struct jm_process *p)
{
	if (t->kept < t->opts.descriptors)
		return true;
	struct jm_process *c = t->coldest;
	if (!c || c == p || c->root || c->read_ns >= t->previous_ns)
		return false;
	jm_process_close(t, c);
	return t->kept < t->opts.descriptors;
}

/* Is there no room for two more, to be opened for a moment? Collectors and outputs have theirs, and the limit is small. */
static bool is_crowded(int fd)
{
	_cleanup_(closep) int one = fcntl(fd, F_DUPFD_CLOEXEC, 0), two = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return one < 0 || two < 0;
}

static void keep(struct jm_tree *t, struct jm_process *p, enum jm_process_file file, int *fd)
{
	if (p->ended || (t->opts.scarce && is_crowded(*fd)) || !room(t, p))
		return;
	bool kept = keeps(p);
	p->fd[file] = take_fd(fd);
	t->kept++;
	if (!kept)
		warm(t, p);
}

/* The pid may be another's by now; stat tells, the others are opened right after it. */
static int identify(struct jm_process *p, const char *text, size_t len)
{
	struct jm_pid_stat s;
	int r = jm_pid_stat_parse(text, len, &s);
	if (r < 0)
		return r;
	if (!p->start_ticks)
		p->start_ticks = s.start_ticks;
	return s.start_ticks == p->start_ticks ? 0 : -ESRCH;
}

/* It is there, but its files are not: no proc file system in this place, or one that hides others' (hidepid=). */
static bool is_hidden(const struct jm_tree *t, const struct jm_process *p)
{
	return t->self && (kill(p->pid, 0) == 0 || errno == EPERM);
}

ssize_t jm_process_read(struct jm_tree *t, struct jm_process *p, enum jm_process_file file, char *buf, size_t size)
{
	if (p->fd[file] >= 0)
		return jm_fd_read_once(p->fd[file], buf, size);
	char path[64];
	_cleanup_(closep) int fd = jm_root_openat(t->opts.root, jm_process_path(path, p->pid, names[file]), O_RDONLY);
	if (fd == -EMFILE && t->coldest) { /* somebody else has taken what was free when these were kept */
		jm_process_close(t, t->coldest);
		fd = jm_root_openat(t->opts.root, path, O_RDONLY);
	}
	if (fd == -ENOENT && is_hidden(t, p))
		return -EACCES;
	if (fd < 0)
		return fd == -ENOENT ? -ESRCH : fd;
	ssize_t n = jm_fd_read_once(fd, buf, size);
	if (n < 0)
		return n;
	if (file == JM_FILE_STAT) {
		int r = identify(p, buf, (size_t)n);
		if (r < 0)
			return r;
	}
	keep(t, p, file, &fd);
	return n;
}

ssize_t jm_process_read_stat(struct jm_tree *t, struct jm_process *p, char *buf, size_t size)
{
	ssize_t n = jm_process_read(t, p, JM_FILE_STAT, buf, size);
	if (n < 0)
		return n;
	int r = jm_pid_stat_parse(buf, (size_t)n, &p->stat);
	if (r < 0)
		return r;
	p->has_stat = true;
	p->several |= p->stat.num_threads > 1;
	return n;
}

bool jm_tree_lives(struct jm_tree *t, pid_t pid)
{
	char text[1024];
	struct jm_pid_stat s;
	struct jm_process *p = jm_tree_find(t, pid);
	if (!p || p->ended)
		return false;
	ssize_t n = jm_process_read(t, p, JM_FILE_STAT, text, sizeof text);
	if (n < 0)
		return n != -ESRCH; /* it is there, and its files are not for us */
	return jm_pid_stat_parse(text, (size_t)n, &s) < 0 || !jm_process_is_zombie(&s);
}

int jm_process_read_io(struct jm_tree *t, struct jm_process *p)
{
	char text[512];
	if (p->denied && p->fd[JM_FILE_IO] < 0)
		return -EACCES;
	ssize_t n = jm_process_read(t, p, JM_FILE_IO, text, sizeof text);
	if (n == -EACCES || n == -EPERM)
		p->denied = true;
	if (n < 0)
		return (int)n;
	int r = jm_pid_io_parse(text, (size_t)n, &p->io);
	if (r == 0)
		p->has_io = true;
	return r;
}
