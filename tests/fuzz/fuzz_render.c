/* Any bytes as the figures and words of a report, through every renderer: each must end, and give text. That what they give
 * is well formed is held by check() for the forms that a few lines can check. */
#include "render/renderer.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len);

struct bytes {
	const unsigned char *p;
	size_t left;
};

static uint64_t number(struct bytes *b, unsigned n)
{
	uint64_t v = 0;
	for (; n && b->left; n--, b->left--)
		v = v << 8 | *b->p++;
	return v;
}

static int64_t value(struct bytes *b)
{
	static const int64_t odd[] = { 0, 1, -1, INT64_MAX, INT64_MIN, 1000000000, 4096, JM_UNKNOWN };
	unsigned kind = (unsigned)number(b, 1);
	return kind < 64 ? odd[kind % 8] : (int64_t)number(b, kind % 8 + 1);
}

static const char *text(struct bytes *b, struct jm_arena *a)
{
	size_t n = number(b, 1);
	if (n > 240)
		return NULL;
	n = n > b->left ? b->left : n;
	char *s = jm_arena_copy(a, b->p, n);
	b->p += n;
	b->left -= n;
	if (!s)
		abort();
	return s;
}

static struct jm_figure figure(struct bytes *b, struct jm_arena *a)
{
	unsigned kind = (unsigned)number(b, 1);
	struct jm_figure f = { .known = kind & 1, .exactness = (uint8_t)(kind >> 1), .origin = (uint16_t)kind };
	f.value = value(b);
	f.why = kind & 2 ? text(b, a) : NULL;
	return f;
}

static struct jm_range range(struct bytes *b, struct jm_arena *a)
{
	return (struct jm_range){ figure(b, a), figure(b, a), value(b) };
}

static struct jm_series series(struct bytes *b, struct jm_arena *a)
{
	size_t n = number(b, 1) % 40;
	int64_t *v[3];
	struct jm_series s = { .n = n, .begin_ns = value(b), .step_ns = value(b) };
	for (size_t k = 0; k < 3; k++) {
		v[k] = jm_arena_alloc(a, (n + 1) * sizeof **v);
		if (!v[k])
			abort();
		for (size_t i = 0; i < n; i++)
			v[k][i] = value(b);
	}
	s.min = v[0];
	s.mean = v[1];
	s.max = v[2];
	return s;
}

