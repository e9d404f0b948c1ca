/* Part of tree.bpf.c: counts the bytes that processes of the job hand to sockets and take from them, which is what their
 * calls return: neither headers nor what is sent again. Needs Linux 6.3, where these tracepoints came.
 *
 * The counts are kept by process and not by thread, outside of task storage: they outlive both, until user space has
 * written the process's end. */
#pragma once

enum { FAMILY_UNIX = 1, FAMILY_INET = 2, FAMILY_INET6 = 10 };
enum { PEEK = 2, ERROR_QUEUE = 0x2000 }; /* linux/socket.h: MSG_PEEK, MSG_ERRQUEUE: no new bytes */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, JM_BPF_SOCKET_USERS);
	__type(key, struct jm_bpf_socket_key);
	__type(value, struct jm_bpf_socket_bytes);
} users SEC(".maps");

__u64 no_room = 0; /* calls whose bytes were not counted */
__u32 moved = 0;   /* something was counted since user space has written 0 here */

static __always_inline struct jm_bpf_socket_bytes *bytes_of_current(void)
{
	struct task_struct *t = bpf_get_current_task_btf();
	struct jm_bpf_member *m = member_of(t);
	if (!m)
		return 0;
	complete(m, t);
	struct jm_bpf_socket_key key = { .start_ns = m->start_ns, .pid = m->pid };
	struct jm_bpf_socket_bytes *b = bpf_map_lookup_elem(&users, &key);
	if (b)
		return b;
	struct jm_bpf_socket_bytes none = {};
	bpf_map_update_elem(&users, &key, &none, BPF_NOEXIST);
	b = bpf_map_lookup_elem(&users, &key);
	if (!b)
		count(&no_room);
	return b;
}

static __always_inline void add(__u64 *to, __u64 bytes)
{
	__sync_fetch_and_add(to, bytes);
	if (!moved) /* seldom written: all CPUs share it */
		moved = 1;
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
