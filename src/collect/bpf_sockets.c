#include "collect/bpf_sockets.h"
#include "collect/process.h"
#include <errno.h>
#include <linux/bpf.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { USERS_FIRST = 64 }; /* 4 KiB */

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

/* The programs add to it meanwhile. */
static struct jm_bpf_socket_bytes read_bytes(const struct jm_bpf_socket_user *u)
{
	return (struct jm_bpf_socket_bytes){
		__atomic_load_n(&u->bytes.sent, __ATOMIC_RELAXED),
		__atomic_load_n(&u->bytes.received, __ATOMIC_RELAXED),
		__atomic_load_n(&u->bytes.unix_sent, __ATOMIC_RELAXED),
		__atomic_load_n(&u->bytes.unix_received, __ATOMIC_RELAXED),
	};
}

/* Whose place it is: taken out of the map, so that nobody finds it any more. 0: it has none. */
static uint32_t take_place(const struct jm_bpf_sockets *s, const struct jm_bpf_socket_key *key)
{
	uint32_t place = 0;
	union bpf_attr attr = {
		.map_fd = (uint32_t)s->map.places,
		.key = (uint64_t)(uintptr_t)key,
		.value = (uint64_t)(uintptr_t)&place,
	};
	if (syscall(SYS_bpf, BPF_MAP_LOOKUP_AND_DELETE_ELEM, &attr, sizeof attr) < 0)
		return 0;
	return place <= JM_BPF_SOCKET_USERS ? place : 0;
}

static void unmap(struct jm_bpf_sockets *s)
{
	if (s->users)
		(void)munmap(s->users, s->n_users * sizeof *s->users);
	s->users = NULL;
	s->n_users = 0;
}

/* The array is mapped as far as it is used, as all that is mapped counts as our memory. False: it cannot be. */
static bool sees(struct jm_bpf_sockets *s, const struct jm_root *root, uint32_t place)
{
	if (place <= s->n_users)
		return true;
	size_t n = USERS_FIRST, whole = root->page_bytes / sizeof *s->users;
	while (n < place || n % whole)
		n *= 2;
	n = n < JM_BPF_SOCKET_USERS ? n : JM_BPF_SOCKET_USERS;
	unmap(s);
	void *users = mmap(NULL, n * sizeof *s->users, PROT_READ | PROT_WRITE, MAP_SHARED, s->map.users, 0);
	if (users == MAP_FAILED)
		return false;
	s->users = users;
	s->n_users = (uint32_t)n;
	return true;
}

static void give_back(struct jm_bpf_sockets *s, uint32_t place)
{
	struct jm_bpf_socket_user *u = &s->users[place - 1];
	u->bytes = (struct jm_bpf_socket_bytes){ 0 };
	u->who = (struct jm_bpf_socket_key){ 0 };
	union bpf_attr attr = { .map_fd = (uint32_t)s->map.given_back, .value = (uint64_t)(uintptr_t)&place };
	(void)syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof attr); /* it has room for all that there are */
}

/* Its last figures: it has ended. Who has used no socket is not asked for, as long as nobody else has used one either. */
static void take_last(void *ctx, struct jm_process *p)
{
	struct jm_bpf_sockets *s = ctx;
	struct jm_bpf_socket_key key = { .start_ns = p->socket_start_ns, .pid = (uint32_t)p->pid };
	if (!key.start_ns && __atomic_load_n(&s->map.state->moved, __ATOMIC_ACQUIRE))
		key.start_ns = p->born_ns;
	uint32_t place = key.start_ns ? take_place(s, &key) : 0;
	if (place && sees(s, s->tree->opts.root, place)) {
		struct jm_bpf_socket_bytes bytes = read_bytes(&s->users[place - 1]);
		take(s->tree, p, &bytes);
		give_back(s, place);
	} else if (place) {
		s->unread++;
	}
	p->socket_start_ns = 0;
}

int jm_bpf_sockets_open(struct jm_bpf_sockets *s, const struct jm_collect_env *env, const struct jm_bpf_tree *bpf)
{
	*s = (struct jm_bpf_sockets){ .map = bpf->sockets };
	if (!s->map.state)
		return jm_run_add_missing(env->run, jm_metrics[JM_M_PROCESS_NET_SENT].name,
		                          "the kernel tells of bytes through sockets since Linux 6.3");
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
	unmap(s);
	*s = (struct jm_bpf_sockets){ 0 };
}

void jm_bpf_sockets_read(struct jm_bpf_sockets *s)
{
	struct jm_bpf_socket_state *state = s->map.state;
	if (!s->tree)
		return;
	s->tree->uncounted_sockets = __atomic_load_n(&state->no_room, __ATOMIC_RELAXED) + s->unread;
	if (!__atomic_exchange_n(&state->moved, 0, __ATOMIC_SEQ_CST))
		return;
	uint32_t n = __atomic_load_n(&state->fresh, __ATOMIC_ACQUIRE);
	n = n < JM_BPF_SOCKET_USERS ? n : JM_BPF_SOCKET_USERS;
	if (!sees(s, s->tree->opts.root, n)) {
		state->moved = 1; /* the next time, perhaps */
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct jm_bpf_socket_user *u = &s->users[i];
		uint32_t pid = __atomic_load_n(&u->who.pid, __ATOMIC_ACQUIRE);
		struct jm_process *p = pid ? jm_tree_find(s->tree, (pid_t)pid) : NULL;
		if (!p || p->finished || !jm_tree_is_same(s->tree, p, u->who.start_ns))
			continue; /* its birth was not told yet */
		struct jm_bpf_socket_bytes bytes = read_bytes(u);
		p->socket_start_ns = u->who.start_ns;
		take(s->tree, p, &bytes);
	}
}
