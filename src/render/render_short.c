/* The end of a run in two lines, a third one for the first warning. */
#include "base/cleanup.h"
#include "render/words.h"
#include <errno.h>
#include <string.h>

static void figures(struct jm_line *l, const struct jm_report *r)
{
	const char *dot = l->utf8 ? " · " : ", ";
	struct jm_words_memory m = jm_words_memory_of(r);
	jm_line_pad(l, 2);
	(void)jm_line_addf(l, JM_BOLD, "%s", jm_format_wall(r->wall_ns).text);
	if (r->cpu.total_ns.known)
		(void)jm_line_addf(l, JM_PLAIN, "%scpu %s", dot, jm_format_duration(r->cpu.total_ns.value).text);
	if (r->cpu.mean_mcores.known)
		(void)jm_line_addf(l, JM_PLAIN, " (%s cores)", jm_format_cores(r->cpu.mean_mcores.value).text);
	(void)jm_line_addf(l, JM_PLAIN, "%smemory %s", dot, m.known ? m.text.text : "n/a");
	if (r->io.read_bytes.known && r->io.write_bytes.known)
		(void)jm_line_addf(l, JM_PLAIN, "%sread %s, written %s", dot,
		                   jm_format_bytes(r->io.read_bytes.value).text,
		                   jm_format_bytes(r->io.write_bytes.value).text);
	if (r->processes.started.known)
		(void)jm_line_addf(l, JM_PLAIN, "%s%s procs", dot, jm_format_count(r->processes.started.value).text);
	jm_line_end(l);
}

static int render(const struct jm_report *r, const struct jm_render_opts *opts, struct jm_buf *out)
{
	_cleanup_(jm_buf_done) struct jm_buf command = { 0 };
	struct jm_line l = jm_line_over(out, opts);
	struct jm_word end = jm_format_exit(r);
	jm_words_command(r, &command);
	(void)jm_line_addf(&l, JM_BOLD, "jobmeter: ");
	jm_line_add_text(&l, JM_PLAIN, command.data, jm_line_left(&l) - strlen(end.text) - 2);
	jm_line_pad(&l, l.width - strlen(end.text));
	(void)jm_line_addf(&l, JM_PLAIN, "%s", end.text);
	jm_line_end(&l);
	figures(&l, r);
	for (size_t i = 0; i < r->n_findings; i++)
		if (r->findings[i].severity >= JM_SEVERITY_WARNING) {
			(void)jm_line_addf(&l, JM_WARN, "  ! ");
			jm_line_add_text(&l, JM_PLAIN, r->findings[i].text, jm_line_left(&l));
			jm_line_end(&l);
			break;
		}
	return out->failed ? -ENOMEM : 0;
}

const struct jm_renderer jm_renderer_short = { "short", NULL, "the end of a run in two or three lines", render };
