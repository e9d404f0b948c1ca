#include "render/escape.h"
#include "base/utf8.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Characters that are written out because nobody could see them, or because they would hide others. */
static bool is_unseen(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || c == 0x180e ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
	       c == 0xfeff || (c >= 0xfff0 && c <= 0xfffb) || (c & 0xfffe) == 0xfffe || (c >= 0xe0000 && c <= 0xe007f);
}

static size_t written_out(uint32_t c, char out[12])
{
	if (c < 0x100)
		return (size_t)snprintf(out, 12, "\\x%02" PRIx32, c);
	return (size_t)snprintf(out, 12, c < 0x10000 ? "\\u%04" PRIx32 : "\\U%06" PRIx32, c);
}

/* What stands for a sign where only ASCII can be shown; our own sentences use these. */
static const char *likeness(uint32_t c)
{
	static const struct {
		uint32_t c;
		const char *ascii;
	} table[] = { { 0xa0, " " },    { 0xb7, "," },     { 0xd7, "x" },    { 0xb5, "u" },   { 0x3bc, "u" },
		      { 0x2013, "-" },  { 0x2014, "-" },   { 0x2018, "'" },  { 0x2019, "'" }, { 0x201c, "\"" },
		      { 0x201d, "\"" }, { 0x2026, "..." }, { 0x2192, "->" }, { 0x2248, "~" }, { 0x2264, "<=" },
		      { 0x2265, ">=" }, { 0xfffd, "?" } };
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (table[i].c == c)
			return table[i].ascii;
	return NULL;
}

/* One character as a terminal gets it; columns it takes. */
static size_t glyph(uint32_t c, bool utf8, char out[12], size_t *ret_columns)
{
	const char *like = c < 0x80 || utf8 ? NULL : likeness(c);
	size_t n;
	if (like)
		n = (size_t)snprintf(out, 12, "%s", like);
	else if (is_unseen(c) || (!utf8 && c >= 0x80))
		n = written_out(c, out);
	else {
		n = jm_utf8_encode(c, out);
		*ret_columns = jm_char_columns(c);
		return n;
	}
	*ret_columns = n;
	return n;
}

size_t jm_text_columns(const char *text, bool utf8)
{
	size_t columns = 0, len = text ? strlen(text) : 0;
	for (size_t i = 0, w; i < len; columns += w) {
		uint32_t c;
		char g[12];
		i += jm_utf8_decode(text + i, len - i, &c);
		(void)glyph(c, utf8, g, &w);
	}
	return columns;
}

size_t jm_escape_terminal(struct jm_buf *out, const char *text, size_t max, bool utf8)
{
	size_t columns = 0, len = text ? strlen(text) : 0, dots = utf8 ? 1 : 3;
	size_t keep = out->len, keep_columns = 0; /* where the ellipsis would go */
	for (size_t i = 0; i < len;) {
		uint32_t c;
		char g[12];
		size_t w;
		i += jm_utf8_decode(text + i, len - i, &c);
		size_t n = glyph(c, utf8, g, &w);
		if (columns + w > max) {
			if (out->failed)
				return columns;
			out->len = keep;
			if (out->data)
				out->data[keep] = '\0';
			if (keep_columns + dots > max)
				return keep_columns;
			jm_buf_add_text(out, utf8 ? "\xe2\x80\xa6" : "...");
			return keep_columns + dots;
		}
		jm_buf_add(out, g, n);
		columns += w;
		if (columns + dots <= max) {
			keep = out->len;
			keep_columns = columns;
		}
	}
	return columns;
}

typedef void (*put_char)(struct jm_buf *out, uint32_t c, const char *bytes, size_t n, bool inside_word);

static void each(struct jm_buf *out, const char *text, size_t max, put_char put)
{
	size_t len = text ? strlen(text) : 0, count = 0;
	bool after_word = false;
	for (size_t i = 0; i < len; count++) {
		uint32_t c;
		char bytes[12];
		if (count == max) {
			jm_buf_add_text(out, "\xe2\x80\xa6");
			return;
		}
		i += jm_utf8_decode(text + i, len - i, &c);
		size_t n = is_unseen(c) ? written_out(c, bytes) : jm_utf8_encode(c, bytes);
		bool word = c < 0x80 && isalnum((int)c);
		put(out, is_unseen(c) ? 0 : c, bytes, n, after_word && i < len && isalnum((unsigned char)text[i]));
		after_word = word;
	}
}

static void put_markup(struct jm_buf *out, uint32_t c, const char *bytes, size_t n, bool inside_word)
{
	if (c && c < 0x80 && strchr("&<>\"'", (int)c))
		jm_buf_addf(out, "&#%" PRIu32 ";", c);
	else
		jm_buf_add(out, bytes, n);
}

static void put_markdown(struct jm_buf *out, uint32_t c, const char *bytes, size_t n, bool inside_word)
{
	if (!c) /* the backslash of what was written out would escape what follows */
		jm_buf_addf(out, "&#92;%.*s", (int)n - 1, bytes + 1);
	else if (c < 0x80 && strchr("&<>|`*[]\\~$#@", (int)c))
		jm_buf_addf(out, "&#%" PRIu32 ";", c);
	else if (c == '_' && !inside_word) /* inside a word it is no emphasis, and paths stay readable */
		jm_buf_add_text(out, "&#95;");
	else
		jm_buf_add(out, bytes, n);
}

void jm_escape_markup(struct jm_buf *out, const char *text, size_t max)
{
	each(out, text, max, put_markup);
}

void jm_escape_markdown(struct jm_buf *out, const char *text, size_t max)
{
	each(out, text, max, put_markdown);
}
