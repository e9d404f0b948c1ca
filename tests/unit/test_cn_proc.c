/* read/cn_proc: datagrams of the proc connector, made by hand. */
#include "cm.h"
#include "read/cn_proc.h"
#include <errno.h>
#include <string.h>

struct bytes {
	unsigned char data[512];
	size_t len;
};

static void add(struct bytes *b, uint64_t v, size_t size)
{
	const uint32_t v32 = (uint32_t)v;
	const uint16_t v16 = (uint16_t)v;
	memcpy(b->data + b->len, size == 8 ? (const void *)&v : size == 4 ? (const void *)&v32 : &v16, size);
	b->len += size;
}

/* nlmsghdr, cn_msg, the head of the event; n words follow. */
static void add_event(struct bytes *b, uint32_t what, const uint32_t *words, size_t n)
{
	size_t event = 16 + 4 * n;
	add(b, 16 + 20 + event, 4);
	add(b, 3, 2); /* NLMSG_DONE */
	add(b, 0, 2);
	add(b, 0, 4);
	add(b, 0, 4);
	add(b, 1, 4); /* CN_IDX_PROC, CN_VAL_PROC */
	add(b, 1, 4);
	add(b, 4242, 4); /* seq */
	add(b, 0, 4);
	add(b, event, 2);
	add(b, 0, 2);
	add(b, what, 4);
	add(b, 5, 4); /* cpu */
	add(b, 6000000000, 8);
	for (size_t i = 0; i < n; i++)
		add(b, words[i], 4);
}

static struct jm_cn_event only(uint32_t what, const uint32_t *words, size_t n)
{
	struct bytes b = { .len = 0 };
	struct jm_cn_event e = { 0 };
	size_t at = 0;
	add_event(&b, what, words, n);
	assert_int_equal(jm_cn_proc_next(b.data, b.len, &at, &e), 1);
	assert_int_equal(at, b.len);
	assert_int_equal(e.cpu, 5);
	assert_int_equal(e.seq, 4242);
	assert_int_equal(e.time_ns, 6000000000);
	assert_int_equal(jm_cn_proc_next(b.data, b.len, &at, &e), 0);
	return e;
}

static void each_kind_is_understood(void **state)
{
	struct jm_cn_event e = only(1, (uint32_t[]){ 10, 11, 12, 13 }, 4); /* parent pid, tgid, child pid, tgid */
	assert_int_equal(e.kind, JM_CN_FORK);
	assert_int_equal(e.parent_tid, 10);
	assert_int_equal(e.parent, 11);
	assert_int_equal(e.tid, 12);
	assert_int_equal(e.pid, 13);
	e = only(2, (uint32_t[]){ 20, 21 }, 2);
	assert_int_equal(e.kind, JM_CN_EXEC);
	assert_int_equal(e.tid, 20);
	assert_int_equal(e.pid, 21);
	e = only(0x80000000, (uint32_t[]){ 30, 31, 256, 17, 1, 1 }, 6);
	assert_int_equal(e.kind, JM_CN_EXIT);
	assert_int_equal(e.tid, 30);
	assert_int_equal(e.pid, 31);
	assert_int_equal(e.value, 256);
	uint32_t comm[6] = { 40, 41 };
	memset(comm + 2, 'x', 16);
	e = only(0x200, comm, 6);
	assert_int_equal(e.kind, JM_CN_COMM);
	assert_string_equal(e.comm, "xxxxxxxxxxxxxxx"); /* ends, whatever was sent */
	e = only(0, (uint32_t[]){ 13 }, 1);
	assert_int_equal(e.kind, JM_CN_ACK);
	assert_int_equal(e.value, 13);
	e = only(4, (uint32_t[]){ 1, 2, 3, 4 }, 4); /* uid */
	assert_int_equal(e.kind, JM_CN_OTHER);
}

static void several_messages_share_a_datagram(void **state)
{
	struct bytes b = { .len = 0 };
	struct jm_cn_event e;
	size_t at = 0;
	add_event(&b, 2, (uint32_t[]){ 1, 1 }, 2);
	add_event(&b, 2, (uint32_t[]){ 2, 2 }, 2);
	assert_int_equal(jm_cn_proc_next(b.data, b.len, &at, &e), 1);
	assert_int_equal(e.pid, 1);
	assert_int_equal(jm_cn_proc_next(b.data, b.len, &at, &e), 1);
	assert_int_equal(e.pid, 2);
	assert_int_equal(jm_cn_proc_next(b.data, b.len, &at, &e), 0);
}

static void a_datagram_that_is_cut_is_refused(void **state)
{
	struct bytes b = { .len = 0 };
	add_event(&b, 1, (uint32_t[]){ 10, 11, 12, 13 }, 4);
	for (size_t len = 1; len < b.len; len++) {
		struct jm_cn_event e = { .pid = 99 };
		size_t at = 0;
		assert_int_equal(jm_cn_proc_next(b.data, len, &at, &e), -EBADMSG);
		assert_int_equal(e.pid, 99);
		assert_int_equal(at, 0);
	}
}

static void inner_lengths_are_not_believed(void **state)
{
	struct jm_cn_event e;
	for (uint32_t what = 0; what < 3; what++) {
		struct bytes b = { .len = 0 };
		size_t at = 0;
		add_event(&b, what, NULL, 0); /* the payload is missing */
		assert_int_equal(jm_cn_proc_next(b.data, b.len, &at, &e), -EBADMSG);
	}
	struct bytes b = { .len = 0 };
	size_t at = 0;
	add_event(&b, 2, (uint32_t[]){ 1, 1 }, 2);
	memcpy(b.data + 32, &(uint16_t){ 9999 }, 2); /* cn_msg.len */
	assert_int_equal(jm_cn_proc_next(b.data, b.len, &at, &e), -EBADMSG);
	memcpy(b.data, &(uint32_t){ 15 }, 4); /* nlmsg_len */
	assert_int_equal(jm_cn_proc_next(b.data, b.len, &at, &e), -EBADMSG);
}

static void other_connectors_and_netlink_itself_say_nothing(void **state)
{
	struct bytes b = { .len = 0 };
	struct jm_cn_event e;
	size_t at = 0;
	add_event(&b, 2, (uint32_t[]){ 1, 1 }, 2);
	memcpy(b.data + 16, &(uint32_t){ 7 }, 4); /* another connector's index */
	assert_int_equal(jm_cn_proc_next(b.data, b.len, &at, &e), 1);
	assert_int_equal(e.kind, JM_CN_OTHER);
	memcpy(b.data + 4, &(uint16_t){ 1 }, 2); /* NLMSG_NOOP */
	at = 0;
	assert_int_equal(jm_cn_proc_next(b.data, b.len, &at, &e), 1);
	assert_int_equal(e.kind, JM_CN_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_is_understood),
		cmocka_unit_test(several_messages_share_a_datagram),
		cmocka_unit_test(a_datagram_that_is_cut_is_refused),
		cmocka_unit_test(inner_lengths_are_not_believed),
		cmocka_unit_test(other_connectors_and_netlink_itself_say_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
