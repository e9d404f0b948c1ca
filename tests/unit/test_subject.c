#include "cm.h"
#include "model/subject.h"
#include <errno.h>
#include <string.h>

static struct jm_subject *add(struct jm_subjects *t, uint32_t id, const char *name)
{
	struct jm_subject *s = NULL;
	assert_int_equal(
		jm_subjects_add(t, &(struct jm_subject_facts){ .kind = JM_SUBJECT_PROCESS, .id = id, .name = name },
	                        &s),
		0);
	return s;
}

static void ids_count_from_one_in_order_of_appearance(void **state)
{
	struct jm_subjects t = { 0 };
	for (uint32_t i = 1; i <= 200; i++) {
		struct jm_subject *s = add(&t, 0, "p");
		assert_int_equal(s->id, i);
		assert_int_equal(s->slot, i - 1);
	}
	assert_int_equal(t.n_live, 200);
	for (uint32_t i = 1; i <= 200; i++)
		assert_int_equal(jm_subjects_find(&t, i)->id, i);
	assert_null(jm_subjects_find(&t, 0));
	assert_null(jm_subjects_find(&t, 201));
	jm_subjects_done(&t);
}

static void facts_are_copied_and_texts_are_never_null(void **state)
{
	struct jm_subjects t = { 0 };
	struct jm_subject *s;
	char command[] = "sh\0-c\0true";
	assert_int_equal(jm_subjects_add(&t,
	                                 &(struct jm_subject_facts){ .kind = JM_SUBJECT_PROCESS,
	                                                             .parent = 7,
	                                                             .start_ns = 8,
	                                                             .pid = 9,
	                                                             .pid_namespace = 10,
	                                                             .command = command,
	                                                             .command_len = sizeof command },
	                                 &s),
	                 0);
	memset(command, 'x', sizeof command);
	assert_true(s->parent == 7 && s->start_ns == 8 && s->pid == 9 && s->pid_namespace == 10);
	assert_string_equal(s->name, "");
	assert_string_equal(s->group, "");
	assert_int_equal(s->command_len, 11);
	assert_memory_equal(s->command, "sh\0-c\0true", 11);
	jm_subjects_done(&t);
}

static void an_id_is_used_once(void **state)
{
	struct jm_subjects t = { 0 };
	struct jm_subject *s = add(&t, 5, "a");
	assert_int_equal(jm_subjects_add(&t, &(struct jm_subject_facts){ .id = 5 }, &s), -EEXIST);
	assert_int_equal(add(&t, 0, "b")->id, 6);
	jm_subjects_done(&t);
}

static void a_reader_may_give_ids_in_any_order(void **state)
{
	struct jm_subjects t = { 0 };
	const uint32_t ids[] = { 40, 3, 17, 1, 99, 2 };
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		add(&t, ids[i], "p");
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		assert_int_equal(jm_subjects_find(&t, ids[i])->id, ids[i]);
	for (size_t i = 1; i < t.n_live; i++)
		assert_true(t.live[i - 1]->id < t.live[i]->id);
	assert_int_equal(add(&t, 0, "next")->id, 100);
	jm_subjects_done(&t);
}

static void slots_stay_while_a_subject_lives_and_come_back_after_the_sweep(void **state)
{
	struct jm_subjects t = { 0 };
	struct jm_subject *a = add(&t, 0, "a"), *b = add(&t, 0, "b"), *c = add(&t, 0, "c");
	b->ended = true;
	assert_int_equal(add(&t, 0, "d")->slot, 3);
	jm_subjects_sweep(&t);
	assert_int_equal(t.n_live, 3);
	assert_null(jm_subjects_find(&t, 2));
	assert_int_equal(a->slot, 0);
	assert_int_equal(c->slot, 2);
	struct jm_subject *e = add(&t, 0, "e");
	assert_int_equal(e->slot, 1);
	assert_int_equal(e->id, 5);
	assert_int_equal(t.n_slots, 4);
	jm_subjects_done(&t);
}

static void slots_stay_as_few_as_live_subjects_were_at_once(void **state)
{
	struct jm_subjects t = { 0 };
	for (int round = 0; round < 50; round++) {
		struct jm_subject *s[100];
		for (int i = 0; i < 100; i++)
			s[i] = add(&t, 0, "p");
		for (int i = 0; i < 100; i++)
			s[i]->ended = true;
		jm_subjects_sweep(&t);
	}
	assert_int_equal(t.n_live, 0);
	assert_int_equal(t.n_slots, 100);
	assert_int_equal(t.next_id, 5000);
	jm_subjects_done(&t);
}

static void a_new_name_replaces_the_old_one_and_null_keeps_it(void **state)
{
	struct jm_subjects t = { 0 };
	struct jm_subject *s = add(&t, 0, "old");
	assert_int_equal(jm_subject_rename(s, "new", "a\0b", 4, NULL), 0);
	assert_int_equal(jm_subject_rename(s, NULL, NULL, 0, "group"), 0);
	assert_string_equal(s->name, "new");
	assert_int_equal(s->command_len, 4);
	assert_string_equal(s->group, "group");
	jm_subjects_done(&t);
}

static void without_a_group_the_name_is_the_group(void **state)
{
	struct jm_subjects t = { 0 };
	struct jm_subject *s = add(&t, 0, "cc1");
	assert_string_equal(jm_subject_group(s), "cc1");
	assert_int_equal(jm_subject_rename(s, NULL, NULL, 0, "compiler"), 0);
	assert_string_equal(jm_subject_group(s), "compiler");
	jm_subjects_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_count_from_one_in_order_of_appearance),
		cmocka_unit_test(facts_are_copied_and_texts_are_never_null),
		cmocka_unit_test(an_id_is_used_once),
		cmocka_unit_test(a_reader_may_give_ids_in_any_order),
		cmocka_unit_test(slots_stay_while_a_subject_lives_and_come_back_after_the_sweep),
		cmocka_unit_test(slots_stay_as_few_as_live_subjects_were_at_once),
		cmocka_unit_test(a_new_name_replaces_the_old_one_and_null_keeps_it),
		cmocka_unit_test(without_a_group_the_name_is_the_group),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
