#include "base/crc32c.h"
#include "cm.h"
#include <string.h>

/* RFC 3720, appendix B.4 */
static void the_examples_of_the_rfc_hold(void **state)
{
	unsigned char bytes[32];
	memset(bytes, 0, sizeof bytes);
	assert_int_equal(jm_crc32c(bytes, 32), 0x8a9136aa);
	memset(bytes, 0xff, sizeof bytes);
	assert_int_equal(jm_crc32c(bytes, 32), 0x62a8ab43);
	for (unsigned i = 0; i < 32; i++)
		bytes[i] = (unsigned char)i;
	assert_int_equal(jm_crc32c(bytes, 32), 0x46dd794e);
	for (unsigned i = 0; i < 32; i++)
		bytes[i] = (unsigned char)(31 - i);
	assert_int_equal(jm_crc32c(bytes, 32), 0x113fdb5c);
}

static void the_check_value_of_catalogues_holds(void **state)
{
	assert_int_equal(jm_crc32c("123456789", 9), 0xe3069283);
	assert_int_equal(jm_crc32c("", 0), 0);
}

static void every_single_flipped_bit_shows(void **state)
{
	char text[] = "one frame of a recording";
	uint32_t good = jm_crc32c(text, sizeof text);
	for (size_t bit = 0; bit < 8 * sizeof text; bit++) {
		text[bit / 8] ^= (char)(1 << bit % 8);
		assert_int_not_equal(jm_crc32c(text, sizeof text), good);
		text[bit / 8] ^= (char)(1 << bit % 8);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_examples_of_the_rfc_hold),
		cmocka_unit_test(the_check_value_of_catalogues_holds),
		cmocka_unit_test(every_single_flipped_bit_shows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
