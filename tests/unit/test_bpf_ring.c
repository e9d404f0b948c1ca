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
	size_t page, size;
	unsigned char *pages; /* consumer, producer, records */
};

static int set_up(void **state)
{
	struct bench *b = calloc(1, sizeof *b);
	b->page = b->size = (size_t)sysconf(_SC_PAGESIZE);
	size_t page = b->page;
	int fd = memfd_create("ring", MFD_CLOEXEC);
	assert_int_equal(ftruncate(fd, (off_t)(3 * page)), 0);
	b->pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	unsigned char *pages = mmap(NULL, 2 * page, PROT_READ, MAP_SHARED, fd, (off_t)page);
	assert_ptr_not_equal(pages, MAP_FAILED);
	b->r = (struct jm_bpf_ring){ .page = page, .size = page, .producer_pages = pages };
	b->r.consumer_page = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	(void)close(fd);
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;
	(void)munmap(b->pages, 3 * b->page);
	jm_bpf_ring_done(&b->r);
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

static void put(struct bench *b, uint32_t len, uint32_t bits, unsigned char fill)
{
	unsigned char *records = b->pages + 2 * b->page;
	unsigned long at = *producer(b);
	const uint32_t head[2] = { len | bits, 0 };
	memcpy(records + (at & (b->size - 1)), head, sizeof head);
	for (uint32_t i = 0; i < len; i++)
		records[(at + 8 + i) & (b->size - 1)] = fill;
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
	put(b, 1 << 20, 0, 1); /* longer than what there is */
	*producer(b) = 64;
	jm_bpf_ring_look(&b->r);
	assert_int_equal(jm_bpf_ring_next(&b->r, &data, &len), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(records_come_back_in_order_through_many_wraps),
		TEST(what_is_still_written_ends_the_look),
		TEST(what_was_discarded_is_stepped_over),
		TEST(a_place_that_no_kernel_gives_is_not_followed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
