/* Text that the job chose (names, arguments, labels, hosts) on its way into an output that has a meaning of its own.
 * Bytes that are not UTF-8 become U+FFFD. What cannot be seen or would turn the text around (control characters, C1,
 * bidirectional overrides, zero-width characters) is written out: \x1b, \u202e. NULL is an empty text. */
#pragma once
#include "base/buf.h"

/* Columns that a character takes on a terminal: 0, 1 or 2. */
unsigned jm_char_columns(uint32_t c);
/* Columns of a text after escaping. */
size_t jm_text_columns(const char *text, bool utf8);
/* Adds text for a terminal, at most max columns: what is too long ends in an ellipsis. Without utf8 everything beyond
 * ASCII is replaced (known signs by their likeness, others by \u00e9). Returns the columns taken. */
size_t jm_escape_terminal(struct jm_buf *out, const char *text, size_t max, bool utf8);
/* HTML and XML, as text or inside quotes of an attribute. At most max characters, then an ellipsis. */
void jm_escape_markup(struct jm_buf *out, const char *text, size_t max);
/* One line of markdown, safe in a table cell; signs that mean something there become character references. */
void jm_escape_markdown(struct jm_buf *out, const char *text, size_t max);
