#include "collect/mount_kind.h"
#include "base/grow.h"
#include "read/mountinfo.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOUNTS_MAX = 8192 }; /* a file with more is looked at so far */

struct table {
	struct jm_mountinfo *mount;
	size_t n;
};

/* Types whose statvfs(2) asks another machine or another process, and waits for ever when that does not answer. */
static bool may_hang(const struct jm_mountinfo *m)
{
	static const char *const types[] = { "nfs",       "nfs4",   "cifs", "smb3",    "smbfs",    "ceph",
		                             "9p",        "afs",    "coda", "lustre",  "gpfs",     "beegfs",
		                             "ncpfs",     "ocfs2",  "gfs2", "pvfs2",   "orangefs", "virtiofs",
		                             "glusterfs", "autofs", "fuse", "fuseblk", "davfs" };
	struct jm_span rest = m->type;
	if (jm_span_skip_text(&rest, "fuse."))
		return true;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (jm_span_equals(m->type, types[i]))
			return true;
	return false;
}

/* Images that can only be read are always full, and say nothing. */
static bool is_image(const struct jm_mountinfo *m)
{
	static const char *const types[] = { "squashfs", "iso9660", "udf", "erofs", "cramfs", "romfs" };
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (jm_span_equals(m->type, types[i]))
			return true;
	return false;
}

static bool has_storage(const struct jm_mountinfo *m)
{
	if (jm_span_equals(m->type, "zfs"))
		return true;
	if (jm_span_equals(
		    m->type,
		    "overlay")) /* the root of a container; other overlays share their room with something else */
		return jm_span_equals(m->mount_point, "/");
	return m->source.p < m->source.end && *m->source.p == '/' && !is_image(m);
}

/* Pools of ZFS share their room among data sets, which have a device number each. */
static struct jm_span pool(const struct jm_mountinfo *m)
{
	const char *slash = memchr(m->source.p, '/', jm_span_len(m->source));
	return (struct jm_span){ m->source.p, slash ? slash : m->source.end };
}

static bool same_space(const struct jm_mountinfo *a, const struct jm_mountinfo *b)
{
	if (jm_span_equals(a->type, "zfs") && jm_span_equals(b->type, "zfs")) {
		struct jm_span p = pool(a), q = pool(b);
		return jm_span_len(p) == jm_span_len(q) && memcmp(p.p, q.p, jm_span_len(p)) == 0;
	}
	return a->major == b->major && a->minor == b->minor;
}

/* Does path lie at or below the folder? */
static bool is_below(struct jm_span path, struct jm_span folder)
{
	size_t n = jm_span_len(folder);
	if (jm_span_equals(folder, "/"))
		return true;
	if (jm_span_len(path) < n || memcmp(path.p, folder.p, n) != 0)
		return false;
	return jm_span_len(path) == n || path.p[n] == '/';
}

static const struct jm_mountinfo *by_id(const struct table *t, uint64_t id)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->mount[i].id == id)
			return &t->mount[i];
	return NULL;
}

/* Is m mounted somewhere on a? A broken file may have circles: no chain is longer than the table. */
static bool is_ancestor(const struct table *t, const struct jm_mountinfo *a, const struct jm_mountinfo *m)
{
	for (size_t steps = 0; m && steps < t->n; steps++) {
		if (m->parent == a->id && m->id != a->id)
			return true;
		m = m->parent == m->id ? NULL : by_id(t, m->parent);
	}
	return false;
}

/* Would somebody who goes to the mount point cross something that may hang, or end on something mounted over it? */
static bool is_hidden(const struct table *t, const struct jm_mountinfo *m)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct jm_mountinfo *other = &t->mount[i];
		if (other != m && is_below(m->mount_point, other->mount_point) &&
		    (may_hang(other) || !is_ancestor(t, other, m)))
			return true;
	}
	return false;
}

/* Of all mounts of the same space: the one nearest to the root, the first of those. */
static bool is_best(const struct table *t, const struct jm_mountinfo *m)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct jm_mountinfo *other = &t->mount[i];
		size_t mine = jm_span_len(m->mount_point), its = jm_span_len(other->mount_point);
		if (other != m && same_space(m, other) && (its < mine || (its == mine && other < m)) &&
		    !is_hidden(t, other))
			return false;
	}
	return true;
}

int jm_mounts_choose(struct jm_span mountinfo, struct jm_buf *out)
{
	struct table t = { 0 };
	size_t cap = 0;
	for (int r; t.n < MOUNTS_MAX;) {
		if (!jm_grow(&t.mount, &cap, t.n + 1, sizeof *t.mount)) {
			free(t.mount);
			return -ENOMEM;
		}
		r = jm_mountinfo_next(&mountinfo, &t.mount[t.n]);
		if (r == 0)
			break;
		t.n += r > 0;
	}
	char path[PATH_MAX];
	for (struct jm_mountinfo *m = t.mount; m < t.mount + t.n; m++) {
		if (may_hang(m) || !has_storage(m) || !is_best(&t, m) || is_hidden(&t, m))
			continue;
		ssize_t n = jm_mountinfo_text(m->mount_point, path, sizeof path);
		if (n > 0)
			jm_buf_add(out, path, (size_t)n + 1);
	}
	free(t.mount);
	return out->failed ? -ENOMEM : 0;
}
