/* The block at the end of a run: at most 15 lines, first words that never change, nothing that wraps. */
#include "base/cleanup.h"
#include "render/text.h"
#include "render/time_parts.h"
#include "render/words.h"
#include <errno.h>
#include <string.h>

#define MINUTE_NS 60000000000ll
enum { NAME = 16 };

void jm_text_begin(struct jm_line *l, const char *word)
{
	jm_line_pad(l, JM_TEXT_WORD_AT);
	(void)jm_line_addf(l, JM_DIM, "%s", word);
	jm_line_pad(l, JM_TEXT_AT);
}

static void header(struct jm_line *l, const struct jm_report *r)
{
	_cleanup_(jm_buf_done) struct jm_buf command = { 0 };
	struct jm_word end = jm_format_exit(r);
	bool cut = !r->quality.complete && !r->exit.known;
	size_t room = cut ? strlen("cut short") : strlen(end.text);
	jm_words_command(r, &command);
	(void)jm_line_addf(l, JM_BOLD, "jobmeter: ");
	jm_line_add_text(l, JM_PLAIN, command.data, jm_line_left(l) - room - 2);
	jm_line_pad(l, l->width - room);
	(void)jm_line_addf(l, !cut && r->exit.known && !r->exit.signal && !r->exit.status ? JM_GOOD : JM_BAD, "%s",
	                   cut ? "cut short" : end.text);
	jm_line_end(l);
}

static void wall(struct jm_line *l, const struct jm_report *r)
{
	jm_text_begin(l, "wall");
	(void)jm_line_addf(l, JM_BOLD, "%s", jm_format_wall(r->wall_ns).text);
	if (r->cpu.user_ns.known && r->cpu.system_ns.known)
		(void)jm_line_addf(l, JM_PLAIN, "   user %s  sys %s", jm_format_duration(r->cpu.user_ns.value).text,
		                   jm_format_duration(r->cpu.system_ns.value).text);
	else if (r->cpu.total_ns.known)
		(void)jm_line_addf(l, JM_PLAIN, "   cpu %s", jm_format_duration(r->cpu.total_ns.value).text);
	if (r->run && r->run->wall_ns && r->wall_ns >= 0) {
		struct jm_word from = jm_format_date(r->run->wall_ns);
		struct jm_word to = jm_format_date(r->run->wall_ns + (uint64_t)r->wall_ns);
		/* the day of the end only when it is another one; seconds only when there is room */
		bool same = !memcmp(from.text, to.text, 10);
		if (r->wall_ns < MINUTE_NS ||
		    (!jm_line_addf(l, JM_DIM, "   (%s → %s UTC)", from.text, same ? to.text + 11 : to.text) &&
		     !(same && jm_line_addf(l, JM_DIM, "   (%.16s → %.5s UTC)", from.text, to.text + 11))))
			(void)jm_line_addf(l, JM_DIM, "   (%s UTC)", from.text);
	}
	jm_line_end(l);
}

static void cpu(struct jm_line *l, const struct jm_report *r)
{
	const struct jm_figure *mean = &r->cpu.mean_mcores, *allowed = &r->cpu.allowed_mcores;
	const struct jm_figure *ipc = &r->hardware.instructions_per_cycle;
	jm_text_begin(l, "cpu");
	if (!mean->known) {
		jm_words_missing(l, r->cpu.total_ns.known ? mean : &r->cpu.total_ns);
		jm_line_end(l);
		return;
	}
	(void)jm_line_addf(l, JM_BOLD, "%s", jm_format_cores(mean->value).text);
	if (allowed->known && allowed->value > 0)
		(void)jm_line_addf(l, JM_PLAIN, " of %s cores mean (%s)", jm_format_cores(allowed->value).text,
		                   jm_format_percent(mean->value, allowed->value).text);
	else
		(void)jm_line_addf(l, JM_PLAIN, " cores mean");
	if (jm_words_curves(r) && r->series.cpu.n) {
		size_t left = jm_line_left(l), behind = ipc->known ? 19 + 11 : 19,
		       n = left > behind + 3 ? left - behind : 0;
		(void)jm_line_addf(l, JM_PLAIN, "   ");
		jm_line_add_spark(l, &r->series.cpu, n > 24 ? 24 : n);
	}
	if (r->cpu.peak_mcores.known)
		(void)jm_line_addf(l, JM_PLAIN, "   peak %s", jm_format_cores(r->cpu.peak_mcores.value).text);
	if (ipc->known)
		(void)jm_line_addf(l, JM_PLAIN, "   ipc %s", jm_format_cores(ipc->value).text);
	jm_line_end(l);
}

