/* collect/perf_ring: a ring in plain memory, with the test as the kernel. */
#include "cm.h"
#include "collect/perf_open.h"
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, SIZE = 4096 };

static void ring_init(struct jm_perf_ring *r)
{
	*r = (struct jm_perf_ring){ .fd = -1, .map = calloc(1, PAGE + SIZE), .page = PAGE, .size = SIZE };
	assert_non_null(r->map);
}

static struct perf_event_mmap_page *control(struct jm_perf_ring *r)
{
	return (struct perf_event_mmap_page *)(void *)r->map;
}

static void put_bytes(struct jm_perf_ring *r, const void *data, size_t len)
{
	uint64_t head = control(r)->data_head;
	for (size_t i = 0; i < len; i++)
		r->map[PAGE + ((head + i) & (SIZE - 1))] = ((const unsigned char *)data)[i];
	control(r)->data_head = head + len;
}

/* A record of an unknown kind, with the time that is given. */
static void put_record(struct jm_perf_ring *r, size_t size, uint64_t time)
{
	unsigned char bytes[512] = { 0 };
	const struct perf_event_header h = { .type = 4711, .size = (uint16_t)size };
	memcpy(bytes, &h, sizeof h);
	memcpy(bytes + size - 16, &time, 8);
	put_bytes(r, bytes, size);
}

static void records_come_back_in_order_through_many_wraps(void **state)
{
	struct jm_perf_ring r;
	uint64_t lost = 0, written = 0, read = 0;
	ring_init(&r);
	for (unsigned round = 0; round < 2000; round++) {
		for (unsigned i = 0; i <= round % 7; i++)
			put_record(&r, 32 + 8 * (round % 10), ++written);
		jm_perf_ring_look(&r);
		for (const struct jm_perf_record *rec; (rec = jm_perf_ring_peek(&r, &lost)); jm_perf_ring_next(&r)) {
			assert_int_equal(rec->time_ns, ++read);
			assert_ptr_equal(jm_perf_ring_peek(&r, &lost), rec); /* until next */
		}
		jm_perf_ring_give(&r);
		assert_int_equal(control(&r)->data_tail, control(&r)->data_head);
	}
	assert_int_equal(read, written);
	assert_int_equal(lost, 0);
	jm_perf_ring_done(&(struct jm_perf_ring){ .fd = -1 });
	free(r.map);
}

static void what_comes_after_the_look_waits(void **state)
{
	struct jm_perf_ring r;
	uint64_t lost = 0;
	ring_init(&r);
	put_record(&r, 64, 1);
	assert_int_equal(jm_perf_ring_look(&r), 64 * 256 / SIZE);
	put_record(&r, 64, 2);
	assert_int_equal(jm_perf_ring_peek(&r, &lost)->time_ns, 1);
	jm_perf_ring_next(&r);
	assert_null(jm_perf_ring_peek(&r, &lost));
	jm_perf_ring_look(&r);
	assert_int_equal(jm_perf_ring_peek(&r, &lost)->time_ns, 2);
	free(r.map);
}

static void bytes_without_sense_are_dropped_and_counted(void **state)
{
	struct jm_perf_ring r;
	uint64_t lost = 0;
	ring_init(&r);
	put_record(&r, 64, 1);
	put_bytes(&r, (uint64_t[4]){ 0 }, 32);
	put_record(&r, 64, 2);
	jm_perf_ring_look(&r);
	assert_non_null(jm_perf_ring_peek(&r, &lost));
	jm_perf_ring_next(&r);
	assert_null(jm_perf_ring_peek(&r, &lost));
	assert_int_equal(lost, 1);
	jm_perf_ring_give(&r);
	put_record(&r, 64, 3); /* it goes on */
	jm_perf_ring_look(&r);
	assert_int_equal(jm_perf_ring_peek(&r, &lost)->time_ns, 3);
	free(r.map);
}

static void a_record_that_claims_to_be_longer_than_the_ring_is_dropped(void **state)
{
	struct jm_perf_ring r;
	uint64_t lost = 0;
	for (unsigned at = 0; at < 2; at++) { /* in one piece, and across the end */
		ring_init(&r);
		control(&r)->data_head = r.tail = at ? SIZE - 8 : 0;
		put_bytes(&r, &(struct perf_event_header){ .type = 4711, .size = 65528 }, 8);
		put_bytes(&r, (uint64_t[2]){ 0 }, 16);
		jm_perf_ring_look(&r);
		assert_null(jm_perf_ring_peek(&r, &lost));
		assert_int_equal(lost, at + 1);
		free(r.map);
	}
}

static void a_cpu_without_a_ring_is_found_in_the_list_of_those_online(void **state)
{
	(void)state;
	struct jm_perf p = { .n_rings = 3, .rings = { { .cpu = 0 }, { .cpu = 1 }, { .cpu = 5 } } };
	const struct {
		const char *list;
		int cpu;
	} cases[] = {
		{ "0-1,5\n", -1 },
		{ "0\n", -1 },
		{ "0-2,5\n", 2 },
		{ "0-1,5-6\n", 6 },
		{ "7", 7 },
		{ "", -1 },
		{ "0,x", -1 },
		{ "0-", -1 },
		{ "5-1", -1 },
		{ "0,3,9", 3 },
		{ "0-18446744073709551615", 2 },
		{ "99999999999999999999", -1 },
		{ "4096", -1 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(jm_perf_uncovered(&p, cases[i].list, strlen(cases[i].list)), cases[i].cpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cpu_without_a_ring_is_found_in_the_list_of_those_online),
		cmocka_unit_test(records_come_back_in_order_through_many_wraps),
		cmocka_unit_test(what_comes_after_the_look_waits),
		cmocka_unit_test(bytes_without_sense_are_dropped_and_counted),
		cmocka_unit_test(a_record_that_claims_to_be_longer_than_the_ring_is_dropped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
