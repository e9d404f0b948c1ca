/* read/genl and read/taskstats: messages made by hand, in the layouts of several kernels. */
#include "cm.h"
#include "read/taskstats.h"
#include <errno.h>
#include <string.h>

enum { FAMILY = 29, AGGR_PID = 4, AGGR_TGID = 5, TYPE_PID = 1, TYPE_TGID = 2, TYPE_STATS = 3 };

struct bytes {
	unsigned char data[4096];
	size_t len;
};

static void add(struct bytes *b, const void *data, size_t len)
{
	assert_true(b->len + len <= sizeof b->data);
	memcpy(b->data + b->len, data, len);
	b->len += len;
}

static void add16(struct bytes *b, unsigned v)
{
	add(b, &(uint16_t){ (uint16_t)v }, 2);
}

static void add32(struct bytes *b, uint32_t v)
{
	add(b, &v, 4);
}

static void set64(unsigned char *record, size_t at, uint64_t v)
{
	memcpy(record + at, &v, 8);
}

static void set32(unsigned char *record, size_t at, uint32_t v)
{
	memcpy(record + at, &v, 4);
}

static void add_aggregate(struct bytes *b, unsigned type, uint32_t id, const unsigned char *record, size_t len)
{
	add16(b, (unsigned)(4 + 8 + 4 + len));
	add16(b, type);
	add16(b, 8);
	add16(b, type == AGGR_PID ? TYPE_PID : TYPE_TGID);
	add32(b, id);
	add16(b, (unsigned)(4 + len));
	add16(b, TYPE_STATS);
	add(b, record, len);
}

static void begin(struct bytes *b, unsigned type)
{
	*b = (struct bytes){ .len = 0 };
	add32(b, 0);
	add16(b, type);
	add16(b, 0);
	add32(b, 7); /* seq */
	add32(b, 0);
	add(b, (unsigned char[]){ 2, 1, 0, 0 }, 4); /* TASKSTATS_CMD_NEW */
}

static void finish(struct bytes *b)
{
	uint32_t len = (uint32_t)b->len;
	memcpy(b->data, &len, 4);
}

/* extremes: how many bytes version 15 has put behind each delay */
static void fill(unsigned char *r, unsigned version, size_t extremes)
{
	const size_t e = extremes;
	r[0] = (unsigned char)version;
	set32(r, 4, 3 << 8);
	r[8] = 0x20;
	set64(r, 24, 1000); /* waiting for a CPU */
	set64(r, 40 + e, 2000);
	set64(r, 56 + 2 * e, 3000);
	set64(r, 72 + 3 * e, 4000); /* CPU */
	memcpy(r + 80 + 3 * e, "a program of a long name", 24);
	set64(r, 152 + 3 * e, 5);
	set64(r, 160 + 3 * e, 6);
	set64(r, 168 + 3 * e, 7);
	set64(r, 176 + 3 * e, 8);
	set64(r, 200 + 3 * e, 900);
	for (size_t i = 0; i < 7; i++)
		set64(r, 216 + 8 * i + 3 * e, 1024 * (i + 1));
	set64(r, 272 + 3 * e, 10);
	set64(r, 280 + 3 * e, 11);
	set64(r, 320 + 3 * e, 12000);
	set64(r, 336 + 4 * e, 13000);
	set64(r, 360 + 5 * e, 14000);
	set32(r, 368 + 6 * e, 4242);
	set64(r, 376 + 6 * e, 15);
}

static int parse(const struct bytes *b, struct jm_taskstats *ret)
{
	struct jm_genl_message m;
	size_t at = 0;
	int r = jm_genl_next(b->data, b->len, &at, &m);
	if (r <= 0)
		return r < 0 ? r : -ENODATA;
	assert_int_equal(m.type, FAMILY);
	assert_int_equal(m.command, 2);
	assert_int_equal(m.seq, 7);
	return jm_taskstats_parse(&m, ret);
}

