/* The block at the end of a run, after its figures: marks, warnings, what is left and what to do next. */
#include "render/text.h"
#include "render/words.h"
#include <string.h>

enum { WARNINGS = 3 };

/* As the tables tell it, but for the minutes: "489 ms", "6:36". */
static struct jm_word length(int64_t ns)
{
	return ns < 60000000000 ? jm_format_duration(ns) : jm_format_clock(ns);
}

/* Outermost phases with their length, then marks with their place; what does not fit is counted. */
void jm_text_marks(struct jm_line *l, const struct jm_report *r)
{
	size_t total = r->n_marks, shown = 0;
	for (size_t i = 0; i < r->n_phases; i++)
		total += r->phases[i].depth == 0;
	if (!total)
		return;
	jm_text_begin(l, "marks");
	for (size_t i = 0; i < r->n_phases + r->n_marks; i++) {
		bool phase = i < r->n_phases;
		if (phase && r->phases[i].depth)
			continue;
		const char *name = phase ? r->phases[i].name : r->marks[i - r->n_phases].name;
		struct jm_word when = phase ? length(jm_span_ns(r->phases[i].begin_ns, r->phases[i].end_ns))
		                            : jm_format_clock(r->marks[i - r->n_phases].at_ns);
		size_t columns = jm_text_columns(name, l->utf8);
		size_t need = (columns > 24 ? 24 : columns) + strlen(when.text) + 4 + (phase ? 0 : 2);
		if (need + (shown + 1 < total ? 12 : 0) > jm_line_left(l))
			break;
		(void)jm_line_addf(l, JM_DIM, "%s", shown ? (l->utf8 ? " · " : ", ") : "");
		jm_line_add_text(l, JM_PLAIN, name, 24);
		(void)jm_line_addf(l, JM_PLAIN, phase ? " %s" : " @ %s", when.text);
		shown++;
	}
	if (shown < total)
		(void)jm_line_addf(l, JM_DIM, "%s%zu more", shown ? (l->utf8 ? " · " : ", ") : "", total - shown);
	jm_line_end(l);
}

void jm_text_warnings(struct jm_line *l, const struct jm_report *r)
{
	size_t shown = 0;
	if (!r->quality.complete) {
		jm_line_pad(l, JM_TEXT_WORD_AT);
		(void)jm_line_addf(l, JM_BAD, "! ");
		jm_line_add_text(l, JM_PLAIN, r->quality.cut_short ? r->quality.cut_short : "the recording has no end",
		                 jm_line_left(l));
		jm_line_end(l);
		shown++;
	}
	for (size_t i = 0; i < r->n_findings && shown < WARNINGS; i++) {
		if (r->findings[i].severity < JM_SEVERITY_WARNING)
			continue;
		jm_line_pad(l, JM_TEXT_WORD_AT);
		(void)jm_line_addf(l, r->findings[i].severity == JM_SEVERITY_WARNING ? JM_WARN : JM_BAD, "! ");
		jm_line_add_text(l, JM_PLAIN, r->findings[i].text, jm_line_left(l));
		jm_line_end(l);
		shown++;
	}
}

/* What the suggestion rests on: all of it, or as many of its parts as there is room for, from the first on. */
static void basis(struct jm_line *l, const char *text, size_t room)
{
	char part[160];
	size_t n = strlen(text);
	if (n >= sizeof part)
		return;
	memcpy(part, text, n + 1);
	while (jm_text_columns(part, l->utf8) > room) {
		while (n && !strchr(";,(", part[n - 1]))
			n--;
		while (n && strchr(";,( ", part[n - 1]))
			n--;
		if (!n)
			return;
		part[n] = '\0';
	}
	jm_line_pad(l, l->columns + 3);
	(void)jm_line_addf(l, JM_DIM, "(");
	jm_line_add_text(l, JM_DIM, part, room);
	(void)jm_line_addf(l, JM_DIM, ")");
}

void jm_text_ends(struct jm_line *l, const struct jm_report *r)
{
	if (r->n_survivors) {
		jm_text_begin(l, "left");
		(void)jm_line_addf(l, JM_WARN, "%zu still running: ", r->n_survivors);
		jm_line_add_text(l, JM_PLAIN, r->survivors[0], jm_line_left(l) - 14);
		if (r->n_survivors > 1)
			(void)jm_line_addf(l, JM_DIM, ", %zu more", r->n_survivors - 1);
		jm_line_end(l);
	}
	if (r->suggestion) {
		jm_text_begin(l, "fit");
		jm_line_add_text(l, JM_BOLD, r->suggestion, 40);
		if (r->suggestion_basis && jm_line_left(l) > 6)
			basis(l, r->suggestion_basis, jm_line_left(l) - 6);
		jm_line_end(l);
	}
	if (r->saved_as) {
		struct jm_word size = { "" };
		if (r->overhead.recording_bytes.known)
			size = jm_format_bytes(r->overhead.recording_bytes.value);
		jm_text_begin(l, "saved");
		jm_line_add_path(l, JM_PLAIN, r->saved_as, jm_line_left(l) - strlen(size.text) - 3);
		if (size.text[0])
			(void)jm_line_addf(l, JM_DIM, " (%s)", size.text);
		if (jm_line_left(l) > 22 + jm_text_columns(r->saved_as, l->utf8)) {
			(void)jm_line_addf(l, JM_DIM, "   jobmeter report ");
			jm_line_add_text(l, JM_DIM, r->saved_as, jm_line_left(l));
		}
		jm_line_end(l);
	}
}
