#include "read/kmsg.h"
#include <errno.h>
#include <limits.h>
#include <string.h>

enum { FACILITY_KERNEL_END = 8 }; /* what programs write into the log has a larger prefix */

static bool find(struct jm_span s, const char *text, struct jm_span *ret_behind)
{
	const char *at = memmem(s.p, jm_span_len(s), text, strlen(text));
	if (!at)
		return false;
	*ret_behind = jm_span_over(at + strlen(text), (size_t)(s.end - at) - strlen(text));
	return true;
}

static int kilobytes(struct jm_span s, const char *key, uint64_t *ret)
{
	uint64_t v;
	if (!find(s, key, &s))
		return -EBADMSG;
	int r = jm_parse_u64(&s, &v);
	if (r < 0)
		return r;
	if (!jm_span_skip_text(&s, "kB"))
		return -EBADMSG;
	return __builtin_mul_overflow(v, 1024u, ret) ? -ERANGE : 0;
}

/* "PID (NAME) total-vm:1kB, anon-rss:1kB, file-rss:1kB, shmem-rss:1kB, ...": the name may hold all of that too, so the last
 * one counts. shmem-rss came with Linux 4.5. */
static int killed(struct jm_span s, struct jm_kmsg *k)
{
	static const char close[] = ") total-vm:";
	uint64_t pid;
	int r = jm_parse_u64(&s, &pid);
	if (r < 0)
		return r;
	if (!jm_span_skip_text(&s, " (") || pid > INT_MAX)
		return -EBADMSG;
	const char *name = s.p, *end = NULL;
	for (struct jm_span rest = s; find(rest, close, &rest);)
		end = rest.p - strlen(close);
	if (!end)
		return -EBADMSG;
	struct jm_span behind = jm_span_over(end, (size_t)(s.end - end));
	r = kilobytes(behind, "anon-rss:", &k->anon_bytes);
	if (r == 0)
		r = kilobytes(behind, "file-rss:", &k->file_bytes);
	if (r < 0)
		return r;
	if (kilobytes(behind, "shmem-rss:", &k->shmem_bytes) < 0)
		k->shmem_bytes = 0;
	k->kind = JM_KMSG_KILLED;
	k->pid = (pid_t)pid;
	k->comm = jm_span_over(name, (size_t)(end - name));
	return 0;
}

/* "oom-kill:constraint=CONSTRAINT_MEMCG,...,oom_memcg=/a,task_memcg=/a/b,task=NAME,..." (Linux 5.0) */
static void group(struct jm_span s, struct jm_kmsg *k)
{
	struct jm_span name;
	k->kind = JM_KMSG_GROUP;
	k->group = jm_span_over(s.p, 0);
	if (!find(s, ",oom_memcg=", &name))
		return;
	struct jm_span behind;
	if (find(name, ",task_memcg=", &behind))
		name.end = behind.p - strlen(",task_memcg=");
	k->group = name;
}

static int understand(struct jm_span s, struct jm_kmsg *k)
{
	struct jm_span behind;
	if (jm_span_skip_text(&s, "memory: usage ")) {
		k->kind = JM_KMSG_LIMIT;
		return kilobytes(s, ", limit ", &k->limit_bytes);
	}
	if (jm_span_skip_text(&s, "oom-kill:")) {
		group(s, k);
		return 0;
	}
	k->in_group = jm_span_skip_text(&s, "Memory cgroup out of memory");
	if ((k->in_group || jm_span_skip_text(&s, "Out of memory")) && find(s, "Killed process ", &behind))
		return killed(behind, k);
	if (jm_span_skip_text(&s, "Killed process ")) /* before Linux 5.1, in a line of its own */
		return killed(s, k);
	if (find(s, " invoked oom-killer: ", &behind))
		k->kind = JM_KMSG_BEGIN;
	return 0;
}

int jm_kmsg_parse(const char *text, size_t len, struct jm_kmsg *ret)
{
	struct jm_span all = jm_span_over(text, len), line;
	uint64_t prefix, sequence;
	struct jm_kmsg k = { .kind = JM_KMSG_OTHER };
	if (!jm_span_line(&all, &line) || jm_parse_u64(&line, &prefix) < 0 || !jm_span_skip_text(&line, ",") ||
	    jm_parse_u64(&line, &sequence) < 0 || !jm_span_skip_text(&line, ",") || jm_parse_u64(&line, &k.at_us) < 0)
		return -EBADMSG;
	const char *message = memchr(line.p, ';', jm_span_len(line));
	if (!message)
		return -EBADMSG;
	line.p = message + 1;
	int r = prefix < FACILITY_KERNEL_END ? understand(line, &k) : 0;
	if (r < 0)
		return -EBADMSG;
	*ret = k;
	return 0;
}
