#include "collect/bpf_sockets.h"
#include "collect/process.h"
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BATCH = 256 };

/* Takes the figures of one process out of the map. */
static int take_out(const struct jm_bpf_sockets *s, const struct jm_bpf_socket_key *key,
                    struct jm_bpf_socket_bytes *ret)
{
	union bpf_attr attr = {
		.map_fd = (uint32_t)s->map.fd,
		.key = (uint64_t)(uintptr_t)key,
		.value = (uint64_t)(uintptr_t)ret,
	};
	return syscall(SYS_bpf, BPF_MAP_LOOKUP_AND_DELETE_ELEM, &attr, sizeof attr) < 0 ? -errno : 0;
}

/* The next ones, behind *at when there was a call before. 1: there are more; 0: these were the last; -errno */
static int read_some(const struct jm_bpf_sockets *s, uint32_t *at, bool first, uint32_t *ret_n)
{
	uint32_t next = 0;
	union bpf_attr attr = { .batch = {
					.in_batch = first ? 0 : (uint64_t)(uintptr_t)at,
					.out_batch = (uint64_t)(uintptr_t)&next,
					.keys = (uint64_t)(uintptr_t)s->keys,
					.values = (uint64_t)(uintptr_t)s->bytes,
					.count = BATCH,
					.map_fd = (uint32_t)s->map.fd,
				} };
	long r = syscall(SYS_bpf, BPF_MAP_LOOKUP_BATCH, &attr, sizeof attr);
	if (r < 0 && errno != ENOENT)
		return -errno;
	*ret_n = attr.batch.count;
	*at = next;
	return r == 0;
}

static uint64_t more(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static void take(struct jm_tree *t, struct jm_process *p, const struct jm_bpf_socket_bytes *b)
{
	struct jm_bpf_socket_bytes *all = &t->socket_bytes, *had = &p->socket_bytes;
	uint64_t news = more(b->sent, had->sent) | more(b->received, had->received) |
	                more(b->unix_sent, had->unix_sent) | more(b->unix_received, had->unix_received);
	if (!news)
		return;
	all->sent += more(b->sent, had->sent);
	all->received += more(b->received, had->received);
	all->unix_sent += more(b->unix_sent, had->unix_sent);
	all->unix_received += more(b->unix_received, had->unix_received);
	*had = *b;
	p->has_sockets = p->socket_news = true;
}

/* Its last figures, as it has ended: they are taken out of the map. Processes that have used no socket are not asked for,
 * as long as nobody else has either. */
static void take_last(void *ctx, struct jm_process *p)
{
	struct jm_bpf_sockets *s = ctx;
	struct jm_bpf_socket_key key = { .start_ns = p->socket_start_ns, .pid = (uint32_t)p->pid };
	struct jm_bpf_socket_bytes bytes;
	if (!key.start_ns && __atomic_load_n(s->map.moved, __ATOMIC_ACQUIRE))
		key.start_ns = p->born_ns;
	if (key.start_ns && take_out(s, &key, &bytes) == 0)
		take(s->tree, p, &bytes);
	p->socket_start_ns = 0;
}

int jm_bpf_sockets_open(struct jm_bpf_sockets *s, const struct jm_collect_env *env, const struct jm_bpf_tree *bpf)
{
	*s = (struct jm_bpf_sockets){ .map = bpf->sockets };
	if (!s->map.moved)
		return jm_run_add_missing(env->run, jm_metrics[JM_M_PROCESS_NET_SENT].name,
		                          "the kernel tells of bytes through sockets since Linux 6.3");
	s->keys = calloc(BATCH, sizeof *s->keys);
	s->bytes = calloc(BATCH, sizeof *s->bytes);
	if (!s->keys || !s->bytes)
		return -ENOMEM;
	s->tree = env->tree;
	s->tree->counts_sockets = true;
	s->tree->take_last_sockets = take_last;
	s->tree->sockets_ctx = s;
	return 0;
}

void jm_bpf_sockets_done(struct jm_bpf_sockets *s)
{
	if (s->tree)
		s->tree->take_last_sockets = NULL;
	free(s->keys);
	free(s->bytes);
	*s = (struct jm_bpf_sockets){ 0 };
}

/* Whose it is; NULL: its birth was not told yet. */
static struct jm_process *find(const struct jm_tree *t, const struct jm_bpf_socket_key *key)
{
	struct jm_process *p = jm_tree_find(t, (pid_t)key->pid);
	return p && !p->finished && jm_tree_is_same(t, p, key->start_ns) ? p : NULL;
}

int jm_bpf_sockets_read(struct jm_bpf_sockets *s)
{
	if (!s->tree)
		return 0;
	s->tree->uncounted_sockets = __atomic_load_n(s->map.no_room, __ATOMIC_RELAXED);
	if (!__atomic_exchange_n(s->map.moved, 0, __ATOMIC_SEQ_CST))
		return 0;
	uint32_t at = 0, n = 0;
	bool first = true;
	int r;
	do {
		r = read_some(s, &at, first, &n);
		for (uint32_t i = 0; r >= 0 && i < n; i++) {
			struct jm_process *p = find(s->tree, &s->keys[i]);
			if (!p)
				continue;
			p->socket_start_ns = s->keys[i].start_ns;
			take(s->tree, p, &s->bytes[i]);
		}
		first = false;
	} while (r > 0);
	return r;
}