static void check(const struct jm_taskstats *t)
{
	assert_false(t->group);
	assert_true(t->last);
	assert_int_equal(t->tid, 4243);
	assert_int_equal(t->pid, 4242);
	assert_int_equal(t->age_ns, 15000);
	assert_int_equal(t->status, 3 << 8);
	assert_string_equal(t->comm, "a program of a "); /* ends, whatever was sent */
	assert_int_equal(t->cpu_ns, 4000);
	assert_int_equal(t->user_ns, 5000);
	assert_int_equal(t->system_ns, 6000);
	assert_int_equal(t->minor, 7);
	assert_int_equal(t->major, 8);
	assert_int_equal(t->high_water_bytes, 900 * 1024);
	assert_int_equal(t->io.rchar, 1024);
	assert_int_equal(t->io.wchar, 2048);
	assert_int_equal(t->io.syscr, 3072);
	assert_int_equal(t->io.syscw, 4096);
	assert_int_equal(t->io.read_bytes, 5120);
	assert_int_equal(t->io.write_bytes, 6144);
	assert_int_equal(t->io.cancelled_write_bytes, 7168);
	assert_int_equal(t->voluntary, 10);
	assert_int_equal(t->involuntary, 11);
	assert_int_equal(t->run_wait_ns, 1000);
	assert_int_equal(t->disk_wait_ns, 2000);
	assert_int_equal(t->swap_wait_ns, 3000);
	assert_int_equal(t->reclaim_ns, 12000);
	assert_int_equal(t->thrashing_ns, 13000);
	assert_int_equal(t->compaction_ns, 14000);
}

static void a_record_is_understood_whatever_the_kernel_has_added_behind(void **state)
{
	static const struct {
		unsigned version;
		size_t len;
	} kernels[] = { { 12, 400 }, { 13, 416 }, { 14, 432 }, { 16, 560 }, { 99, 2000 } };
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
		unsigned char record[2000] = { 0 };
		struct jm_taskstats t;
		struct bytes b;
		fill(record, kernels[i].version, 0);
		begin(&b, FAMILY);
		add_aggregate(&b, AGGR_PID, 4243, record, kernels[i].len);
		finish(&b);
		assert_int_equal(parse(&b, &t), 0);
		assert_int_equal(t.version, kernels[i].version);
		check(&t);
	}
}

static void version_15_has_its_fields_elsewhere(void **state)
{
	unsigned char record[560] = { 0 };
	struct jm_taskstats t;
	struct bytes b;
	fill(record, 15, 16);
	begin(&b, FAMILY);
	add_aggregate(&b, AGGR_PID, 4243, record, sizeof record);
	finish(&b);
	assert_int_equal(parse(&b, &t), 0);
	check(&t);
}

static void what_an_old_kernel_does_not_have_is_nothing(void **state)
{
	unsigned char record[328] = { 0 }; /* version 8 */
	struct jm_taskstats t;
	struct bytes b;
	record[0] = 8;
	set64(record, 72, 4000);
	begin(&b, FAMILY);
	add_aggregate(&b, AGGR_PID, 4243, record, sizeof record);
	finish(&b);
	assert_int_equal(parse(&b, &t), 0);
	assert_int_equal(t.tid, 4243);
	assert_int_equal(t.pid, 0);
	assert_int_equal(t.cpu_ns, 4000);
	assert_int_equal(t.thrashing_ns, 0);
}

static void of_a_thread_and_its_group_the_thread_is_told(void **state)
{
	unsigned char record[560] = { 0 }, group[560] = { 0 };
	struct jm_taskstats t;
	struct bytes b;
	fill(record, 16, 0);
	group[0] = 16;
	begin(&b, FAMILY);
	add_aggregate(&b, AGGR_PID, 4243, record, sizeof record);
	add_aggregate(&b, AGGR_TGID, 4242, group, sizeof group);
	finish(&b);
	assert_int_equal(parse(&b, &t), 0);
	check(&t);
	begin(&b, FAMILY);
	add_aggregate(&b, AGGR_TGID, 4242, group, sizeof group);
	finish(&b);
	assert_int_equal(parse(&b, &t), 0);
	assert_true(t.group);
	assert_int_equal(t.pid, 4242);
}

