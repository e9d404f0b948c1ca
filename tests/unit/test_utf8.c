#include "base/utf8.h"
#include "cm.h"
#include <string.h>

static void decodes(const char *bytes, size_t len, uint32_t expected, size_t took)
{
	uint32_t c;
	assert_int_equal(jm_utf8_decode(bytes, len, &c), took);
	assert_int_equal(c, expected);
}

static void valid_characters_of_each_length_are_decoded(void **state)
{
	decodes("A", 1, 'A', 1);
	decodes("\0", 1, 0, 1);
	decodes("\xc2\x80", 2, 0x80, 2);
	decodes("\xdf\xbf", 2, 0x7ff, 2);
	decodes("\xe0\xa0\x80", 3, 0x800, 3);
	decodes("\xe2\x82\xac", 3, 0x20ac, 3);
	decodes("\xef\xbf\xbf", 3, 0xffff, 3);
	decodes("\xf0\x90\x80\x80", 4, 0x10000, 4);
	decodes("\xf4\x8f\xbf\xbf", 4, 0x10ffff, 4);
}

static void what_is_not_utf8_takes_one_byte(void **state)
{
	static const char *const bad[] = {
		"\x80", /* continuation without a beginning */
		"\xbf\xbf",
		"\xc0\xaf", /* overlong '/' */
		"\xc1\xbf",
		"\xe0\x80\xaf",
		"\xf0\x80\x80\xaf",
		"\xed\xa0\x80", /* surrogates */
		"\xed\xbf\xbf",
		"\xf4\x90\x80\x80", /* beyond U+10FFFF */
		"\xf5\x80\x80\x80",
		"\xff\xff\xff\xff",
		"\xe2\x28\xa1", /* second byte is no continuation */
		"\xe2\x82\x28",
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		decodes(bad[i], strlen(bad[i]), JM_UTF8_REPLACEMENT, 1);
}

static void a_cut_character_takes_one_byte(void **state)
{
	decodes("\xe2\x82", 2, JM_UTF8_REPLACEMENT, 1);
	decodes("\xf0\x90\x80", 3, JM_UTF8_REPLACEMENT, 1);
	decodes("\xc3", 1, JM_UTF8_REPLACEMENT, 1);
}

static void every_character_survives_the_way_there_and_back(void **state)
{
	for (uint32_t c = 0; c <= 0x10ffff; c++) {
		if (c >= 0xd800 && c < 0xe000)
			continue;
		char bytes[4];
		uint32_t back;
		size_t n = jm_utf8_encode(c, bytes);
		if (jm_utf8_decode(bytes, n, &back) != n || back != c)
			fail_msg("U+%04X", c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(valid_characters_of_each_length_are_decoded),
		cmocka_unit_test(what_is_not_utf8_takes_one_byte),
		cmocka_unit_test(a_cut_character_takes_one_byte),
		cmocka_unit_test(every_character_survives_the_way_there_and_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
