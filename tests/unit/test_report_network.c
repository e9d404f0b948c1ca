/* Bytes of the job's own sockets, and of the machine's interfaces where those are not told. */
#include "story.h"

static void told(struct story *s, int64_t sent, int64_t received)
{
	story_put_from(s, s->job, JM_M_JOB_NET_SENT, JM_ORIGIN_BPF_SOCKETS, sent);
	story_put_from(s, s->job, JM_M_JOB_NET_RECEIVED, JM_ORIGIN_BPF_SOCKETS, received);
}

static void moved(struct story *s, struct jm_subject *p, int64_t sent, int64_t received)
{
	story_put_from(s, p, JM_M_PROCESS_NET_SENT, JM_ORIGIN_BPF_SOCKETS, sent);
	story_put_from(s, p, JM_M_PROCESS_NET_RECEIVED, JM_ORIGIN_BPF_SOCKETS, received);
}

static void moved_last(struct story *s, int64_t sent, int64_t received)
{
	story_final(s, JM_M_PROCESS_NET_SENT, JM_ORIGIN_BPF_SOCKETS, sent);
	story_final(s, JM_M_PROCESS_NET_RECEIVED, JM_ORIGIN_BPF_SOCKETS, received);
}

static void who_has_moved_nothing_has_a_zero(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *client = story_start(&s, 0, "client", NULL);
	struct jm_subject *other = story_start(&s, 0, "other", client);
	told(&s, 0, 0);
	story_at(&s, 1000);
	told(&s, 100, 10);
	moved(&s, client, 100, 10);
	story_at(&s, 2000);
	told(&s, 1000, 20);
	story_finish(&s, 1500, client, 0);
	moved_last(&s, 1000, 20);
	story_finish(&s, 1600, other, 0);
	struct jm_report *r = story_end(&s);
	assert_true(jm_network_is_own(&r->network));
	assert_int_equal(r->network.sent_bytes.value, 1000);
	assert_int_equal(r->network.received_bytes.value, 20);
	assert_int_equal(r->network.sent_bytes.exactness, JM_EXACT);
	assert_true(r->network.unix_sent_bytes.known);
	assert_int_equal(r->n_groups, 2);
	for (size_t i = 0; i < 2; i++) {
		int64_t sent = strcmp(r->groups[i].name, "client") == 0 ? 1000 : 0;
		assert_true(r->groups[i].network.sent_bytes.known);
		assert_int_equal(r->groups[i].network.sent_bytes.value, sent);
		assert_int_equal(r->groups[i].network.sent_bytes.exactness, JM_EXACT);
		assert_int_equal(r->process[i].network.sent_bytes.value, r->process[i].group == i ? sent : 1000 - sent);
	}
	assert_int_equal(r->series.sent_rate.mean[r->series.sent_rate.n - 1], 900);
	story_done(&s);
}

static void a_phase_has_what_was_moved_in_it(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "p", NULL);
	told(&s, 0, 0);
	for (int i = 1; i <= 4; i++) {
		story_at(&s, i * 1000);
		told(&s, i * 100, i);
		moved(&s, p, i * 100, i);
		if (i == 2)
			story_event(&s, JM_EVENT_PHASE_BEGIN, 1500, "part", NULL, 0);
		if (i == 4)
			story_event(&s, JM_EVENT_PHASE_END, 4000, "part", NULL, 0);
	}
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->n_phases, 1);
	assert_int_equal(r->phases[0].network.sent_bytes.value, 250);
	assert_int_equal(r->phases[0].network.sent_bytes.exactness, JM_SAMPLED);
	assert_int_equal(r->network.sent_bytes.value, 400);
	story_done(&s);
}

static void what_found_no_room_makes_it_a_lower_bound(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_start(&s, 0, "p", NULL);
	told(&s, 5, 5);
	moved(&s, p, 5, 5);
	story_put_from(&s, s.job, JM_M_JOB_NET_UNCOUNTED, JM_ORIGIN_BPF_SOCKETS, 3);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->network.sent_bytes.value, 5);
	assert_int_equal(r->network.sent_bytes.exactness, JM_BOUNDED);
	assert_non_null(r->network.sent_bytes.why);
	story_done(&s);
}

/* A process that was found when the run began is counted from then on, not from its birth. */
static void who_was_there_before_has_all_that_was_counted(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	story_at(&s, 0);
	struct jm_subject *p = story_found(&s, "p");
	told(&s, 70, 7);
	moved(&s, p, 70, 7);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->network.sent_bytes.value, 70);
	story_done(&s);
}

static void else_it_is_the_machines_and_nobodys(void **state)
{
	struct story s = { 0 };
	story_begin(&s);
	struct jm_subject *nic = story_subject(&s, JM_SUBJECT_NIC, "eth0");
	story_at(&s, 0);
	story_put(&s, story_start(&s, 0, "p", NULL), JM_M_PROCESS_CPU, MS);
	story_put(&s, nic, JM_M_NIC_SENT, 1000);
	story_at(&s, 1000);
	story_put(&s, nic, JM_M_NIC_SENT, 1001);
	struct jm_report *r = story_end(&s);
	assert_int_equal(r->network.sent_bytes.value, 1);
	assert_false(jm_network_is_own(&r->network));
	assert_false(r->network.unix_sent_bytes.known);
	assert_false(r->groups[0].network.sent_bytes.known);
	assert_non_null(r->groups[0].network.sent_bytes.why);
	assert_false(r->process[0].network.sent_bytes.known);
	story_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_has_moved_nothing_has_a_zero),
		cmocka_unit_test(a_phase_has_what_was_moved_in_it),
		cmocka_unit_test(what_found_no_room_makes_it_a_lower_bound),
		cmocka_unit_test(who_was_there_before_has_all_that_was_counted),
		cmocka_unit_test(else_it_is_the_machines_and_nobodys),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
