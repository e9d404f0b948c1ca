/* read/perf_record: bytes of a perf ring, made by hand from the tables of perf_event_open(2). */
#include "cm.h"
#include "read/perf_record.h"
#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum {
	COMM = 3,
	LOST = 2,
	EXIT = 4,
	THROTTLE = 5,
	FORK = 7,
	READ = 8,
	SAMPLE = 9,
	LOST_SAMPLES = 13,
	MISC_EXEC = 1 << 13
};

struct bytes {
	unsigned char data[256];
	size_t len;
};

static void add(struct bytes *b, uint64_t v, size_t size)
{
	const uint32_t v32 = (uint32_t)v;
	const uint16_t v16 = (uint16_t)v;
	memcpy(b->data + b->len, size == 8 ? (const void *)&v : size == 4 ? (const void *)&v32 : &v16, size);
	b->len += size;
}

static void begin(struct bytes *b, unsigned type, unsigned misc, size_t size)
{
	*b = (struct bytes){ .len = 0 };
	add(b, type, 4);
	add(b, misc, 2);
	add(b, size, 2);
}

static void trail(struct bytes *b, uint64_t time, unsigned cpu)
{
	add(b, 901, 4);
	add(b, 902, 4);
	add(b, time, 8);
	add(b, cpu, 4);
	add(b, 0, 4);
}

static void make_fork(struct bytes *b)
{
	begin(b, FORK, 0, 56);
	for (unsigned v = 11; v <= 14; v++)
		add(b, v, 4); /* pid, ppid, tid, ptid */
	add(b, 5000000000, 8);
	trail(b, 5000000000, 3);
}

static void a_fork_names_child_and_parent(void **state)
{
	struct bytes b;
	struct jm_perf_record r;
	make_fork(&b);
	assert_int_equal(jm_perf_record_parse(b.data, b.len, &r), 56);
	assert_int_equal(r.kind, JM_PERF_FORK);
	assert_int_equal(r.pid, 11);
	assert_int_equal(r.parent, 12);
	assert_int_equal(r.tid, 13);
	assert_int_equal(r.parent_tid, 14);
	assert_int_equal(r.time_ns, 5000000000);
	assert_int_equal(r.cpu, 3);
	memcpy(b.data, &(uint32_t){ EXIT }, 4);
	assert_int_equal(jm_perf_record_parse(b.data, b.len, &r), 56);
	assert_int_equal(r.kind, JM_PERF_EXIT);
	assert_int_equal(r.pid, 11);
}

static void a_comm_is_an_exec_only_when_the_kernel_says_so(void **state)
{
	struct bytes b;
	struct jm_perf_record r;
	for (int exec = 0; exec < 2; exec++) {
		begin(&b, COMM, exec ? MISC_EXEC : 0, 56);
		add(&b, 7, 4);
		add(&b, 8, 4);
		memcpy(b.data + b.len, "a (b) \n\xff\0\0\0\0\0\0\0\0", 16);
		b.len += 16;
		trail(&b, 77, 0);
		assert_int_equal(jm_perf_record_parse(b.data, b.len, &r), 56);
		assert_int_equal(r.kind, exec ? JM_PERF_EXEC : JM_PERF_COMM);
		assert_int_equal(r.pid, 7);
		assert_int_equal(r.tid, 8);
		assert_int_equal(r.time_ns, 77);
		assert_string_equal(r.comm, "a (b) \n\xff");
	}
}

static void a_name_without_an_end_is_cut(void **state)
{
	struct bytes b;
	struct jm_perf_record r;
	begin(&b, COMM, MISC_EXEC, 8 + 8 + 24 + 24);
	add(&b, 7, 4);
	add(&b, 7, 4);
	memset(b.data + b.len, 'x', 24);
	b.len += 24;
	trail(&b, 1, 0);
	assert_int_equal(jm_perf_record_parse(b.data, b.len, &r), 64);
	assert_string_equal(r.comm, "xxxxxxxxxxxxxxx");
	begin(&b, COMM, MISC_EXEC, 8 + 8 + 24); /* no name at all */
	add(&b, 7, 8);
	trail(&b, 1, 0);
	assert_int_equal(jm_perf_record_parse(b.data, b.len, &r), 40);
	assert_string_equal(r.comm, "");
}

