/* render_samples FOLDER: every sample report in every format, as FOLDER/SAMPLE.FORMAT. For tests outside C and for eyes. */
#include "base/cleanup.h"
#include "render/renderer.h"
#include "report_samples.h"

static int write_one(const char *folder, const struct report_sample *s, const struct jm_renderer *format)
{
	struct jm_report r = { 0 };
	struct jm_run run = { 0 };
	_cleanup_(jm_buf_done) struct jm_buf out = { 0 };
	char path[4096];
	s->make(&r, &run);
	int e = format->render(&r, &(struct jm_render_opts){ .utf8 = true }, &out);
	report_sample_done(&r, &run);
	(void)snprintf(path, sizeof path, "%s/%s.%s", folder, s->name, format->name);
	_cleanup_(fclosep) FILE *f = fopen(path, "we");
	if (e < 0 || !f || fwrite(out.data, 1, out.len, f) != out.len) {
		(void)fprintf(stderr, "%s: not written\n", path);
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int bad = 0;
	if (argc != 2) {
		(void)fputs("usage: render_samples FOLDER\n", stderr);
		return 2;
	}
	for (const struct report_sample *s = report_samples; s->name; s++)
		for (size_t i = 0; jm_renderers[i]; i++)
			bad |= write_one(argv[1], s, jm_renderers[i]);
	return bad;
}
