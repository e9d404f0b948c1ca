/* Parts of the markdown report. Private to render_markdown.c. */
#pragma once
#include "base/buf.h"
#include "model/report.h"

void jm_markdown_tables(const struct jm_report *r, struct jm_buf *out);
