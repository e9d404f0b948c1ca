/* One page in one file: no request leaves it and no script runs in it. Its policy says so to the browser: the style sheet
 * is known by its hash. Where even that is forbidden, text, tables and pictures are readable without it. */
#include "base/cleanup.h"
#include "render/assets.h"
#include "render/html.h"
#include "render/renderer.h"
#include "render/words.h"
#include <errno.h>

static void head(struct jm_html *h, const struct jm_render_opts *opts)
{
	_cleanup_(jm_buf_done) struct jm_buf command = { 0 };
	bool light = opts && opts->theme && opts->theme[0] == 'l', dark = opts && opts->theme && opts->theme[0] == 'd';
	jm_words_command(h->r, &command);
	jm_buf_addf(h->out,
	            "<!doctype html>\n<html lang=\"en\"%s>\n<head>\n<meta charset=\"utf-8\">\n"
	            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-%s'; "
	            "base-uri 'none'; form-action 'none'\">\n"
	            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
	            "<meta name=\"color-scheme\" content=\"%s\">\n<meta name=\"referrer\" "
	            "content=\"no-referrer\">\n<title>",
	            light  ? " data-theme=\"light\""
	            : dark ? " data-theme=\"dark\""
	                   : "",
	            asset_report_css_sha256,
	            light  ? "light"
	            : dark ? "dark"
	                   : "light dark");
	jm_html_text(h, command.data, 120);
	jm_buf_addf(h->out, "</title>\n<style>%s</style>\n</head>\n<body>\n<main>\n", (const char *)asset_report_css);
}

static int render(const struct jm_report *r, const struct jm_render_opts *opts, struct jm_buf *out)
{
	struct jm_html h = { .r = r, .out = out };
	int e;
	jm_pick_groups(r, &h.pick);
	head(&h, opts);
	jm_html_header(&h);
	jm_html_tiles(&h);
	if ((e = jm_html_phases(&h)) < 0 || (e = jm_html_pictures(&h)) < 0 || (e = jm_html_waits(&h)) < 0 ||
	    (e = jm_html_groups(&h)) < 0 || (e = jm_html_processes(&h)) < 0)
		return e;
	jm_html_time(&h);
	jm_html_quality(&h);
	jm_buf_add_text(out, "</main>\n</body>\n</html>\n");
	return out->failed ? -ENOMEM : 0;
}

const struct jm_renderer jm_renderer_html = { "html", ".html", "one self-contained page with pictures", render };
