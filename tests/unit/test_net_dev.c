#include "cm.h"
#include "read/net_dev.h"
#include <errno.h>
#include <string.h>

#define HEAD                                                                                                           \
	"Inter-|   Receive                                                |  Transmit\n"                               \
	" face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls "     \
	"carrier "                                                                                                     \
	"compressed\n"

static void the_heads_are_no_interfaces(void **state)
{
	const char text[] = HEAD "    lo:    3193      29    0    0    0     0          0         0     3194      30   "
				 " 0    0    0     0       0          0\n"
				 "  eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
	struct jm_span all = jm_span_over(text, strlen(text));
	struct jm_net_dev d;
	assert_int_equal(jm_net_dev_next(&all, &d), 1);
	assert_true(jm_span_equals(d.name, "lo"));
	assert_int_equal(d.received_bytes, 3193);
	assert_int_equal(d.received_packets, 29);
	assert_int_equal(d.sent_bytes, 3194);
	assert_int_equal(d.sent_packets, 30);
	assert_int_equal(jm_net_dev_next(&all, &d), 1);
	assert_true(jm_span_equals(d.name, "eth0"));
	assert_int_equal(d.receive_errors, 3);
	assert_int_equal(d.receive_drops, 4);
	assert_int_equal(d.send_errors, 11);
	assert_int_equal(d.send_drops, 12);
	assert_int_equal(jm_net_dev_next(&all, &d), 0);
}

static void odd_names_are_names(void **state)
{
	const char text[] =
		HEAD "a|b:12345 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n br-\xff: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16";
	struct jm_span all = jm_span_over(text, strlen(text));
	struct jm_net_dev d;
	assert_int_equal(jm_net_dev_next(&all, &d), 1);
	assert_true(jm_span_equals(d.name, "a|b"));
	assert_int_equal(d.received_bytes, 12345);
	assert_int_equal(jm_net_dev_next(&all, &d), 1);
	assert_true(jm_span_equals(d.name, "br-\xff"));
}

static void a_broken_line_does_not_hide_the_next(void **state)
{
	const char text[] = HEAD "eth0: 1 2 3\n: 1\nnothing\neth1: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n";
	struct jm_span all = jm_span_over(text, strlen(text));
	struct jm_net_dev d;
	for (int i = 0; i < 3; i++)
		assert_int_equal(jm_net_dev_next(&all, &d), -EBADMSG);
	assert_int_equal(jm_net_dev_next(&all, &d), 1);
	assert_true(jm_span_equals(d.name, "eth1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_heads_are_no_interfaces),
		cmocka_unit_test(odd_names_are_names),
		cmocka_unit_test(a_broken_line_does_not_hide_the_next),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
