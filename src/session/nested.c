#include "session/nested.h"
#include "base/cleanup.h"
#include "base/crc32c.h"
#include "session/mark_send.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The job is about to run and must not wait for anybody; when it has ended there is a moment, and a begin needs its end. */
enum { NO_PATIENCE_MS = 0, PATIENCE_MS = 100 };

static int tell(char kind, const char *label, int patience_ms)
{
	const char *path = getenv("JOBMETER_SOCKET");
	if (!path || !path[0])
		return -ENOENT;
	_cleanup_(jm_buf_done) struct jm_buf text = { 0 };
	int r = jm_mark_build(&text, kind, label, NULL);
	return r < 0 ? r : jm_mark_send(path, &text, patience_ms);
}

char *jm_nested_begin(struct jm_arena *arena, const char *command, int pid)
{
	if (!getenv("JOBMETER_SOCKET"))
		return NULL;
	enum { NAME_MAX_LEN = 200 };
	const char *slash = strrchr(command, '/');
	const char *name = slash && slash[1] ? slash + 1 : command;
	char *label = jm_arena_printf(arena, "%.*s (pid %d)", NAME_MAX_LEN, name, pid);
	return label && tell('<', label, NO_PATIENCE_MS) == 0 ? label : NULL;
}

void jm_nested_end(const char *label)
{
	if (label)
		(void)tell('>', label, PATIENCE_MS);
}

bool jm_nested_take(struct jm_nested *n, const struct jm_mark_text *text)
{
	uint32_t sum = jm_crc32c(text->label, text->label_len) | 1; /* never 0 */
	if (text->kind == '<') {
		if (n->n == JM_NESTED_MAX) {
			n->more = true;
			return false;
		}
		n->open[n->n++] = sum;
		return true;
	}
	for (size_t i = n->n; i-- > 0;) {
		if (n->open[i] != sum)
			continue;
		n->open[i] = 0;
		return true;
	}
	return false;
}
