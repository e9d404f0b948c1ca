/* Room in file systems: proc/self/mountinfo and statvfs(3), on the slow clock. Which ones: docs/collecting.md. */
#include "base/cleanup.h"
#include "collect/collectors.h"
#include "collect/mount_kind.h"
#include "collect/parts.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

enum { MOUNTINFO_MAX = 4 << 20 };

enum { TOTAL, FREE, AVAILABLE, VALUES };
static const uint16_t metrics[VALUES] = {
	[TOTAL] = JM_M_FILESYSTEM_TOTAL,
	[FREE] = JM_M_FILESYSTEM_FREE,
	[AVAILABLE] = JM_M_FILESYSTEM_AVAILABLE,
};

struct state {
	const struct jm_collect_env *env;
	int fd;
	struct jm_buf text, chosen; /* chosen: mount points, each ended by a NUL */
	struct jm_buf last;         /* the file that chosen was made from */
	struct jm_parts filesystems;
};

static void close_filesystem(void *state)
{
	struct state *s = state;
	closep(&s->fd);
	jm_buf_done(&s->text);
	jm_buf_done(&s->last);
	jm_buf_done(&s->chosen);
	jm_parts_done(&s->filesystems);
	free(s);
}

static int open_filesystem(const struct jm_collect_env *env, void **ret_state, struct jm_err *err)
{
	if (!env->root->native && !env->root->frozen)
		return jm_err_set(err, -EOPNOTSUPP,
		                  "file systems of a machine that is seen through a folder cannot be asked; "
		                  "only / can");
	_cleanup_(closep) int fd = jm_root_openat(env->root, "proc/self/mountinfo", O_RDONLY);
	if (fd < 0)
		return jm_err_set(err, fd, "proc/self/mountinfo: %s", strerror(-fd));
	struct state *s = calloc(1, sizeof *s);
	if (!s)
		return -ENOMEM;
	*s = (struct state){ .env = env,
		             .fd = take_fd(&fd),
		             .filesystems = { .env = env, .kind = JM_SUBJECT_FILESYSTEM } };
	*ret_state = s;
	return 0;
}

/* Mounts seldom change: choosing among them is done when the file has. */
static int choose(struct state *s)
{
	ssize_t n = jm_fd_slurp(s->fd, &s->text, MOUNTINFO_MAX);
	if (n < 0)
		return (int)n;
	if (s->last.len == s->text.len && memcmp(s->last.data, s->text.data, s->text.len) == 0)
		return 0;
	jm_buf_clear(&s->chosen);
	int r = jm_mounts_choose(jm_span_over(s->text.data, (size_t)n), &s->chosen);
	if (r < 0)
		return r;
	struct jm_buf swap = s->last;
	s->last = s->text;
	s->text = swap;
	return 0;
}

static int put_filesystem(struct state *s, const char *path, struct jm_tick *tick)
{
	struct jm_root_space space;
	struct jm_span name = jm_span_over(path, strlen(path));
	struct jm_part *part = jm_parts_find(&s->filesystems, name);
	int r = part ? 0 : jm_parts_add(&s->filesystems, name, true, tick, &part);
	if (r < 0)
		return r;
	int e = jm_root_space(s->env->root, path, &space);
	if (e < 0)
		return jm_sample_unreadable(tick->out, part->subject, -e);
	int64_t v[VALUES];
	if (__builtin_add_overflow(space.total_bytes, 0, &v[TOTAL]) ||
	    __builtin_add_overflow(space.free_bytes, 0, &v[FREE]) ||
	    __builtin_add_overflow(space.available_bytes, 0, &v[AVAILABLE]))
		return jm_sample_unreadable(tick->out, part->subject, ERANGE);
	return jm_part_put(part, tick, metrics, JM_ORIGIN_STATVFS, v, VALUES);
}

/* Between two looks what was said last still holds. */
static int put_unchanged(struct state *s, struct jm_tick *tick)
{
	for (size_t i = 0; i < s->filesystems.n; i++)
		if (!jm_sample_row(tick->out, s->filesystems.part[i].subject))
			return -ENOMEM;
	return 0;
}

static int collect_filesystem(void *state, struct jm_tick *tick)
{
	struct state *s = state;
	if (!tick->slow)
		return put_unchanged(s, tick);
	int failed = choose(s);
	if (failed < 0)
		return failed;
	jm_parts_begin(&s->filesystems);
	for (const char *p = s->chosen.data; p && p < s->chosen.data + s->chosen.len; p += strlen(p) + 1) {
		int r = put_filesystem(s, p, tick);
		if (r < 0)
			failed = r;
	}
	int r = jm_parts_end(&s->filesystems, tick);
	return failed < 0 ? failed : r;
}

const struct jm_collector jm_collector_filesystem = {
	.name = "filesystem",
	.help = "Size of local file systems and the room in them",
	.flags = JM_COLLECT_MACHINE,
	.open = open_filesystem,
	.collect = collect_filesystem,
	.close = close_filesystem,
};
