#include "base/root_frozen.h"
#include "cm.h"
#include <errno.h>
#include <string.h>

static int parse(const char *text, struct jm_root_frozen **ret, struct jm_err *err)
{
	return jm_root_frozen_parse(text, strlen(text), "dir", ret, err);
}

static void refused(const char *text, int code, const char *sentence)
{
	struct jm_root_frozen *f = NULL;
	struct jm_err err = { 0 };
	assert_int_equal(parse(text, &f, &err), code);
	assert_null(f);
	assert_string_equal(err.text, sentence);
}

static void what_is_not_said_is_unknown(void **state)
{
	struct jm_root_frozen *f = NULL;
	assert_int_equal(parse("hz 100\npage_bytes 4096\n", &f, NULL), 0);
	assert_true(f->hz == 100 && f->page_bytes == 4096);
	assert_true(f->cpus == 0 && f->allowed_cpus == 0 && f->n_mounts == 0);
	assert_string_equal(f->uname.kernel, "");
	assert_string_equal(f->boot_id, "");
	struct jm_root_space space;
	assert_int_equal(jm_root_frozen_space(f, "/", &space), -ENODATA);
	assert_null(jm_root_frozen_free(f));
	assert_null(jm_root_frozen_free(NULL));
}

static void comments_and_empty_lines_say_nothing(void **state)
{
	struct jm_root_frozen *f = NULL;
	assert_int_equal(parse("# a comment\n\n  # another\n hz 100\n\tpage_bytes\t4096", &f, NULL), 0);
	assert_true(f->page_bytes == 4096);
	jm_root_frozen_free(f);
}

static void file_systems_are_found_by_their_path(void **state)
{
	struct jm_root_frozen *f = NULL;
	assert_int_equal(
		parse("hz 100\npage_bytes 4096\nstatvfs / 4096 10 5 4\nstatvfs /a\\040b 512 2 1 0\n", &f, NULL), 0);
	struct jm_root_space space;
	assert_int_equal(jm_root_frozen_space(f, "/a\\040b", &space), 0);
	assert_true(space.total_bytes == 1024 && space.free_bytes == 512 && space.available_bytes == 0);
	assert_int_equal(jm_root_frozen_space(f, "/", &space), 0);
	assert_true(space.total_bytes == 40960 && space.free_bytes == 20480 && space.available_bytes == 16384);
	jm_root_frozen_free(f);
}

static void long_texts_are_cut(void **state)
{
	char text[2000] = "hz 100\npage_bytes 4096\nboot_id ";
	memset(text + strlen(text), 'x', 1000);
	struct jm_root_frozen *f = NULL;
	assert_int_equal(parse(text, &f, NULL), 0);
	assert_int_equal(strlen(f->boot_id), sizeof f->boot_id - 1);
	jm_root_frozen_free(f);
}

static void an_unknown_key_names_its_line(void **state)
{
	refused("hz 100\npages 4096\n", -EBADMSG, "dir/machine:2: expected a known key and its value, found 'pages'");
}

static void a_value_must_be_whole(void **state)
{
	refused("hz 100 200\n", -EBADMSG, "dir/machine:1: expected a known key and its value, found 'hz'");
	refused("hz\n", -EBADMSG, "dir/machine:1: expected a known key and its value, found 'hz'");
	refused("statvfs / 1 2 3\n", -EBADMSG, "dir/machine:1: expected a known key and its value, found 'statvfs'");
	refused("statvfs / 1 2 3 4 5\n", -EBADMSG,
	        "dir/machine:1: expected a known key and its value, found 'statvfs'");
}

static void numbers_that_fit_nowhere_are_refused(void **state)
{
	refused("statvfs / 4294967296 4294967296 0 0\n", -ERANGE,
	        "dir/machine:1: expected a known key and its value, found 'statvfs'");
	refused("hz 100\npage_bytes 4096\ncpus 4294967297\n", -ERANGE,
	        "dir/machine: expected numbers of CPUs below 2^31");
}

static void the_two_units_must_be_said(void **state)
{
	static const char *const texts[] = { "", "hz 100\n", "page_bytes 4096\n", "hz 0\npage_bytes 4096\n",
		                             "hz 2000000000\npage_bytes 4096\n" };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		refused(texts[i], -EBADMSG, "dir/machine: expected lines 'hz N' and 'page_bytes N'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_said_is_unknown),
		cmocka_unit_test(comments_and_empty_lines_say_nothing),
		cmocka_unit_test(file_systems_are_found_by_their_path),
		cmocka_unit_test(long_texts_are_cut),
		cmocka_unit_test(an_unknown_key_names_its_line),
		cmocka_unit_test(a_value_must_be_whole),
		cmocka_unit_test(numbers_that_fit_nowhere_are_refused),
		cmocka_unit_test(the_two_units_must_be_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
