#include "cm.h"
#include "read/bpf_handover.h"
#include <errno.h>
#include <string.h>

static void a_request_is_understood_when_it_is_whole_and_ours(void **state)
{
	struct jm_bpf_request q;
	jm_bpf_request_fill(&q);
	assert_int_equal(jm_bpf_request_parse(&q, sizeof q), 0);
	for (size_t n = 0; n < sizeof q; n++)
		assert_int_equal(jm_bpf_request_parse(&q, n), -EBADMSG);
	char longer[sizeof q + 1] = { 0 };
	memcpy(longer, &q, sizeof q);
	assert_int_equal(jm_bpf_request_parse(longer, sizeof longer), -EBADMSG);
}

static void each_byte_of_a_request_counts(void **state)
{
	struct jm_bpf_request q;
	jm_bpf_request_fill(&q);
	for (size_t i = 0; i < sizeof q; i++) {
		unsigned char bytes[sizeof q];
		memcpy(bytes, &q, sizeof q);
		bytes[i] ^= 0x40;
		assert_int_equal(jm_bpf_request_parse(bytes, sizeof bytes),
		                 i < offsetof(struct jm_bpf_request, version) ? -EBADMSG : -EPROTO);
	}
}

static struct jm_bpf_reply good(void)
{
	return (struct jm_bpf_reply){ JM_BPF_REPLY_MAGIC, .links = 6, .ring_bytes = 1 << 20 };
}

static void an_answer_says_how_many_descriptors_come_with_it(void **state)
{
	struct jm_bpf_reply a = good(), got;
	assert_int_equal(jm_bpf_reply_parse(&a, sizeof a, &got), JM_BPF_MAPS + 6);
	assert_int_equal(got.ring_bytes, 1 << 20);
	assert_int_equal(jm_bpf_reply_parse(&a, sizeof a - 1, &got), -EBADMSG);
}

static void an_answer_that_cannot_be_is_none(void **state)
{
	struct jm_bpf_reply got, bad[] = { good(), good(), good(), good(), good() };
	bad[0].magic ^= 1;
	bad[1].links = 0;
	bad[2].links = JM_BPF_LINKS_MOST + 1;
	bad[3].ring_bytes = 3 << 20;
	bad[4].ring_bytes = 0;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_int_equal(jm_bpf_reply_parse(&bad[i], sizeof bad[i], &got), -EBADMSG);
}

static void a_refusal_has_words_that_can_be_printed(void **state)
{
	struct jm_bpf_reply a = { JM_BPF_REPLY_MAGIC, .error = EPERM, .words = "not for you" }, got;
	assert_int_equal(jm_bpf_reply_parse(&a, sizeof a, &got), 0);
	assert_string_equal(got.words, "not for you");
	a.words[3] = '\033';
	assert_int_equal(jm_bpf_reply_parse(&a, sizeof a, &got), -EBADMSG);
	a.words[0] = '\0';
	assert_int_equal(jm_bpf_reply_parse(&a, sizeof a, &got), -EBADMSG);
	memset(a.words, 'x', sizeof a.words);
	assert_int_equal(jm_bpf_reply_parse(&a, sizeof a, &got), -EBADMSG);
	a = (struct jm_bpf_reply){ JM_BPF_REPLY_MAGIC, .error = EPERM, .links = 2, .words = "x" };
	assert_int_equal(jm_bpf_reply_parse(&a, sizeof a, &got), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_understood_when_it_is_whole_and_ours),
		cmocka_unit_test(each_byte_of_a_request_counts),
		cmocka_unit_test(an_answer_says_how_many_descriptors_come_with_it),
		cmocka_unit_test(an_answer_that_cannot_be_is_none),
		cmocka_unit_test(a_refusal_has_words_that_can_be_printed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
