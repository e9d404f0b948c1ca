#include "base/utf8.h"

size_t jm_utf8_decode(const char *data, size_t len, uint32_t *ret_char)
{
	const unsigned char *p = (const unsigned char *)data;
	*ret_char = JM_UTF8_REPLACEMENT;
	if (p[0] < 0x80) {
		*ret_char = p[0];
		return 1;
	}
	unsigned more = p[0] >= 0xf0 ? 3 : p[0] >= 0xe0 ? 2 : 1;
	if (p[0] < 0xc2 || p[0] > 0xf4 || len < more + 1u)
		return 1;
	uint32_t c = p[0] & (0x3fu >> more);
	for (unsigned i = 1; i <= more; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 1;
		c = c << 6 | (p[i] & 0x3f);
	}
	static const uint32_t least[4] = { 0, 0x80, 0x800, 0x10000 };
	if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 1;
	*ret_char = c;
	return more + 1;
}

size_t jm_utf8_encode(uint32_t c, char out[4])
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char lead[4] = { 0, 0xc0, 0xe0, 0xf0 };
	for (unsigned i = more; i > 0; i--, c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(lead[more] | c);
	return more + 1;
}