static void fill(struct bytes *b, struct jm_report *r, struct jm_run *run)
{
	struct jm_arena *a = &r->arena;
	const char *argv[3] = { "", "", "" };
	for (size_t i = 0; i < 3; i++) {
		const char *t = text(b, a);
		argv[i] = t ? t : "";
	}
	if (jm_run_set_command(run, argv, number(b, 1) % 4 % 3 + 1) < 0)
		abort();
	run->host = text(b, a);
	run->wall_ns = number(b, 8);
	run->interval_ns = number(b, 8);
	run->memory_bytes = value(b);
	run->tier = (char)('A' + number(b, 1) % 4);
	r->run = number(b, 1) % 8 ? run : NULL;
	r->wall_ns = value(b);
	r->samples = number(b, 2);
	r->exit.known = number(b, 1) & 1;
	r->exit.status = (int)number(b, 4);
	r->exit.signal = (int)number(b, 1);
	r->cpu.total_ns = figure(b, a);
	r->cpu.user_ns = figure(b, a);
	r->cpu.system_ns = figure(b, a);
	r->cpu.attributed_ns = figure(b, a);
	r->cpu.mean_mcores = figure(b, a);
	r->cpu.peak_mcores = figure(b, a);
	r->cpu.allowed_mcores = figure(b, a);
	r->memory.peak_rss_bytes = range(b, a);
	r->memory.peak_uss_bytes = figure(b, a);
	r->memory.peak_uss_at_ns = value(b);
	r->memory.limit_bytes = figure(b, a);
	r->memory.largest_process = text(b, a);
	r->memory.largest_process_rss_bytes = figure(b, a);
	r->io.read_bytes = figure(b, a);
	r->io.write_bytes = figure(b, a);
	r->io.read_chars = figure(b, a);
	r->io.write_chars = figure(b, a);
	r->processes.started = figure(b, a);
	r->series.rss = series(b, a);
	r->series.cpu = series(b, a);
	r->series.read_rate = series(b, a);
	r->series.pressure_io = series(b, a);
	r->n_groups = number(b, 1) % 12;
	r->groups = jm_arena_alloc(a, (r->n_groups + 1) * sizeof *r->groups);
	r->n_process = number(b, 1) % 12;
	r->process = jm_arena_alloc(a, (r->n_process + 1) * sizeof *r->process);
	r->n_phases = number(b, 1) % 6;
	r->phases = jm_arena_alloc(a, (r->n_phases + 1) * sizeof *r->phases);
	r->n_marks = number(b, 1) % 6;
	r->marks = jm_arena_alloc(a, (r->n_marks + 1) * sizeof *r->marks);
	r->n_findings = number(b, 1) % 4;
	r->findings = jm_arena_alloc(a, (r->n_findings + 1) * sizeof *r->findings);
	if (!r->groups || !r->process || !r->phases || !r->marks || !r->findings)
		abort();
	for (size_t i = 0; i < r->n_groups; i++)
		r->groups[i] = (struct jm_report_group){ .name = text(b, a),
			                                 .instances = number(b, 8),
			                                 .cpu_total_ns = figure(b, a),
			                                 .peak_rss_bytes = range(b, a),
			                                 .begin_ns = value(b),
			                                 .end_ns = value(b),
			                                 .rss = series(b, a),
			                                 .cpu = series(b, a),
			                                 .live = series(b, a),
			                                 .uss = series(b, a) };
	for (size_t i = 0; i < r->n_process; i++)
		r->process[i] = (struct jm_report_process){ .name = text(b, a),
			                                    .command = text(b, a),
			                                    .group = (uint32_t)number(b, 4),
			                                    .begin_ns = value(b),
			                                    .end_ns = value(b),
			                                    .pid = (pid_t)number(b, 4),
			                                    .cpu_ns = figure(b, a),
			                                    .peak_rss_bytes = figure(b, a) };
	for (size_t i = 0; i < r->n_phases; i++)
		r->phases[i] = (struct jm_report_phase){ .name = text(b, a),
			                                 .begin_ns = value(b),
			                                 .end_ns = value(b),
			                                 .depth = (unsigned)number(b, 4),
			                                 .cpu_total_ns = figure(b, a) };
	for (size_t i = 0; i < r->n_marks; i++) {
		r->marks[i].name = text(b, a);
		r->marks[i].at_ns = value(b);
	}
	for (size_t i = 0; i < r->n_findings; i++)
		r->findings[i] =
			(struct jm_report_finding){ text(b, a), (uint8_t)number(b, 1), text(b, a), text(b, a) };
	r->suggestion = text(b, a);
	r->saved_as = text(b, a);
	r->quality.complete = number(b, 1) & 1;
	r->quality.cut_short = text(b, a);
}

/* No control byte ever comes out, brackets open and close, quotes come in pairs. */
static void check(const char *format, const struct jm_buf *out)
{
	long depth = 0, quotes = 0;
	bool html = !strcmp(format, "html") || !strcmp(format, "svg"), json = !strcmp(format, "json");
	for (size_t i = 0; i < out->len; i++) {
		unsigned char c = (unsigned char)out->data[i];
		if ((c < 0x20 && c != '\n') || c == 0x7f)
			abort();
		if (json && c == '\\')
			i++;
		else if (json && c == '"')
			quotes++;
		else if (html && (c == '<' || c == '>')) {
			depth += c == '<' ? 1 : -1;
			if (depth < 0 || depth > 1)
				abort();
		} else if (json && quotes % 2 == 0 && strchr("{}[]", c))
			depth += c == '{' || c == '[' ? 1 : -1;
	}
	if (depth || quotes % 2)
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t len)
{
	struct bytes b = { data, len };
	struct jm_report r = { 0 };
	struct jm_run run = { 0 };
	struct jm_buf out = { 0 };
	fill(&b, &r, &run);
	for (size_t i = 0; jm_renderers[i]; i++) {
		jm_buf_clear(&out);
		if (jm_renderers[i]->render(&r, &(struct jm_render_opts){ .width = 80, .utf8 = len % 2 }, &out) < 0)
			abort();
		check(jm_renderers[i]->name, &out);
	}
	jm_buf_done(&out);
	jm_report_done(&r);
	jm_run_done(&run);
	return 0;
}
