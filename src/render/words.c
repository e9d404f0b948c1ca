#include "render/words.h"
#include "render/word.h"
#include <string.h>

void jm_words_command(const struct jm_report *r, struct jm_buf *out)
{
	const struct jm_run *run = r->run;
	for (size_t i = 0; run && i < run->n_command; i++) {
		const char *a = run->command[i] ? run->command[i] : "";
		if (i)
			jm_buf_add_byte(out, ' ');
		/* quoted where a shell would need it, so that the line can be used again */
		if (*a && !strpbrk(a, " \t\n\"'\\$`*?[]{}()<>|&;#!~")) {
			jm_buf_add_text(out, a);
			continue;
		}
		jm_buf_add_byte(out, '\'');
		for (; *a; a++)
			if (*a == '\'')
				jm_buf_add_text(out, "'\\''");
			else
				jm_buf_add_byte(out, (unsigned char)*a);
		jm_buf_add_byte(out, '\'');
	}
	if (!run || !run->n_command)
		jm_buf_add_text(out, "(command unknown)");
}

static size_t seen(const struct jm_series *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++)
		n += s->max[i] != JM_UNKNOWN;
	return n;
}

bool jm_words_curves(const struct jm_report *r)
{
	return r->samples >= 3 && r->wall_ns > 0 && (r->series.cpu.n >= 3 || r->series.rss.n >= 3);
}

bool jm_words_private(const struct jm_report *r)
{
	size_t uss = seen(&r->series.uss);
	if (r->memory.peak_uss_bytes.exactness == JM_BOUNDED) /* most of the job was never looked at: see its why */
		return false;
	return uss >= 3 && uss * 2 >= seen(&r->series.rss);
}

struct jm_words_memory jm_words_memory_of(const struct jm_report *r)
{
	struct jm_words_memory w = { .at_ns = -1 };
	const struct jm_figure *safe = jm_range_safe(&r->memory.peak_rss_bytes);
	if (r->memory.peak_uss_bytes.known && (jm_words_private(r) || !safe)) {
		w.known = w.is_private = true;
		w.value = r->memory.peak_uss_bytes.value;
		w.text = jm_format_bytes(w.value);
		w.at_ns = r->memory.peak_uss_at_ns;
	} else if (safe) {
		w.known = jm_format_range(&r->memory.peak_rss_bytes, jm_format_bytes, &w.text);
		w.value = safe->value;
		w.at_ns = r->memory.peak_rss_bytes.at_ns;
	} else
		w.why = jm_figure_why(&r->memory.peak_rss_bytes.low);
	return w;
}

/* A sum of resident memory counts shared pages more than once: it may be above a limit that nobody can pass. */
struct jm_word jm_words_of_limit(int64_t bytes, int64_t limit, const char *the)
{
	struct jm_word of = jm_format_bytes(limit);
	if (bytes > limit)
		return jm_word_of("at the %s limit", of.text);
	return jm_word_of("%s of %s%s limit", jm_format_percent(bytes, limit).text, the, of.text);
}

void jm_words_missing(struct jm_line *l, const struct jm_figure *f)
{
	if (jm_line_addf(l, JM_DIM, "n/a: "))
		jm_line_add_text(l, JM_DIM, jm_figure_why(f), jm_line_left(l));
}

const struct jm_report_group *jm_words_largest_group(const struct jm_report *r, int64_t *ret_bytes)
{
	const struct jm_report_group *largest = NULL;
	bool private = jm_words_private(r); /* never the one kind against the other */
	for (size_t i = 0; i < r->n_groups; i++) {
		const struct jm_report_group *g = &r->groups[i];
		const struct jm_figure *f = private ? &g->peak_uss_bytes : jm_range_safe(&g->peak_rss_bytes);
		if (!f || !f->known || (largest && f->value <= *ret_bytes))
			continue;
		largest = g;
		*ret_bytes = f->value;
	}
	return largest;
}
