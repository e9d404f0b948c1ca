/* The block at the end of a run, in two files. Private to render_text.c and text_tail.c. */
#pragma once
#include "render/line.h"

enum { JM_TEXT_WORD_AT = 2, JM_TEXT_AT = 12 }; /* columns of the fixed word and of what follows it */

void jm_text_begin(struct jm_line *l, const char *word);
void jm_text_marks(struct jm_line *l, const struct jm_report *r);
void jm_text_warnings(struct jm_line *l, const struct jm_report *r);
void jm_text_ends(struct jm_line *l, const struct jm_report *r); /* left, fit, saved */
