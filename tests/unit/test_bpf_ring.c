/* collect/bpf_ring: a ring in shared memory, with the test as the kernel. */
#include "cm.h"
#include "collect/bpf_ring.h"
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct bench {
	struct jm_bpf_ring r;
	int fd;
	size_t page, size, bytes;
	unsigned char *pages; /* consumer, producer, records, and the records again */
};

static int set_up_of(void **state, size_t size)
{
	struct bench *b = calloc(1, sizeof *b);
	b->page = (size_t)sysconf(_SC_PAGESIZE);
	b->size = size < b->page ? b->page : size;
	b->bytes = 2 * b->page + 2 * b->size;
	b->fd = memfd_create("ring", MFD_CLOEXEC);
	assert_int_equal(ftruncate(b->fd, (off_t)b->bytes), 0);
	b->pages = mmap(NULL, b->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, b->fd, 0);
	assert_ptr_not_equal(b->pages, MAP_FAILED);
	assert_int_equal(jm_bpf_ring_open(&b->r, b->fd, b->size, b->page), 0);
	*state = b;
	return 0;
}

static int set_up(void **state)
{
	return set_up_of(state, 1 << 13);
}

static int set_up_large(void **state)
{
	return set_up_of(state, (size_t)4 * JM_BPF_RING_WINDOW);
}

static int tear_down(void **state)
{
	struct bench *b = *state;
	(void)munmap(b->pages, b->bytes);
	jm_bpf_ring_done(&b->r);
	(void)close(b->fd);
	free(b);
	return 0;
}

static unsigned long *consumer(struct bench *b)
{
	return (unsigned long *)(void *)b->pages;
}

static unsigned long *producer(struct bench *b)
{
	return (unsigned long *)(void *)(b->pages + b->page);
}

/* Both times that it is shown. */
static void put_byte(struct bench *b, unsigned long at, unsigned char byte)
{
	unsigned char *records = b->pages + 2 * b->page;
	records[at & (b->size - 1)] = records[b->size + (at & (b->size - 1))] = byte;
}

static void put(struct bench *b, uint32_t len, uint32_t bits, unsigned char fill)
{
	unsigned long at = *producer(b);
	const uint32_t head[2] = { len | bits, 0 };
	for (size_t i = 0; i < sizeof head; i++)
		put_byte(b, at + i, ((const unsigned char *)head)[i]);
	for (uint32_t i = 0; i < len; i++)
		put_byte(b, at + 8 + i, fill);
	*producer(b) = at + ((8 + len + 7) & ~7ul);
}

static void records_come_back_in_order_through_many_wraps(void **state)
{
	struct bench *b = *state;
	unsigned written = 0, read = 0;
	const void *data;
	size_t len;
	for (unsigned round = 0; round < 2000; round++) {
		for (unsigned i = 0; i <= round % 5; i++, written++)
			put(b, 24 + 13 * (written % 17), 0, (unsigned char)written);
		jm_bpf_ring_look(&b->r);
		for (; jm_bpf_ring_next(&b->r, &data, &len) == 1; read++) {
			const unsigned char *bytes = data;
			assert_int_equal(len, 24 + 13 * (read % 17));
			assert_int_equal(bytes[0], (unsigned char)read);
			assert_int_equal(bytes[len - 1], (unsigned char)read);
		}
		jm_bpf_ring_give(&b->r);
		assert_int_equal(*consumer(b), *producer(b));
	}
	assert_int_equal(read, written);
}

static void of_a_large_ring_only_a_window_is_mapped(void **state)
{
	struct bench *b = *state;
	const void *data;
	size_t len;
	jm_bpf_ring_look(&b->r);
	assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 0);
	assert_null(b->r.window); /* nothing was there to be looked at */
	for (unsigned round = 0; round < 40; round++) {
		for (unsigned i = 0; i < 20; i++)
			put(b, JM_BPF_RING_RECORD_MAX - 8 * (i % 3), 0, (unsigned char)(round + i));
		jm_bpf_ring_look(&b->r);
		for (unsigned i = 0; i < 20; i++) {
			assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 1);
			const unsigned char *bytes = data;
			assert_int_equal(len, JM_BPF_RING_RECORD_MAX - 8 * (i % 3));
			assert_int_equal(bytes[0], (unsigned char)(round + i));
			assert_int_equal(bytes[len - 1], (unsigned char)(round + i));
			assert_true(bytes >= b->r.window);
			assert_true(bytes < b->r.window + JM_BPF_RING_WINDOW + 8);
		}
		assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 0);
		jm_bpf_ring_give(&b->r);
	}
}