static void counts_and_losses_are_values(void **state)
{
	struct bytes b;
	struct jm_perf_record r;
	begin(&b, READ, 0, 48);
	add(&b, 21, 4);
	add(&b, 22, 4);
	add(&b, 100600000, 8);
	trail(&b, 9, 1);
	assert_int_equal(jm_perf_record_parse(b.data, b.len, &r), 48);
	assert_int_equal(r.kind, JM_PERF_READ);
	assert_int_equal(r.pid, 21);
	assert_int_equal(r.tid, 22);
	assert_int_equal(r.value, 100600000);
	assert_int_equal(r.time_ns, 9);

	begin(&b, LOST, 0, 48);
	add(&b, 1234, 8);
	add(&b, 17, 8);
	trail(&b, 10, 1);
	assert_int_equal(jm_perf_record_parse(b.data, b.len, &r), 48);
	assert_int_equal(r.kind, JM_PERF_LOST);
	assert_int_equal(r.value, 17);

	begin(&b, LOST_SAMPLES, 0, 40);
	add(&b, 18, 8);
	trail(&b, 10, 1);
	assert_int_equal(jm_perf_record_parse(b.data, b.len, &r), 40);
	assert_int_equal(r.kind, JM_PERF_LOST);
	assert_int_equal(r.value, 18);

	begin(&b, THROTTLE, 0, 56);
	add(&b, 44, 8);
	add(&b, 1, 8);
	add(&b, 2, 8);
	trail(&b, 45, 1);
	assert_int_equal(jm_perf_record_parse(b.data, b.len, &r), 56);
	assert_int_equal(r.kind, JM_PERF_THROTTLE);
	assert_int_equal(r.time_ns, 44);
}

static void what_is_not_known_is_stepped_over(void **state)
{
	struct bytes b;
	struct jm_perf_record r;
	begin(&b, 4711, 0, 40);
	add(&b, 1, 8);
	trail(&b, 46, 2);
	assert_int_equal(jm_perf_record_parse(b.data, b.len, &r), 40);
	assert_int_equal(r.kind, JM_PERF_OTHER);
	assert_int_equal(r.time_ns, 46);
	begin(&b, SAMPLE, 0, 8); /* a sample has no trailer */
	assert_int_equal(jm_perf_record_parse(b.data, b.len, &r), 8);
	assert_int_equal(r.kind, JM_PERF_OTHER);
}

static void a_piece_of_a_record_asks_for_more(void **state)
{
	struct bytes b;
	struct jm_perf_record r;
	make_fork(&b);
	for (size_t len = 0; len < b.len; len++)
		assert_int_equal(jm_perf_record_parse(b.data, len, &r), -EAGAIN);
}

static void sizes_that_cannot_be_are_refused(void **state)
{
	static const struct {
		unsigned type, size;
	} wrong[] = {
		{ FORK, 0 },  { FORK, 7 },  { FORK, 57 }, { FORK, 48 },         { FORK, 8 },      { FORK, 24 },
		{ COMM, 32 }, { READ, 40 }, { LOST, 40 }, { LOST_SAMPLES, 32 }, { THROTTLE, 48 }, { 4711, 24 },
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct bytes b;
		struct jm_perf_record r = { .pid = 99 };
		begin(&b, wrong[i].type, 0, wrong[i].size);
		assert_int_equal(jm_perf_record_parse(b.data, sizeof b.data, &r), -EBADMSG);
		assert_int_equal(r.pid, 99); /* written only on success */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fork_names_child_and_parent),
		cmocka_unit_test(a_comm_is_an_exec_only_when_the_kernel_says_so),
		cmocka_unit_test(a_name_without_an_end_is_cut),
		cmocka_unit_test(counts_and_losses_are_values),
		cmocka_unit_test(what_is_not_known_is_stepped_over),
		cmocka_unit_test(a_piece_of_a_record_asks_for_more),
		cmocka_unit_test(sizes_that_cannot_be_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
