/* What is known of a run before the job starts: who, where, when. */
#include "read/meminfo.h"
#include "session/session.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* A random UUID (RFC 9562, version 4). */
static char *new_id(struct jm_arena *arena)
{
	unsigned char b[16];
	if (getrandom(b, sizeof b, GRND_NONBLOCK) != (ssize_t)sizeof b)
		return NULL;
	b[6] = (b[6] & 0x0f) | 0x40;
	b[8] = (b[8] & 0x3f) | 0x80;
	return jm_arena_printf(arena, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0],
	                       b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
	                       b[15]);
}

/* -1: not known */
static int64_t memory_bytes(const struct jm_root *root)
{
	char text[8192];
	struct jm_meminfo m;
	ssize_t n = jm_root_read(root, "proc/meminfo", text, sizeof text);
	if (n < 0 || jm_meminfo_parse(text, (size_t)n, &m) < 0 || m.value[JM_MEMINFO_TOTAL] > INT64_MAX)
		return -1;
	return (int64_t)m.value[JM_MEMINFO_TOTAL];
}

/* Arguments, each ended by a NUL, with their secrets hidden. */
static int redacted(struct jm_session *s, const char *const *texts, struct jm_buf *out)
{
	jm_buf_clear(out);
	for (size_t i = 0; texts[i]; i++)
		jm_buf_add(out, texts[i], strlen(texts[i]) + 1);
	if (out->failed)
		return -ENOMEM;
	out->len = jm_redact_text(s->redact, out->data, out->len);
	/* "***" alone: there was no memory for looking, and behind it stands what was not looked at */
	return out->len == 0 || out->data[out->len - 1] != '\0' ? -ENOMEM : 0;
}

static int add_command(struct jm_session *s, char *const argv[])
{
	struct jm_buf text = { 0 };
	size_t n = 0;
	while (argv[n])
		n++;
	const char **command = jm_arena_alloc(&s->run.arena, (n + 1) * sizeof *command);
	int r = command ? redacted(s, (const char *const *)argv, &text) : -ENOMEM;
	const char *p = text.data;
	for (size_t i = 0; r == 0 && i < n && p < text.data + text.len; i++, p += strlen(p) + 1)
		command[i] = p;
	if (r == 0)
		r = jm_run_set_command(&s->run, command, n);
	jm_buf_done(&text);
	return r;
}

static int add_tags(struct jm_session *s)
{
	struct jm_buf text = { 0 };
	int r = 0;
	for (const char *const *tag = s->opts.tags; r == 0 && tag && *tag; tag++) {
		r = redacted(s, (const char *const[]){ *tag, NULL }, &text);
		char *eq = r == 0 ? strchr(text.data, '=') : NULL;
		if (!eq)
			continue;
		*eq = '\0';
		r = jm_run_add_tag(&s->run, text.data, eq + 1);
	}
	jm_buf_done(&text);
	return r;
}

int jm_session_facts(struct jm_session *s, char *const argv[])
{
	struct jm_run *run = &s->run;
	struct jm_arena *a = &run->arena;
	if (add_command(s, argv) < 0 || add_tags(s) < 0)
		return -ENOMEM;
	struct jm_root_uname u;
	if (jm_root_uname(&s->root, &u) == 0) {
		run->host = jm_arena_text(a, u.hostname);
		run->kernel = jm_arena_text(a, u.kernel);
		run->arch = jm_arena_text(a, u.arch);
	}
	char boot_id[40], directory[4096];
	if (jm_root_boot_id(&s->root, boot_id) == 0)
		run->boot_id = jm_arena_text(a, boot_id);
	if (getcwd(directory, sizeof directory))
		run->directory = jm_arena_text(a, directory);
	run->id = new_id(a);
	if (!run->id)
		run->id = "00000000-0000-4000-8000-000000000000"; /* no entropy yet, at early boot: an id, if not a
								     unique one */
	run->version = JM_VERSION;
	run->wait = s->opts.wait ? jm_arena_text(a, s->opts.wait) : "root";
	run->interval_ns = s->opts.interval_ns;
	run->cpus = jm_root_cpus(&s->root);
	run->allowed_cpus = jm_root_allowed_cpus(&s->root);
	if (run->cpus < 0)
		run->cpus = -1;
	if (run->allowed_cpus < 0)
		run->allowed_cpus = -1;
	run->memory_bytes = memory_bytes(&s->root);
	run->page_bytes = s->root.page_bytes;
	run->ns_per_tick = s->root.ns_per_tick;
	run->tier = s->opts.tier;
	run->lifecycle = "none";
	run->boot_ns = jm_root_boot_ns(&s->root);
	run->wall_ns = jm_root_wall_ns(&s->root);
	return 0;
}