/* A run of a moment has nothing to divide. */
static void times(struct jm_line *l, const struct jm_report *r)
{
	struct jm_time_part parts[JM_TIME_PARTS_MAX];
	size_t n = jm_words_curves(r) ? jm_time_parts(&r->time, parts) : 0;
	if (!n)
		return;
	jm_text_begin(l, "time");
	for (size_t i = 0; i < n; i++)
		(void)jm_line_addf(l, JM_PLAIN, "%s%s %s", i ? ", " : "", parts[i].brief,
		                   jm_format_percent(parts[i].ns, r->time.thread_ns.value).text);
	jm_line_end(l);
}

static void memory(struct jm_line *l, const struct jm_report *r)
{
	struct jm_words_memory m = jm_words_memory_of(r);
	const struct jm_figure *limit = &r->memory.limit_bytes;
	struct jm_word rss;
	jm_text_begin(l, "memory");
	if (m.known) {
		(void)jm_line_addf(l, JM_BOLD, "%s", m.text.text);
		(void)jm_line_addf(l, JM_PLAIN, " peak %s", m.is_private ? "private" : "resident");
		if (limit->known && limit->value > 0)
			(void)jm_line_addf(l, JM_PLAIN, " (%s)", jm_words_of_limit(m.value, limit->value, "").text);
		if (m.at_ns >= 0)
			(void)jm_line_addf(l, JM_PLAIN, " at %s", jm_format_clock(m.at_ns).text);
	} else
		jm_words_missing(l, &r->memory.peak_rss_bytes.low);
	jm_line_end(l);

	const struct jm_series *curve = m.is_private && r->series.uss.n ? &r->series.uss : &r->series.rss;
	bool drawn = jm_words_curves(r) && curve->n > 0;
	bool other = m.is_private && jm_format_range(&r->memory.peak_rss_bytes, jm_format_bytes, &rss);
	if (!drawn && !other)
		return;
	struct jm_word large = { "" };
	size_t room = 0;
	if (!other && r->memory.largest_process_rss_bytes.known && r->memory.largest_process)
		large = jm_format_bytes(r->memory.largest_process_rss_bytes.value);
	jm_line_pad(l, JM_TEXT_AT);
	if (other)
		room = strlen("   RSS sum ") + strlen(rss.text);
	else if (large.text[0])
		room = strlen("   largest  ") + strlen(large.text) + NAME;
	if (drawn && jm_line_left(l) > room + 8) {
		size_t left = jm_line_left(l) - room;
		jm_line_add_spark(l, curve, left > 40 ? 40 : left);
		(void)jm_line_addf(l, JM_PLAIN, "   ");
	}
	if (other)
		(void)jm_line_addf(l, JM_PLAIN, "RSS sum %s", rss.text);
	else if (large.text[0] && jm_line_addf(l, JM_PLAIN, "largest %s ", large.text))
		jm_line_add_text(l, JM_PLAIN, r->memory.largest_process, NAME);
	jm_line_end(l);
}

static void disk(struct jm_line *l, const struct jm_report *r)
{
	const struct jm_report_io *io = &r->io;
	jm_text_begin(l, "disk");
	if (!io->read_bytes.known && !io->write_bytes.known)
		jm_words_missing(l, &io->read_bytes);
	else {
		(void)jm_line_addf(l, JM_PLAIN, "read ");
		(void)jm_line_addf(l, JM_BOLD, "%s",
		                   io->read_bytes.known ? jm_format_bytes(io->read_bytes.value).text : "n/a");
		(void)jm_line_addf(l, JM_PLAIN, "   written ");
		(void)jm_line_addf(l, JM_BOLD, "%s",
		                   io->write_bytes.known ? jm_format_bytes(io->write_bytes.value).text : "n/a");
		if (io->read_chars.known && io->write_chars.known) {
			struct jm_word in = jm_format_bytes(io->read_chars.value);
			struct jm_word to = jm_format_bytes(io->write_chars.value);
			char *unit = strchr(in.text, ' '), *same = strchr(to.text, ' ');
			if (unit && same && !strcmp(unit, same))
				*unit = '\0';
			if (!jm_line_addf(l, JM_DIM, "   (storage; calls %s / %s)", in.text, to.text))
				(void)jm_line_addf(l, JM_DIM, "   (calls %s / %s)", in.text, to.text);
		}
	}
	jm_line_end(l);
}