static void a_cut_message_is_refused(void **state)
{
	unsigned char record[560] = { 0 };
	struct bytes b;
	fill(record, 16, 0);
	begin(&b, FAMILY);
	add_aggregate(&b, AGGR_PID, 4243, record, sizeof record);
	finish(&b);
	for (size_t len = 1; len < b.len; len++) {
		struct bytes cut = b;
		struct jm_taskstats t = { .pid = 99 };
		cut.len = len;
		assert_int_equal(parse(&cut, &t), -EBADMSG); /* its length says more */
		if (len < 20)
			continue;
		finish(&cut);
		assert_true(parse(&cut, &t) < 0); /* an attribute says more, or nothing is in there */
		assert_int_equal(t.pid, 99);
	}
}

static void a_message_without_a_record_has_none(void **state)
{
	struct jm_taskstats t;
	struct bytes b;
	begin(&b, FAMILY);
	finish(&b);
	assert_int_equal(parse(&b, &t), -ENODATA);
	add16(&b, 8); /* an aggregate with nothing but a number */
	add16(&b, AGGR_PID);
	add32(&b, 0x00000004);
	finish(&b);
	assert_int_equal(parse(&b, &t), -ENODATA);
}

static void the_controller_tells_the_number_of_a_family(void **state)
{
	struct bytes b;
	struct jm_genl_message m;
	size_t at = 0;
	uint16_t family = 0;
	begin(&b, 16);
	add16(&b, 6);
	add16(&b, 1); /* CTRL_ATTR_FAMILY_ID */
	add16(&b, 29);
	add16(&b, 0);
	finish(&b);
	assert_int_equal(jm_genl_next(b.data, b.len, &at, &m), 1);
	assert_int_equal(jm_genl_family(&m, &family), 0);
	assert_int_equal(family, 29);
	m.len = 0;
	assert_int_equal(jm_genl_family(&m, &family), -EBADMSG);
}

static void a_refusal_has_its_errno(void **state)
{
	struct bytes b;
	struct jm_genl_message m;
	size_t at = 0;
	begin(&b, 2); /* NLMSG_ERROR */
	memcpy(b.data + 16, &(int32_t){ -EPERM }, 4);
	finish(&b);
	assert_int_equal(jm_genl_next(b.data, b.len, &at, &m), 1);
	assert_int_equal(m.error, -EPERM);
	assert_int_equal(jm_genl_next(b.data, b.len, &at, &m), 0);
}

static void waiting_for_memory_counts_a_wait_once(void **state)
{
	struct jm_taskstats t = { .reclaim_ns = 1, .compaction_ns = 2, .swap_wait_ns = 40, .thrashing_ns = 50 };
	assert_int_equal(jm_taskstats_memory_wait_ns(&t), 53);
	t.reclaim_ns = UINT64_MAX;
	assert_true(jm_taskstats_memory_wait_ns(&t) == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_is_understood_whatever_the_kernel_has_added_behind),
		cmocka_unit_test(version_15_has_its_fields_elsewhere),
		cmocka_unit_test(what_an_old_kernel_does_not_have_is_nothing),
		cmocka_unit_test(of_a_thread_and_its_group_the_thread_is_told),
		cmocka_unit_test(a_cut_message_is_refused),
		cmocka_unit_test(a_message_without_a_record_has_none),
		cmocka_unit_test(the_controller_tells_the_number_of_a_family),
		cmocka_unit_test(a_refusal_has_its_errno),
		cmocka_unit_test(waiting_for_memory_counts_a_wait_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
