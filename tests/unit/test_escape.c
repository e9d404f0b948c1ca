#include "cm.h"
#include "render/escape.h"
#include <string.h>

static struct jm_buf buf;

static const char *terminal(const char *text, size_t max, bool utf8, size_t columns)
{
	jm_buf_clear(&buf);
	jm_buf_add_text(&buf, "");
	assert_int_equal(jm_escape_terminal(&buf, text, max, utf8), columns);
	return buf.data;
}

static const char *markup(const char *text, size_t max)
{
	jm_buf_clear(&buf);
	jm_buf_add_text(&buf, "");
	jm_escape_markup(&buf, text, max);
	return buf.data;
}

static const char *markdown(const char *text)
{
	jm_buf_clear(&buf);
	jm_buf_add_text(&buf, "");
	jm_escape_markdown(&buf, text, 100);
	return buf.data;
}

static void a_terminal_gets_no_control_byte(void **state)
{
	assert_string_equal(terminal("a\033[31mb", 80, true, 10), "a\\x1b[31mb");
	assert_string_equal(terminal("\xc2\x9b"
	                             "2J",
	                             80, true, 6),
	                    "\\x9b2J");
	assert_string_equal(terminal("a\nb\tc", 80, true, 11), "a\\x0ab\\x09c");
	assert_string_equal(terminal("x\xe2\x80\xaey", 80, true, 8), "x\\u202ey");
	assert_string_equal(terminal("\xff", 80, true, 1), "\xef\xbf\xbd");
	assert_string_equal(terminal("\xff", 80, false, 1), "?");
	assert_string_equal(terminal(NULL, 80, true, 0), "");
}

static void width_is_counted_in_columns(void **state)
{
	assert_string_equal(terminal("\xe6\xbc\xa2\xe5\xad\x97", 80, true, 4), "\xe6\xbc\xa2\xe5\xad\x97");
	assert_string_equal(terminal("\xe6\xbc\xa2\xe5\xad\x97", 3, true, 3), "\xe6\xbc\xa2\xe2\x80\xa6");
	assert_string_equal(terminal("\xe6\xbc\xa2\xe5\xad\x97", 2, true, 1), "\xe2\x80\xa6");
	assert_string_equal(terminal("e\xcc\x81", 80, true, 1), "e\xcc\x81");
	assert_string_equal(terminal("abcdef", 4, true, 4), "abc\xe2\x80\xa6");
	assert_string_equal(terminal("abcdef", 4, false, 4), "a...");
	assert_string_equal(terminal("abcdef", 6, true, 6), "abcdef");
	assert_string_equal(terminal("abcdef", 0, true, 0), "");
	assert_string_equal(terminal("a\033b", 4, true, 2), "a\xe2\x80\xa6");
	assert_int_equal(jm_text_columns("\xf0\x9f\x98\x80", true), 2);
	assert_int_equal(jm_char_columns(0x301), 0);
	assert_int_equal(jm_char_columns(0x3fffd), 2);
	assert_int_equal(jm_char_columns(0x10ffff), 1);
}

static void without_utf8_only_ascii_comes_out(void **state)
{
	assert_string_equal(terminal("a \xe2\x89\xa4 b \xc2\xb7 c \xe2\x86\x92 d", 80, false, 15), "a <= b , c -> d");
	assert_string_equal(terminal("\xc3\xa9", 80, false, 4), "\\xe9");
	assert_string_equal(terminal("\xe6\xbc\xa2", 80, false, 6), "\\u6f22");
}

static void markup_has_no_sign_that_means_something(void **state)
{
	assert_string_equal(markup("</script><b a='\"'>&", 100), "&#60;/script&#62;&#60;b a=&#39;&#34;&#39;&#62;&#38;");
	assert_string_equal(markup("a\033\x01\xff", 100), "a\\x1b\\x01\xef\xbf\xbd");
	assert_string_equal(markup("\xef\xbf\xbe", 100), "\\ufffe"); /* not allowed in XML */
	assert_string_equal(markup("abcd", 3), "abc\xe2\x80\xa6");
	assert_string_equal(markup("abc", 3), "abc");
}

static void markdown_stays_one_plain_cell(void **state)
{
	assert_string_equal(markdown("a|b`c<d\ne"), "a&#124;b&#96;c&#60;d&#92;x0ae");
	assert_string_equal(markdown("*b* [l](x) #1"), "&#42;b&#42; &#91;l&#93;(x) &#35;1");
	assert_string_equal(markdown("run_kernel.sh _x_"), "run_kernel.sh &#95;x&#95;");
}

static int done(void **state)
{
	jm_buf_done(&buf);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_terminal_gets_no_control_byte),
		cmocka_unit_test(width_is_counted_in_columns),
		cmocka_unit_test(without_utf8_only_ascii_comes_out),
		cmocka_unit_test(markup_has_no_sign_that_means_something),
		cmocka_unit_test(markdown_stays_one_plain_cell),
	};
	return cmocka_run_group_tests(tests, NULL, done);
}