static void a_window_that_cannot_be_mapped_loses_nothing(void **state)
{
	struct bench *b = *state;
	const void *data;
	size_t len;
	put(b, 24, 0, 7);
	jm_bpf_ring_look(&b->r);
	b->r.fd = -1;
	assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 0);
	jm_bpf_ring_give(&b->r);
	b->r.fd = b->fd;
	jm_bpf_ring_look(&b->r);
	assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 1);
	assert_int_equal(*(const unsigned char *)data, 7);
}

static void a_record_that_is_none_of_ours_is_stepped_over(void **state)
{
	struct bench *b = *state;
	const void *data;
	size_t len;
	put(b, JM_BPF_RING_RECORD_MAX + 1, 0, 1);
	put(b, 24, 0, 2);
	jm_bpf_ring_look(&b->r);
	assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 1);
	assert_int_equal(*(const unsigned char *)data, 2);
}

static void what_is_still_written_ends_the_look(void **state)
{
	struct bench *b = *state;
	const void *data;
	size_t len;
	put(b, 24, 0, 1);
	put(b, 24, BPF_RINGBUF_BUSY_BIT, 2);
	put(b, 24, 0, 3);
	jm_bpf_ring_look(&b->r);
	assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 1);
	assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 0);
	assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 0);
	jm_bpf_ring_give(&b->r);
	assert_int_equal(*consumer(b), 32);
}

static void what_was_discarded_is_stepped_over(void **state)
{
	struct bench *b = *state;
	const void *data;
	size_t len;
	put(b, 24, BPF_RINGBUF_DISCARD_BIT, 1);
	put(b, 16, 0, 2);
	jm_bpf_ring_look(&b->r);
	put(b, 16, 0, 3); /* after the look: another time */
	assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 1);
	assert_int_equal(len, 16);
	assert_int_equal(*(const unsigned char *)data, 2);
	assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 0);
}

static void a_place_that_no_kernel_gives_is_not_followed(void **state)
{
	struct bench *b = *state;
	const void *data;
	size_t len;
	*producer(b) = b->size * 3;
	jm_bpf_ring_look(&b->r);
	assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 0);
	*producer(b) = 0;
	put(b, 100, 0, 1); /* longer than what there is */
	*producer(b) = 64;
	jm_bpf_ring_look(&b->r);
	assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void what_is_taken_aside_makes_room_and_comes_first(void **state)
{
	struct bench *b = *state;
	const void *data;
	size_t len;
	unsigned written = 0;
	for (unsigned round = 0; round < 50; round++) { /* many rings full */
		while (*producer(b) - *consumer(b) < b->size - 512)
			put(b, 24 + 13 * (written % 17), 0, (unsigned char)written), written++;
		jm_bpf_ring_save(&b->r);
		assert_int_equal(*consumer(b), *producer(b));
	}
	for (unsigned i = 0; i < 3; i++, written++)
		put(b, 24 + 13 * (written % 17), 0, (unsigned char)written);
	jm_bpf_ring_look(&b->r);
	for (unsigned read = 0; read < written; read++) {
		assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 1);
		const unsigned char *bytes = data;
		assert_int_equal(len, 24 + 13 * (read % 17));
		assert_int_equal(bytes[0], (unsigned char)read);
		assert_int_equal(bytes[len - 1], (unsigned char)read);
	}
	assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 0);
	assert_null(b->r.saved.data);
}

/* Without end a job could fill memory so: what is beyond stays in the ring, and what that does not hold is counted as lost. */
static void what_is_taken_aside_has_a_limit(void **state)
{
	struct bench *b = *state;
	do {
		put(b, JM_BPF_RING_RECORD_MAX, 0, 1);
		jm_bpf_ring_save(&b->r);
	} while (*consumer(b) == *producer(b));
	assert_in_range(b->r.saved.len, JM_BPF_RING_SAVED_MAX, JM_BPF_RING_SAVED_MAX + 2 * JM_BPF_RING_RECORD_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(records_come_back_in_order_through_many_wraps),
		cmocka_unit_test_setup_teardown(of_a_large_ring_only_a_window_is_mapped, set_up_large, tear_down),
		TEST(a_window_that_cannot_be_mapped_loses_nothing),
		TEST(a_record_that_is_none_of_ours_is_stepped_over),
		TEST(what_is_still_written_ends_the_look),
		TEST(what_was_discarded_is_stepped_over),
		TEST(a_place_that_no_kernel_gives_is_not_followed),
		TEST(what_is_taken_aside_makes_room_and_comes_first),
		TEST(what_is_taken_aside_has_a_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
