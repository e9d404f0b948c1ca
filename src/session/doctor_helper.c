/* What doctor says of jobmeter-bpf, and the command that would let it work. */
#include "collect/bpf_borrow.h"
#include "session/doctor.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { COMMAND_MAX = 4 * PATH_MAX + 64 };

/* As one word for a shell, whatever is in it. */
static void quote(const char *path, char *to, size_t size)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,:@%";
	size_t n = 0;
	bool bare = path[strspn(path, plain)] == '\0';
	if (bare) {
		(void)snprintf(to, size, "%s", path);
		return;
	}
	to[n++] = '\'';
	for (const char *p = path; *p && n + 6 < size; p++) {
		const char *piece = *p == '\'' ? "'\\''" : (const char[]){ *p, '\0' };
		size_t len = strlen(piece);
		memcpy(to + n, piece, len);
		n += len;
	}
	to[n++] = '\'';
	to[n] = '\0';
}

static void setcap(const char *path, char to[COMMAND_MAX])
{
	static const char start[] = "sudo setcap cap_bpf,cap_perfmon=ep ";
	memcpy(to, start, sizeof start);
	quote(path, to + sizeof start - 1, COMMAND_MAX - sizeof start);
}

void jm_doctor_helper(const struct jm_root *root, void (*visit)(void *, const char *, int, const char *, const char *),
                      void *ctx)
{
	char path[PATH_MAX], command[COMMAND_MAX], detail[PATH_MAX + 64];
	static const char name[] = "jobmeter-bpf";
	if (!root->native) {
		visit(ctx, name, 0, "needs the running machine", NULL);
		return;
	}
	switch (jm_bpf_helper_find(root, path)) {
	case JM_BPF_HELPER_NONE:
		(void)snprintf(detail, sizeof detail, "%s: is not there", path);
		visit(ctx, name, 0, detail, "an installation with its BPF programs");
		return;
	case JM_BPF_HELPER_BARE:
		setcap(path, command);
		(void)snprintf(detail, sizeof detail, "%s: has no capabilities", path);
		visit(ctx, name, 0, detail, command);
		return;
	case JM_BPF_HELPER_READY:
		(void)snprintf(detail, sizeof detail, "Loads BPF programs for ordinary users: %s", path);
		visit(ctx, name, 1, detail, NULL);
	}
}

int jm_doctor_fix(void (*visit)(void *ctx, const char *command), void *ctx)
{
	char path[PATH_MAX], command[COMMAND_MAX];
	struct jm_root root;
	int r = jm_root_open(&root, NULL, NULL), n = 0;
	if (r < 0)
		return r;
	if (jm_bpf_helper_find(&root, path) == JM_BPF_HELPER_BARE) {
		setcap(path, command);
		visit(ctx, command);
		n++;
	}
	jm_root_done(&root);
	return n;
}
