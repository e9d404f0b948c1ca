/* One line of KEY=VALUE for grep and logs. Keys never change and are always there; what is not known is "n/a". */
#include "render/format.h"
#include "render/renderer.h"
#include <errno.h>

static void put(struct jm_buf *out, const char *key, const struct jm_figure *f, jm_formatter format)
{
	jm_buf_addf(out, " %s=%s", key, f && f->known ? format(f->value).text : "n/a");
}

static int render(const struct jm_report *r, const struct jm_render_opts *opts, struct jm_buf *out)
{
	if (r->exit.known)
		jm_buf_addf(out, "exit=%d", r->exit.signal ? 128 + r->exit.signal : r->exit.status);
	else
		jm_buf_add_text(out, "exit=n/a");
	jm_buf_addf(out, " wall=%s", jm_format_seconds(r->wall_ns).text);
	put(out, "cpu", &r->cpu.total_ns, jm_format_seconds);
	put(out, "peak_uss", &r->memory.peak_uss_bytes, jm_format_si_bytes);
	put(out, "peak_rss", jm_range_safe(&r->memory.peak_rss_bytes), jm_format_si_bytes);
	put(out, "read", &r->io.read_bytes, jm_format_si_bytes);
	put(out, "written", &r->io.write_bytes, jm_format_si_bytes);
	jm_buf_add_byte(out, '\n');
	return out->failed ? -ENOMEM : 0;
}

const struct jm_renderer jm_renderer_line = { "line", NULL, "one line of KEY=VALUE", render };
