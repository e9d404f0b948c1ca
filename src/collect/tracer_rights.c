/* Programs that run without the rights that their files give them, because they are traced: the kernel withholds them unless
 * the tracer could have given them itself (execve(2), capabilities(7)). That changes what the job does, so it is said. */
#include "base/cleanup.h"
#include "collect/tracer_impl.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

/* NULL: none that it would have got otherwise. */
static const char *rights_of(int fd)
{
	struct stat s;
	struct statvfs fs;
	if (fstat(fd, &s) < 0 || (fstatvfs(fd, &fs) == 0 && fs.f_flag & ST_NOSUID))
		return NULL;
	if (s.st_mode & S_ISUID && s.st_uid != geteuid())
		return "set-user-ID";
	if ((s.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && s.st_gid != getegid())
		return "set-group-ID";
	return fgetxattr(fd, "security.capability", NULL, 0) > 0 ? "file capabilities" : NULL;
}

void jm_tracer_note_rights(struct jm_tracer *t, pid_t pid)
{
	char path[32], name[1024], text[1400];
	(void)snprintf(path, sizeof path, "proc/%d/exe", (int)pid);
	_cleanup_(closep) int fd = jm_root_openat(t->root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		fd = jm_root_openat(t->root, path, O_PATH); /* it may be executed and not read */
	const char *rights = fd < 0 || t->n_notes == TRACED_NOTES_MAX ? NULL : rights_of(fd);
	if (!rights)
		return;
	if (jm_root_readlink(t->root, path, name, sizeof name) < 0)
		(void)snprintf(name, sizeof name, "process %d", (int)pid);
	(void)snprintf(
		text, sizeof text,
		"ptrace: %s has run without the rights of its %s, which the kernel withholds from a traced program%s",
		name, rights, t->n_notes + 1 == TRACED_NOTES_MAX ? "; later ones are not noted" : "");
	char *note = strdup(text);
	if (!note)
		return;
	t->notes[t->n_notes++] = note;
	struct jm_traced *r = jm_tracer_put(t, JM_TRACED_NOTE, pid);
	if (r)
		(void)jm_tracer_put_text(t, r, text, strlen(text));
}
