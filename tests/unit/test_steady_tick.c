/* In a steady tick the collectors of the machine allocate nothing. Allocations are counted by standing in for malloc,
 * which sanitizers do themselves: there is nothing to test under them. */
#include "collect/collectors.h"
#include "machine.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNTED 1
static unsigned long allocations;
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}
void *calloc(size_t n, size_t size)
{
	allocations++;
	return __libc_calloc(n, size);
}
void *realloc(void *p, size_t size)
{
	allocations++;
	return __libc_realloc(p, size);
}
#endif

static void no_collector_of_the_machine_allocates(void **state)
{
#ifndef COUNTED
	skip();
#else
	static const struct jm_collector *const collectors[] = {
		&jm_collector_cgroup, &jm_collector_cpu,       &jm_collector_memory,
		&jm_collector_load,   &jm_collector_psi,       &jm_collector_disk,
		&jm_collector_nic,    &jm_collector_processes, &jm_collector_filesystem,
	};
	for (size_t i = 0; i < sizeof collectors / sizeof *collectors; i++) {
		struct machine m;
		machine_init(&m, "/");
		if (machine_open(&m, collectors[i], NULL) < 0) {
			machine_done(&m);
			continue;
		}
		for (int warm = 0; warm < 3; warm++)
			(void)machine_tick(&m, true);
		/* somebody else may mount or plug something meanwhile: then that was no steady tick, and we look again */
		unsigned long made = 1;
		for (int tries = 0; made && tries < 5; tries++) {
			unsigned long before = allocations;
			assert_true(before > 0);
			for (int tick = 0; tick < 20; tick++)
				(void)machine_tick(&m, tick % 2);
			made = allocations - before;
		}
		if (made)
			fail_msg("%s: %lu allocations in 20 ticks", collectors[i]->name, made);
		machine_done(&m);
	}
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_collector_of_the_machine_allocates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
