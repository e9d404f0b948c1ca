#include "../../cli/command.h"
#include "cm.h"
#include <stdlib.h>
#include <string.h>

#define READ(o, c, ...) options_read(&(o), c, (char **)(const char *[]){ __VA_ARGS__, NULL })

static void forms_of_an_option_mean_the_same(void **state)
{
	static const char *const forms[][3] = { { "--interval=100ms" }, { "--interval", "100ms" },
		                                { "-i100ms" },          { "-i", "100ms" },
		                                { "-qi100ms" },         { "-qi", "0.1s" } };
	for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
		struct options o = { 0 };
		const char *argv[5] = { forms[k][0] };
		size_t n = 1;
		if (forms[k][1])
			argv[n++] = forms[k][1];
		argv[n] = "true";
		assert_int_equal(options_read(&o, &cmd_run, (char **)argv), 0);
		assert_int_equal(o.values[OPT_INTERVAL].number, 100000000);
		assert_int_equal(o.operand_count, 1);
		options_done(&o);
	}
}

static void options_of_run_end_at_the_command(void **state)
{
	struct options o = { 0 };
	assert_int_equal(READ(o, &cmd_run, "-q", "make", "-i1s", "--nonsense", "--", "-x"), 0);
	assert_int_equal(o.operand_count, 5);
	assert_string_equal(o.operands[0], "make");
	assert_string_equal(o.operands[3], "--");
	assert_false(option_given(&o, OPT_INTERVAL));
	options_done(&o);
}

static void two_dashes_end_the_options(void **state)
{
	struct options o = { 0 };
	assert_int_equal(READ(o, &cmd_run, "--", "-q"), 0);
	assert_int_equal(o.operand_count, 1);
	assert_false(option_flag(&o, OPT_QUIET));
	options_done(&o);
}

static void other_commands_take_options_anywhere(void **state)
{
	struct options o = { 0 };
	assert_int_equal(READ(o, &cmd_report, "a.jm", "-o", "x.html", "-", "b.jm"), 0);
	assert_int_equal(o.operand_count, 3);
	assert_string_equal(o.operands[1], "-");
	assert_string_equal(option_text(&o, OPT_REPORT_OUTPUT), "x.html");
	assert_false(option_given(&o, OPT_OUTPUT));
	options_done(&o);
}

static void repeated_options_add_up_and_others_are_replaced(void **state)
{
	struct options o = { 0 };
	assert_int_equal(READ(o, &cmd_run, "-oa", "-ob", "-i1s", "-i2s", "x"), 0);
	assert_int_equal(o.values[OPT_OUTPUT].count, 2);
	assert_string_equal(o.values[OPT_OUTPUT].texts[0], "a");
	assert_null(o.values[OPT_OUTPUT].texts[2]);
	assert_int_equal(o.values[OPT_INTERVAL].count, 1);
	assert_int_equal(o.values[OPT_INTERVAL].number, 2000000000);
	options_done(&o);
}

static void the_stronger_place_is_heard(void **state)
{
	struct options o = { 0 };
	char config[200] = "interval = 3s\nsummary = short\ntag=c=1\noutput=c\nappend = yes\nrecord = no\r\n";
	assert_int_equal(setenv("JOBMETER_INTERVAL", "2s", 1), 0);
	assert_int_equal(setenv("JOBMETER_TAG", "e=1", 1), 0);
	assert_int_equal(setenv("JOBMETER_APPEND", "no", 1), 0);
	assert_int_equal(setenv("JOBMETER_SUMMARY", "", 1), 0);
	assert_int_equal(READ(o, &cmd_run, "--tag=l=1", "-ol", "x"), 0);
	assert_int_equal(options_read_config(&o, &cmd_run, "c", config, strlen(config)), 0);
	assert_int_equal(o.values[OPT_INTERVAL].number, 2000000000);
	assert_string_equal(option_text(&o, OPT_SUMMARY), "short");
	assert_int_equal(o.values[OPT_TAG].count, 3); /* these add up, the strongest first */
	assert_string_equal(o.values[OPT_TAG].texts[0], "l=1");
	assert_string_equal(o.values[OPT_TAG].texts[2], "c=1");
	assert_int_equal(o.values[OPT_OUTPUT].count, 1); /* these do not */
	assert_false(option_flag(&o, OPT_APPEND));
	assert_true(option_flag(&o, OPT_NO_RECORD)); /* record = no */
	options_done(&o);
	(void)unsetenv("JOBMETER_INTERVAL");
	(void)unsetenv("JOBMETER_TAG");
	(void)unsetenv("JOBMETER_APPEND");
	(void)unsetenv("JOBMETER_SUMMARY");
}

static void durations_and_percentages_are_exact(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = { { "1", 1000000000 },        { "1.5s", 1500000000 },  { "1ms", 1000000 },   { "0.001", 1000000 },
		     { "60min", 3600000000000 }, { "1h", 3600000000000 }, { ".5s", 500000000 }, { "1000us", 1000000 } };
	for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
		struct options o = { 0 };
		assert_int_equal(options_put(&o, OPT_INTERVAL, good[k].text, FROM_COMMAND_LINE, "x"), 0);
		assert_int_equal(o.values[OPT_INTERVAL].number, good[k].ns);
		options_done(&o);
	}
	struct options o = { 0 };
	assert_int_equal(options_put(&o, OPT_OVERHEAD, "0.5%", FROM_COMMAND_LINE, "x"), 0);
	assert_int_equal(o.values[OPT_OVERHEAD].number, 5000);
	options_done(&o);
}

static void the_table_is_whole(void **state)
{
	for (int a = 0; a < OPTIONS_COUNT; a++) {
		const struct option_info *i = &option_table[a];
		assert_non_null(i->name);
		assert_non_null(i->help);
		assert_true(i->commands != 0);
		assert_int_equal(i->kind == KIND_FLAG, i->argument == NULL);
		assert_int_equal(i->kind == KIND_CHOICE, i->choices != NULL);
		assert_true(!i->adds || i->repeats);
		/* no command has two of one name or letter, and no two have one name outside */
		for (int b = 0; b < a; b++) {
			const struct option_info *k = &option_table[b];
			if (i->commands & k->commands) {
				assert_string_not_equal(i->name, k->name);
				assert_true(!i->letter || i->letter != k->letter);
			}
			if (option_key(i) && option_key(k))
				assert_string_not_equal(option_key(i), option_key(k));
		}
	}
}

static void the_nearest_name_is_found_and_no_far_one(void **state)
{
	struct nearest n = { 0 };
	nearest_try(&n, "intrval", "output");
	nearest_try(&n, "intrval", "interval");
	nearest_try(&n, "intrval", "tag");
	assert_string_equal(n.name, "interval");
	n = (struct nearest){ 0 };
	nearest_try(&n, "xyzzy", "interval");
	nearest_try(&n, "", "tag");
	nearest_try(&n, "a-very-long-word-that-nobody-has-ever-called-an-option", "tag");
	assert_null(n.name);
}

int main(void)
{
	(void)setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms_of_an_option_mean_the_same),
		cmocka_unit_test(options_of_run_end_at_the_command),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(other_commands_take_options_anywhere),
		cmocka_unit_test(repeated_options_add_up_and_others_are_replaced),
		cmocka_unit_test(the_stronger_place_is_heard),
		cmocka_unit_test(durations_and_percentages_are_exact),
		cmocka_unit_test(the_table_is_whole),
		cmocka_unit_test(the_nearest_name_is_found_and_no_far_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
