#include "launch/find.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/* 0: a file that we may execute. What exec itself thinks of it is seen when the gate opens. */
static int look(const char *path, bool *ret_there)
{
	struct stat st;
	*ret_there = stat(path, &st) == 0;
	if (!*ret_there)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode))
		return -EACCES;
	/* also says no for a file system mounted noexec */
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

static int say(struct jm_err *err, int r, const char *path)
{
	switch (r) {
	case -ENOENT:
		return jm_err_set(err, r, "%s: no such file", path);
	case -EISDIR:
		return jm_err_set(err, r, "%s is a directory, expected a program", path);
	case -EACCES:
		return jm_err_set(err, r, "%s is not executable", path);
	default:
		return jm_err_set(err, r, "%s: %s", path, strerror(-r));
	}
}

int jm_launch_find(char **ret_path, const char *name, char *const envp[], struct jm_err *err)
{
	const char *path = "/bin:/usr/bin";
	int worst = -ENOENT;
	bool there;

	if (!*name)
		return jm_err_set(err, -ENOENT, "the command is an empty text, expected the name of a program");
	if (strchr(name, '/')) {
		int r = look(name, &there);
		if (r < 0)
			return say(err, r, name);
		return (*ret_path = strdup(name)) ? 0 : -ENOMEM;
	}
	for (char *const *e = envp; *e; e++)
		if (!strncmp(*e, "PATH=", 5)) {
			path = *e + 5;
			break;
		}
	_cleanup_(jm_buf_done) struct jm_buf full = { 0 }, denied = { 0 };
	for (const char *p = path;; p++) {
		size_t n = strcspn(p, ":");
		jm_buf_clear(&full);
		/* an empty folder is the working directory */
		jm_buf_add(&full, n ? p : ".", n ? n : 1);
		jm_buf_add_byte(&full, '/');
		jm_buf_add_text(&full, name);
		if (full.failed)
			return -ENOMEM;
		int r = look(full.data, &there);
		if (r == 0)
			return (*ret_path = strdup(full.data)) ? 0 : -ENOMEM;
		/* a folder of that name, or a file that is not executable: another may come later in PATH. A folder of
		 * PATH that is closed to us is not worth a word (execvp(3) would say EACCES): shells say "not found" */
		if (there && denied.len == 0) {
			worst = r;
			jm_buf_add_text(&denied, full.data);
		}
		p += n;
		if (!*p)
			break;
	}
	if (denied.failed)
		return -ENOMEM;
	if (denied.len > 0)
		return say(err, worst, denied.data);
	return jm_err_set(err, -ENOENT, "%s: command not found", name);
}
