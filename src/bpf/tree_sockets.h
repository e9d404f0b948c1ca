/* Part of tree.bpf.c: counts the bytes that processes of the job hand to sockets and take from them, which is what their
 * calls return: neither headers nor what is sent again. Needs Linux 6.3, where these tracepoints came.
 *
 * The counts are kept by process and not by thread, outside of task storage: they outlive both, until user space has
 * written the process's end. A thread looks its process's place up once; a job that does nothing but ask and answer comes
 * by here four times in 14 us, so that each line of cache counts. */
#pragma once

enum { FAMILY_UNIX = 1, FAMILY_INET = 2, FAMILY_INET6 = 10 };
enum { PEEK = 2, ERROR_QUEUE = 0x2000 }; /* linux/socket.h: MSG_PEEK, MSG_ERRQUEUE: no new bytes */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, JM_BPF_SOCKET_USERS);
	__type(key, __u32);
	__type(value, struct jm_bpf_socket_user);
} users SEC(".maps");

/* Where their places are. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, JM_BPF_SOCKET_USERS);
	__type(key, struct jm_bpf_socket_key);
	__type(value, __u32);
} places SEC(".maps");

/* Those that were given back: user space puts them there. */
struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, JM_BPF_SOCKET_USERS);
	__uint(value_size, sizeof(__u32));
} given_back SEC(".maps");

struct jm_bpf_socket_state sockets = {};

static __always_inline struct jm_bpf_socket_user *user_at(__u32 place)
{
	__u32 i = place - 1;
	return bpf_map_lookup_elem(&users, &i);
}

/* A place for one more. 0: there is none. */
static __always_inline __u32 new_place(void)
{
	__u32 place;
	if (bpf_map_pop_elem(&given_back, &place) == 0)
		return place;
	if (sockets.fresh >= JM_BPF_SOCKET_USERS)
		return 0;
	place = __sync_fetch_and_add(&sockets.fresh, 1) + 1;
	return place <= JM_BPF_SOCKET_USERS ? place : 0;
}

/* The place of a thread's process, which it may be the first to use. Not static: the verifier goes through it once, not
 * with each way that leads here, and takes any number for its answer. */
__noinline __u32 place_of(__u64 start_ns, __u32 pid)
{
	struct jm_bpf_socket_key key = { .start_ns = start_ns, .pid = pid };
	__u32 *known = bpf_map_lookup_elem(&places, &key);
	if (known)
		return *known;
	__u32 place = new_place();
	struct jm_bpf_socket_user *u = place ? user_at(place) : 0;
	if (!u)
		return 0;
	u->who.start_ns = start_ns;
	u->who.pid = pid;
	if (bpf_map_update_elem(&places, &key, &place, BPF_NOEXIST) == 0)
		return place;
	/* another thread was faster, or there is no memory */
	u->who.pid = 0;
	bpf_map_push_elem(&given_back, &place, 0);
	known = bpf_map_lookup_elem(&places, &key);
	return known ? *known : 0;
}

static __always_inline struct jm_bpf_socket_bytes *bytes_of_current(void)
{
	struct task_struct *t = bpf_get_current_task_btf();
	struct jm_bpf_member *m = member_of(t);
	if (!m || is_hidden(m))
		return 0;
	if (!m->socket_place) {
		complete(m, t);
		m->socket_place = place_of(m->start_ns, m->pid);
		if (!m->socket_place)
			count(&sockets.no_room);
	}
	struct jm_bpf_socket_user *u = user_at(m->socket_place);
	return u ? &u->bytes : 0;
}

static __always_inline void add(__u64 *to, __u64 bytes)
{
	__sync_fetch_and_add(to, bytes);
	if (!sockets.moved) /* seldom written: all CPUs share it */
		sockets.moved = 1;
}

static __always_inline bool is_inet(__u16 family)
{
	return family == FAMILY_INET || family == FAMILY_INET6;
}

SEC("tp_btf/sock_send_length")
int on_send(__u64 *ctx)
{
	struct sock *socket = (struct sock *)ctx[0];
	int bytes = (int)ctx[1];
	__u16 family = socket->__sk_common.skc_family;
	if (bytes <= 0 || (!is_inet(family) && family != FAMILY_UNIX))
		return 0;
	struct jm_bpf_socket_bytes *b = bytes_of_current();
	if (b)
		add(is_inet(family) ? &b->sent : &b->unix_sent, bytes);
	return 0;
}

SEC("tp_btf/sock_recv_length")
int on_receive(__u64 *ctx)
{
	struct sock *socket = (struct sock *)ctx[0];
	int bytes = (int)ctx[1], flags = (int)ctx[2];
	__u16 family = socket->__sk_common.skc_family;
	if (bytes <= 0 || flags & (PEEK | ERROR_QUEUE) || (!is_inet(family) && family != FAMILY_UNIX))
		return 0;
	struct jm_bpf_socket_bytes *b = bytes_of_current();
	if (b)
		add(is_inet(family) ? &b->received : &b->unix_received, bytes);
	return 0;
}
