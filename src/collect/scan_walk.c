#include "base/cleanup.h"
#include "base/parse.h"
#include "collect/scan_impl.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

struct pair {
	int32_t pid, parent;
};

/* Who is the parent of whom, of all processes that the tree does not have, into s->list. */
static int read_pairs(struct jm_scan *s)
{
	int fd = jm_root_openat(s->env->root, "proc", O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd;
	_cleanup_(closedirp) DIR *dir = fdopendir(fd);
	if (!dir) {
		(void)close(fd);
		return -ENOMEM;
	}
	jm_buf_clear(&s->list);
	for (struct dirent *e; (e = readdir(dir));) {
		struct jm_span name = jm_span_over(e->d_name, strlen(e->d_name));
		uint64_t pid;
		struct jm_pid_stat st;
		if (jm_parse_u64(&name, &pid) < 0 || name.p != name.end || pid > INT32_MAX)
			continue;
		if (jm_tree_has(s->env->tree, (pid_t)pid) || jm_scan_stat(s, (pid_t)pid, &st) < 0)
			continue;
		struct pair p = { (int32_t)pid, st.ppid };
		jm_buf_add(&s->list, &p, sizeof p);
	}
	return s->list.failed ? -ENOMEM : 0;
}

/* Who belongs to the job by its parent; 1: there was one. */
static int take_pairs(struct jm_scan *s, struct jm_sample *out)
{
	pid_t self = s->adopts ? getpid() : 0, orphans_to = s->env->run->root_pid;
	int any = 0;
	if (self && !jm_tree_has(s->env->tree, orphans_to) && jm_tree_pids(s->env->tree, &orphans_to, 1) == 0)
		self = 0;
	for (size_t at = 0; at < s->list.len; at += sizeof(struct pair)) {
		struct pair p;
		memcpy(&p, s->list.data + at, sizeof p);
		pid_t parent = self && p.parent == self ? orphans_to : p.parent;
		if (!p.pid || !jm_tree_has(s->env->tree, parent))
			continue;
		int r = jm_scan_found(s, out, p.pid, parent);
		if (r < 0)
			return r;
		memset(s->list.data + at, 0, sizeof p);
		any = 1;
	}
	return any;
}

int jm_scan_walk(struct jm_scan *s, struct jm_sample *out)
{
	int r = read_pairs(s);
	while (r == 0 && (r = take_pairs(s, out)) > 0) /* once more for each generation that came out of order */
		r = 0;
	return r;
}