/* Of a job that has used sockets. */
static void network(struct jm_line *l, const struct jm_report *r)
{
	const struct jm_report_network *n = &r->network;
	int64_t in = n->received_bytes.value, to = n->sent_bytes.value;
	int64_t unix_in = n->unix_received_bytes.value, unix_to = n->unix_sent_bytes.value;
	if (!jm_network_is_own(n) || (!in && !to && !unix_in && !unix_to))
		return;
	jm_text_begin(l, "network");
	(void)jm_line_addf(l, JM_PLAIN, "received ");
	(void)jm_line_addf(l, JM_BOLD, "%s", jm_format_bytes(in).text);
	(void)jm_line_addf(l, JM_PLAIN, "   sent ");
	(void)jm_line_addf(l, JM_BOLD, "%s", jm_format_bytes(to).text);
	if (unix_in || unix_to)
		(void)jm_line_addf(l, JM_DIM, "   (and through UNIX sockets %s / %s)", jm_format_bytes(unix_in).text,
		                   jm_format_bytes(unix_to).text);
	jm_line_end(l);
}

static void processes(struct jm_line *l, const struct jm_report *r)
{
	int64_t bytes = 0;
	const struct jm_report_group *first = r->n_groups ? &r->groups[0] : NULL;
	const struct jm_report_group *large = jm_words_largest_group(r, &bytes);
	jm_text_begin(l, "procs");
	if (r->processes.started.known)
		(void)jm_line_addf(l, JM_PLAIN, "%s started", jm_format_count(r->processes.started.value).text);
	else if (r->processes.seen.known)
		(void)jm_line_addf(l, JM_PLAIN, "%s seen", jm_format_count(r->processes.seen.value).text);
	else
		jm_words_missing(l, &r->processes.started);
	if (r->processes.max_live.known)
		(void)jm_line_addf(l, JM_PLAIN, ", %s live at most", jm_format_count(r->processes.max_live.value).text);
	if (first && first->cpu_total_ns.known && r->cpu.total_ns.known && r->cpu.total_ns.value > 0 &&
	    jm_line_left(l) > 9 + 12 && jm_line_addf(l, JM_PLAIN, "    top: ")) {
		jm_line_add_text(l, JM_PLAIN, first->name, NAME);
		(void)jm_line_addf(l, JM_PLAIN, " %s cpu",
		                   jm_format_percent(first->cpu_total_ns.value, r->cpu.total_ns.value).text);
		struct jm_word size = jm_format_bytes(bytes);
		size_t name = large ? jm_text_columns(large->name, l->utf8) : 0;
		name = name > NAME ? NAME : name;
		if (large && name + strlen(size.text) + 3 <= jm_line_left(l)) {
			(void)jm_line_addf(l, JM_PLAIN, ", ");
			jm_line_add_text(l, JM_PLAIN, large->name, name);
			(void)jm_line_addf(l, JM_PLAIN, " %s", size.text);
		}
	}
	jm_line_end(l);
}

static int render(const struct jm_report *r, const struct jm_render_opts *opts, struct jm_buf *out)
{
	struct jm_line l = jm_line_over(out, opts);
	header(&l, r);
	wall(&l, r);
	cpu(&l, r);
	times(&l, r);
	memory(&l, r);
	disk(&l, r);
	network(&l, r);
	processes(&l, r);
	jm_text_marks(&l, r);
	jm_text_warnings(&l, r);
	jm_text_ends(&l, r);
	return out->failed ? -ENOMEM : 0;
}

const struct jm_renderer jm_renderer_text = { "text", ".txt", "the block at the end of a run", render };
